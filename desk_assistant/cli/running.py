"""An assistant for the length of one command, with what it waits for shown on standard error."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

from desk_assistant.cli.console import Console
from desk_assistant.i18n import t
from desk_assistant.paths import Locations

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant

Part = Literal["llm", "index"]


@asynccontextmanager
async def assistant(
    locations: Locations, *, llm: bool = False, index: bool = False, force: bool = False
) -> AsyncIterator[Assistant]:
    """Open the assistant, start only the children that are asked for, and close it at the end.

    Args:
        locations: Where its data lives.
        llm: Start the language model.
        index: Start the memory search.
        force: Load the model although it seems too large, or its last load ended badly.

    Raises:
        StorageError: The data folder or its database cannot be used.
        InputError: The settings file cannot be used.
    """
    from desk_assistant.assistant import Assistant

    opened = Assistant.open(locations)
    try:
        if llm or index:
            await opened.start(llm=llm, index=index, force=force)
        yield opened
    finally:
        await opened.close()


async def started(running: Assistant, console: Console, *parts: Part) -> None:
    """Wait until the children have come up or failed, showing how far they are.

    A failure is not raised here: the operation that needs the child says it in its own words.
    """
    changed = asyncio.Event()
    unsubscribe = running.on_status(lambda _status: changed.set())
    try:
        while True:
            changed.clear()
            waiting = [part for part in parts if getattr(running.status, part).state == "starting"]
            if not waiting:
                return
            for part in waiting:
                status = getattr(running.status, part)
                text = status.detail or t(f"cli.starting_{part}")
                if status.progress is not None:
                    text = f"{text} {status.progress:.0%}"
                console.progress(text, step=part)
            await changed.wait()
    finally:
        unsubscribe()


async def settled(running: Assistant, console: Console) -> None:
    """Wait until everything that was said has been remembered, showing how far it is.

    Raises:
        DeskError: It could not be finished; it is taken up again at the next start.
    """
    await running.memory.settle(progress_of(console))


def progress_of(console: Console) -> Callable[[str, int, int], None]:
    """Return a callback that shows the phases of remembering: `read` in bytes, `remember` in pieces of work."""

    def show(phase: str, done: int, total: int) -> None:
        if total:
            console.progress(t(f"cli.phase_{phase}", done=done, total=total, share=f"{done / total:.0%}"), step=phase)

    return show
