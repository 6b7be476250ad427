"""What the installed program offers beside the app: a backup that comes back, and the memory for other programs."""

from __future__ import annotations

import json
import select
import subprocess
import time
from typing import Any, Final

from tried.bare import PATIENCE, BareSystem, User
from tried.checks import Checks

COMMAND: Final = "desk-assistant"
PROTOCOL: Final = "2025-06-18"


def tell(checks: Checks, system: BareSystem, user: User) -> None:
    """Tell the story of backup and server.

    Args:
        checks: Where what held is noted.
        system: A system that the program is installed in, with a starter model.
        user: Whose memory it is.
    """
    checks.ran("something is told", system.run(user, COMMAND, "memory", "add", "I live in Turku."))
    file = f"{user.home}/kept.backup"
    checks.ran("the profile is written into one file", system.run(user, COMMAND, "backup", file))
    checks.ran("which is whole", system.run(user, COMMAND, "restore", "--check", file))
    elsewhere = ("--data-dir", f"{user.home}/elsewhere")
    checks.ran("and comes back in another place", system.run(user, COMMAND, "restore", "--yes", *elsewhere, file))
    checks.ran("with what was told", system.run(user, COMMAND, "memory", "list", *elsewhere), says="Turku")

    other = _Client(system.command(user, [COMMAND, "serve", "stdio"]))
    try:
        hello = other.ask(
            "initialize",
            {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": {"name": "other", "version": "1"}},
        )
        checks.that("another program is let in over MCP", "serverInfo" in hello, str(hello))
        other.tell("notifications/initialized")
        tools = [tool["name"] for tool in other.ask("tools/list", {}).get("tools", [])]
        checks.that(
            "and offered the memory", {"memory_recall", "memory_add", "memory_forget"} <= set(tools), str(tools)
        )
        found = other.ask("tools/call", {"name": "memory_search", "arguments": {"words": "Turku"}})
        checks.that("and finds what was told", "Turku" in json.dumps(found), str(found))
    finally:
        checks.that("the server ends with its client", other.close() == 0)


class _Client:
    """The other end of MCP over standard input and output, one JSON object a line.

    Args:
        command: Command line of the server.
    """

    def __init__(self, command: list[str]) -> None:
        self._server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        self._asked = 0
        self._read = b""

    def ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its result; empty when none came in time or it was an error."""
        self._asked += 1
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": parameters})
        ends = time.monotonic() + PATIENCE
        while (line := self._line(ends)) is not None:
            message = json.loads(line)
            if message.get("id") == self._asked:
                result: dict[str, Any] = message.get("result", {})
                return result
        return {}

    def tell(self, method: str) -> None:
        """Send a notification."""
        self._send({"jsonrpc": "2.0", "method": method})

    def close(self) -> int:
        """End the server by closing its input; return its exit code, -9 when it had to be killed."""
        assert self._server.stdin is not None
        self._server.stdin.close()
        try:
            return self._server.wait(30)
        except subprocess.TimeoutExpired:
            self._server.kill()
            return self._server.wait()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps(message).encode() + b"\n")

    def _line(self, ends: float) -> bytes | None:
        assert self._server.stdout is not None
        while b"\n" not in self._read:
            if not select.select([self._server.stdout], [], [], max(0.0, ends - time.monotonic()))[0]:
                return None
            chunk = self._server.stdout.read(1 << 16)
            if not chunk:
                return None
            self._read += chunk
        line, _, self._read = self._read.partition(b"\n")
        return line
