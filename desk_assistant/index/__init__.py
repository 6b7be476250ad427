"""The search index: records by meaning and by words, in a child process of its own."""

from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.index.records import Hit, IndexRecord, IndexState, SearchReply

__all__ = ["Hit", "IndexClient", "IndexRecord", "IndexSetup", "IndexState", "SearchReply"]
