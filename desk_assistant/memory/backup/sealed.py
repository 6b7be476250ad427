"""A file locked with a passphrase, written and read as a stream.

The key comes from the passphrase by scrypt. The content goes through AES-256-GCM in chunks, each under a number of its
own and the last one marked, so that chunks can be neither changed, exchanged, dropped nor cut off unnoticed (the STREAM
construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015). `cryptography` does both; it is loaded only here.
"""

from __future__ import annotations

import io
import os
import struct
from typing import BinaryIO, Final

from desk_assistant.errors import InputError, StorageError

MAGIC: Final = b"DESKLCK1"
CHUNK: Final = 1 << 16
TAG: Final = 16
SALT: Final = 16
PREFIX: Final = 7
COST_LOG2: Final = 15
"""scrypt's N as a power of two: 32 MB and about a tenth of a second for each guess."""

MOST_COST_LOG2: Final = 18
"""More is not read: a file from elsewhere must not be able to ask for all of the memory."""

BLOCK_SIZE: Final = 8
HEADER: Final = struct.Struct(f"<8sB{SALT}s{PREFIX}s")


class SealingWriter(io.RawIOBase):
    """Locks what is written to it. Closing it writes the last chunk; the file below stays open.

    Args:
        file: Where the locked bytes go.
        passphrase: What opens it again; it is stored nowhere.
    """

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        super().__init__()
        salt, self._prefix = os.urandom(SALT), os.urandom(PREFIX)
        self._header = HEADER.pack(MAGIC, COST_LOG2, salt, self._prefix)
        self._cipher = _cipher(passphrase, salt, COST_LOG2)
        self._file = file
        self._waiting = bytearray()
        self._number = 0
        file.write(self._header)

    def writable(self) -> bool:
        """A stream to write to."""
        return True

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override]
        """Take bytes; a chunk is written once more has come than it holds, as the last one is marked."""
        piece = bytes(data)
        self._waiting += piece
        while len(self._waiting) > CHUNK:
            self._put(bytes(self._waiting[:CHUNK]), last=False)
            del self._waiting[:CHUNK]
        return len(piece)

    def close(self) -> None:
        """Write the last chunk."""
        if not self.closed:
            self._put(bytes(self._waiting), last=True)
            self._waiting.clear()
        super().close()

    def _put(self, chunk: bytes, *, last: bool) -> None:
        nonce = _nonce(self._prefix, self._number, last=last)
        self._file.write(self._cipher.encrypt(nonce, chunk, self._header))
        self._number += 1


def is_sealed(beginning: bytes) -> bool:
    """Tell from its first bytes whether a file is locked."""
    return beginning.startswith(MAGIC)


def unseal(file: BinaryIO, passphrase: str, target: BinaryIO, name: object) -> None:
    """Open a locked file into another one.

    Args:
        file: The locked file, at its beginning.
        passphrase: What it was locked with.
        target: Where the content goes. It must not be used when this raises.
        name: What to call the file in a sentence.

    Raises:
        InputError: The passphrase is another one.
        StorageError: The file was changed or cut off.
    """
    from cryptography.exceptions import InvalidTag

    header = file.read(HEADER.size)
    if len(header) < HEADER.size or not is_sealed(header):
        raise StorageError("backup.damaged", path=name, cause="header")
    _, cost, salt, prefix = HEADER.unpack(header)
    if not 1 <= cost <= MOST_COST_LOG2:
        raise StorageError("backup.damaged", path=name, cause="cost")
    cipher = _cipher(passphrase, salt, cost)
    number, chunk = 0, file.read(CHUNK + TAG)
    while True:
        following = file.read(CHUNK + TAG)
        try:
            target.write(cipher.decrypt(_nonce(prefix, number, last=not following), chunk, header))
        except InvalidTag as error:
            # Nothing tells a wrong passphrase from a change in the first chunk; the passphrase is likelier.
            if number == 0:
                raise InputError("backup.wrong_passphrase", path=name) from error
            raise StorageError("backup.damaged", path=name, cause="tag") from error
        if not following:
            return
        number, chunk = number + 1, following


class _Aead:
    """AES-256-GCM with one key."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._aead = AESGCM(key)

    def encrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
        """Lock one chunk."""
        return self._aead.encrypt(nonce, data, header)

    def decrypt(self, nonce: bytes, data: bytes, header: bytes) -> bytes:
        """Open one chunk."""
        return self._aead.decrypt(nonce, data, header)


def _cipher(passphrase: str, salt: bytes, cost: int) -> _Aead:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return _Aead(Scrypt(salt=salt, length=32, n=1 << cost, r=BLOCK_SIZE, p=1).derive(passphrase.encode("utf-8")))


def _nonce(prefix: bytes, number: int, *, last: bool) -> bytes:
    return prefix + number.to_bytes(4, "big") + bytes([last])
