"""Goes first on the import path of a child under test: cuts it off from every network and notes each try to reach one.

Where the system allows it, the kernel cuts off the whole process, libraries in other languages included; Python's own
sockets are refused everywhere.
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from pathlib import Path
from typing import Any

NEW_NETWORK = 0x40000000
NEW_USER = 0x10000000
NOTES = Path(os.environ["NOTES_OF_REFUSALS"])


def note(line: str) -> None:
    """Add a line for the test to read."""
    with NOTES.open("a", encoding="utf-8") as notes:
        notes.write(line + "\n")


def refuse(*about: Any, **_: Any) -> Any:
    """Refuse a connection or a look-up."""
    note(f"tried {about}")
    raise OSError("there is no network here")


class Refused(socket.socket):
    """A socket that reaches other processes of this machine only through files.

    Making one is no try yet: some libraries do, to see whether the system knows IPv6.
    """

    def connect(self, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            refuse(address)
        super().connect(address)

    def connect_ex(self, address: Any) -> int:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            refuse(address)
        return super().connect_ex(address)

    def sendto(self, *about: Any) -> int:
        return int(refuse(*about[1:]))


def cut_off() -> bool:
    """Give this process a network of its own, with nothing in it."""
    if sys.platform != "linux":
        return False
    system = ctypes.CDLL(None, use_errno=True)
    return bool(system.unshare(NEW_NETWORK) == 0 or system.unshare(NEW_USER | NEW_NETWORK) == 0)


note(f"began {' '.join(sys.argv[1:] or sys.orig_argv[-1:])} {'cut off' if cut_off() else 'refused'}")
socket.socket = Refused  # type: ignore[misc]
socket.getaddrinfo = refuse
