"""Readers of other programs' exports: a file becomes conversations; nothing is stored here.

Each format is one module that turns its own objects into `Talk`s. `Reading` opens a file, a folder or an archive, finds
out what is in it, and yields one conversation at a time, so that an export of any size takes the memory of one of them.
"""

from desk_assistant.importers.reading import FORMATS, Reading
from desk_assistant.importers.records import Problem, Selection, Talk, Turn

__all__ = ["FORMATS", "Problem", "Reading", "Selection", "Talk", "Turn"]
