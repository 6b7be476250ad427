"""Masks a message without holding the app up, however long it is."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Final

from desk_assistant.errors import WorkerError
from desk_assistant.privacy.child import look_from_message
from desk_assistant.privacy.gate import SessionGate
from desk_assistant.privacy.spans import Masked
from desk_assistant.workers import WorkerClient
from desk_assistant.workers.protocol import ProtocolError

LONG: Final = 50_000
"""Characters. A single search goes through these in some twenty milliseconds, and no other thread runs meanwhile."""

log = logging.getLogger(__name__)


class Masking:
    """Masks what a person says: beside the event loop, and a long text in a process of its own.

    One search over a megabyte takes a third of a second, in which the interpreter lets no other thread run, whatever
    thread it is in. The process is started for the text and ended after it; it writes nothing.

    Args:
        log: File for what the process says when it fails. It never says what it was given.
    """

    def __init__(self, log: Path) -> None:
        self._log = log

    async def mask(self, gate: SessionGate, text: str) -> Masked:
        """Return what `gate.mask` returns for a message. When the process fails it is done in this one."""
        if len(text) <= LONG:
            return await asyncio.to_thread(gate.mask, text)
        worker = WorkerClient("filter", log=self._log)
        try:
            found = await worker.request("look", text=text, allowed=sorted(gate.allowed), left_open=gate.left_open)
        except (WorkerError, ProtocolError) as error:
            log.warning("a long text is masked in the app: %s", type(error).__name__)
            return await asyncio.to_thread(gate.mask, text)
        finally:
            await worker.stop()
        return await asyncio.to_thread(gate.take, text, look_from_message(found))
