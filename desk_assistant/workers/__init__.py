"""Child processes: one pipe protocol, one asyncio client, one serving loop."""

from desk_assistant.workers.client import State, WorkerClient, WorkerStream
from desk_assistant.workers.protocol import WorkerCancelled

__all__ = ["State", "WorkerCancelled", "WorkerClient", "WorkerStream"]
