"""`serve`: the memory for other programs of this machine, and which of them may come in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from desk_assistant.cli.arguments import Commands, Invocation, add_command, add_group
from desk_assistant.cli.running import assistant, started
from desk_assistant.errors import InputError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from types import ModuleType

    from desk_assistant.server.clients import Clients

DEFAULT_PORT = 8765
STDIO_CLIENT = "stdio"


def register(commands: Commands) -> None:
    """Add the commands."""
    _, inner = add_group(commands, "serve")
    stdio = add_command(inner, "stdio", run_stdio, group="serve", json=False)
    stdio.add_argument("--client", metavar=t("cli.name"), default=STDIO_CLIENT, help=t("cli.help_serve_client"))
    stdio.add_argument("--read-only", action="store_true", help=t("cli.help_serve_read_only"))
    http = add_command(inner, "http", run_http, group="serve")
    http.add_argument("--port", type=int, metavar="N", default=DEFAULT_PORT, help=t("cli.help_serve_port"))
    allow = add_command(inner, "allow", run_allow, group="serve")
    allow.add_argument("name", metavar=t("cli.name"), help=t("cli.help_serve_name"))
    allow.add_argument("--read-only", action="store_true", help=t("cli.help_serve_read_only"))
    revoke = add_command(inner, "revoke", run_revoke, group="serve")
    revoke.add_argument("name", metavar=t("cli.name"), help=t("cli.help_serve_name"))
    add_command(inner, "clients", run_clients, group="serve")


async def run_stdio(invocation: Invocation) -> int:
    """Serve MCP over standard input and output to the program that started this one."""
    from desk_assistant.server.clients import Client, check_name

    options = invocation.options
    client = Client(check_name(options.client), writes=not options.read_only)
    running_side = _running()
    async with assistant(invocation.locations, index=True) as running:
        await running_side.over_stdio(running, client)
    return 0


async def run_http(invocation: Invocation) -> int:
    """Serve HTTP and MCP on the loopback interface until Ctrl+C."""
    options, console = invocation.options, invocation.console
    if not 0 <= options.port <= 65535:
        raise InputError("cli.bad_port", port=options.port)
    running_side = _running()
    clients = _clients(invocation)

    def listening(port: int) -> None:
        if options.json:
            console.record({"host": running_side.HOST, "port": port, "profile": invocation.locations.profile})
        console.note(t("server.listening", profile=invocation.locations.profile, host=running_side.HOST, port=port))
        if not clients.all():
            console.note(t("server.nobody_allowed"), "yellow")
        console.flush()

    async with assistant(invocation.locations, index=True) as running:
        await started(running, console, "index")
        await running_side.over_http(running, options.port, listening)
    return 0


def run_allow(invocation: Invocation) -> int:
    """Let a program in and print its token."""
    options, console = invocation.options, invocation.console
    invocation.locations.ensure()
    clients = _clients(invocation)
    token = clients.allow(options.name, writes=not options.read_only)
    if options.json:
        console.record({"name": options.name, "writes": not options.read_only, "token": token})
        return 0
    right = t("server.right_read" if options.read_only else "server.right_write")
    console.note(t("server.allowed", name=options.name, right=right, path=clients.path))
    console.line(token)
    return 0


def run_revoke(invocation: Invocation) -> int:
    """Shut a program out."""
    name = invocation.options.name
    _clients(invocation).revoke(name)
    invocation.tell({"name": name, "revoked": True}, t("server.revoked", name=name))
    return 0


def run_clients(invocation: Invocation) -> int:
    """List the programs that may come in, without their tokens."""
    console = invocation.console
    known = _clients(invocation).all()
    for client in known:
        if invocation.options.json:
            console.record({"name": client.name, "writes": client.writes})
        else:
            right = t("server.right_write" if client.writes else "server.right_read")
            console.line(t("server.client_line", name=client.name, right=right))
    if not known:
        console.note(t("server.nobody_allowed"))
    return 0


def _clients(invocation: Invocation) -> Clients:
    from desk_assistant.server.clients import Clients

    return Clients(invocation.locations.home)


def _running() -> ModuleType:
    """Return the service.

    Raises:
        InputError: The libraries of the extra are not installed.
    """
    from desk_assistant.workers.launch import QUIET

    os.environ.update(QUIET)  # here the libraries run in this very process
    try:
        from desk_assistant.server import running
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "desk_assistant":
            raise
        raise InputError("server.not_installed", cause=str(error)) from error
    return running
