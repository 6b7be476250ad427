"""Running the service: over standard input and output for one client, or over HTTP on this machine for several."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from typing import Final

import uvicorn
from mcp.server.stdio import stdio_server

from desk_assistant.assistant import Assistant
from desk_assistant.errors import InputError
from desk_assistant.server import mcp_face
from desk_assistant.server.calls import Calls
from desk_assistant.server.clients import Client, Clients
from desk_assistant.server.http_face import application
from desk_assistant.server.limits import Limiter
from desk_assistant.server.operations import Operations

HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8765
CONNECTIONS: Final = 64
"""Requests that are served at the same time; more are told to come again."""

GRACE_SECONDS: Final = 5


async def over_stdio(assistant: Assistant, client: Client) -> None:
    """Serve MCP to the program that started this one, until it closes the pipe."""
    _only_our_log()
    serving = mcp_face.server(Calls(Operations(assistant), Limiter()), lambda _context: client)
    async with stdio_server() as (read, write):
        await serving.run(read, write, serving.create_initialization_options())


async def over_http(assistant: Assistant, port: int, listening: Callable[[int], None]) -> None:
    """Serve HTTP and MCP on the loopback interface until the program is told to end.

    Args:
        assistant: The profile, with its memory search started.
        port: The port; 0 for any that is free.
        listening: Called with the port once requests are taken.

    Raises:
        InputError: The port is taken.
    """
    _only_our_log()
    limiter = Limiter()
    with _bound(port) as listener:
        bound = int(listener.getsockname()[1])
        app = application(Calls(Operations(assistant), limiter), Clients(assistant.locations.home), limiter, bound)
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=CONNECTIONS,
            timeout_graceful_shutdown=GRACE_SECONDS,
            ws="none",
        )
        server = _Server(config)
        with _ended_by_signals(server):
            serving = asyncio.create_task(server.serve(sockets=[listener]), name="http")
            while not server.started and not serving.done():
                await asyncio.sleep(0.01)
            if not serving.done():
                listening(bound)
            await serving


class _Server(uvicorn.Server):
    """A server that leaves signals to the program, which has a profile to close after the last request."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture nothing."""
        yield


@contextlib.contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let Ctrl+C and a polite kill end the service in good order, where the system can tell."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        server.should_exit = True

    taken: list[signal.Signals] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, or not the main thread
            loop.add_signal_handler(number, end)
            taken.append(number)
    try:
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)


def _bound(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
    except OSError as error:
        listener.close()
        raise InputError("server.port_taken", port=port, reason=error.strerror or error) from error
    return listener


def _only_our_log() -> None:
    """Keep the libraries' own lines out of the standard streams: one is the wire, and they may quote what was said."""
    for name in ("mcp", "uvicorn", "starlette", "asyncio"):
        library = logging.getLogger(name)
        library.handlers = [logging.NullHandler()]
        library.propagate = False
