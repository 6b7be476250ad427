"""Stop waiting at once when the person says stop, whatever is being waited for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


class StopWanted(Exception):  # noqa: N818 - not an error: the person's wish, never seen outside a turn
    """The person wants this turn to end."""


async def unless_stopped(stop: asyncio.Event, work: Coroutine[Any, Any, Result], *, finish: bool = False) -> Result:
    """Wait for some work, or until the person says stop.

    Args:
        stop: Set when the person says stop.
        work: What to wait for.
        finish: Let it go on by itself after a stop, as a model that loads should: it is needed for the next message.
            Otherwise it is cancelled.

    Raises:
        StopWanted: The person said stop first.
    """
    task = asyncio.ensure_future(work)
    if finish:
        task.add_done_callback(_retrieve)
    waiter = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((task, waiter), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise StopWanted
    finally:
        waiter.cancel()
        if not finish and not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


def _retrieve(task: asyncio.Future[Any]) -> None:
    """Take note of a failure that nobody waits for any more."""
    if not task.cancelled():
        task.exception()
