"""Which programs may use the memory: their names, tokens and rights, in a file that only the owner can read."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desk_assistant import atomic
from desk_assistant.errors import InputError, NotFoundError, StorageError

FILE_NAME: Final = "clients.toml"
TOKEN_BYTES: Final = 32
NAME: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")


@dataclass(frozen=True)
class Client:
    """One program that may use the memory.

    Attributes:
        name: Its name in the trail and at the source of what it wrote.
        writes: Whether it may add, correct and forget; reading it may in any case.
    """

    name: str
    writes: bool


class Clients:
    """The list of clients of one profile.

    The file is read again whenever it has changed, so that a token that was taken back ends at once.

    Args:
        home: Folder of the profile.
    """

    def __init__(self, home: Path) -> None:
        self.path = home / FILE_NAME
        self._seen: tuple[int, int] | None = None
        self._known: dict[str, Client] = {}

    def all(self) -> list[Client]:
        """Return the clients by name.

        Raises:
            StorageError: The file cannot be read.
            InputError: It has been changed by hand into something else.
        """
        return sorted(self._load().values(), key=lambda client: client.name)

    def of_token(self, token: str) -> Client | None:
        """Return the client that a token belongs to; every known token is compared, in constant time."""
        wanted = _digest(token)
        found = None
        for digest, client in self._load().items():
            if hmac.compare_digest(digest, wanted):
                found = client
        return found

    def allow(self, name: str, *, writes: bool) -> str:
        """Let a program in, or give one that is in a new token and other rights; return its token.

        Raises:
            InputError: The name cannot be used.
            StorageError: The file cannot be written.
        """
        check_name(name)
        entries = self._entries()
        token = secrets.token_urlsafe(TOKEN_BYTES)
        entries[name] = {"token": token, "writes": writes}
        self._write(entries)
        return token

    def revoke(self, name: str) -> None:
        """Shut a program out.

        Raises:
            NotFoundError: There is none of that name.
            StorageError: The file cannot be written.
        """
        entries = self._entries()
        if name not in entries:
            raise NotFoundError("server.no_client", name=name)
        del entries[name]
        self._write(entries)

    def _load(self) -> dict[str, Client]:
        """Return the clients by the digest of their token."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            self._seen, self._known = None, {}
            return self._known
        stamp = (status.st_mtime_ns, status.st_ino)
        if stamp != self._seen:
            self._known = {
                _digest(str(entry["token"])): Client(name, bool(entry.get("writes")))
                for name, entry in self._entries().items()
            }
            self._seen = stamp
        return self._known

    def _entries(self) -> dict[str, dict[str, object]]:
        try:
            data = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError("server.clients_unreadable", path=self.path, reason=error.strerror or error) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError("server.clients_broken", path=self.path) from error
        return {
            name: dict(entry)
            for name, entry in data.items()
            if NAME.match(name) and isinstance(entry, dict) and isinstance(entry.get("token"), str) and entry["token"]
        }

    def _write(self, entries: Mapping[str, Mapping[str, object]]) -> None:
        lines: list[str] = []
        for name, entry in sorted(entries.items()):
            lines += [f"[{_quoted(name)}]", f"token = {_quoted(str(entry['token']))}"]
            lines += [f"writes = {'true' if entry['writes'] else 'false'}", ""]
        try:
            atomic.write_text(self.path, "\n".join(lines))
        except OSError as error:
            raise StorageError("server.clients_unwritable", path=self.path, reason=error.strerror or error) from error


def check_name(name: str) -> str:
    """Return a client's name.

    Raises:
        InputError: It has other characters than letters, digits, dots, dashes and underscores, or is too long.
    """
    if not NAME.match(name):
        raise InputError("server.bad_client_name", name=name[:60])
    return name


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _quoted(text: str) -> str:
    return f'"{text}"'  # names and tokens have no character that TOML would read otherwise
