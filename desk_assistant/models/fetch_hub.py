"""Fetches a model file from a model hub over https: resumed after a break, checked by size and checksum."""

from __future__ import annotations

import http.client
import json
import logging
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import asdict, dataclass
from email.message import Message
from pathlib import Path
from typing import IO, Final
from urllib.parse import urlsplit

from desk_assistant import __version__
from desk_assistant.errors import ModelError
from desk_assistant.models.catalogue import CatalogueEntry, HubSource
from desk_assistant.models.manifest import CHUNK
from desk_assistant.models.progress import Progress, ProgressCallback

log = logging.getLogger(__name__)

ATTEMPTS: Final = 6
TIMEOUT_SECONDS: Final = 30.0
LONGEST_PAUSE: Final = 20.0
LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
PERMANENT: Final = frozenset({401, 403, 404, 410, 451})
_SHA256: Final = re.compile(r"^[0-9a-f]{64}$")


@dataclass(frozen=True)
class Declared:
    """What the server says about a file.

    Attributes:
        size: Bytes of the whole file, or None.
        sha256: Checksum, where the hub gives one, or None.
        etag: Tag that changes with the contents, "" when there is none.
    """

    size: int | None
    sha256: str | None
    etag: str


@dataclass(frozen=True)
class Fetched:
    """A finished download.

    Attributes:
        path: The file, complete by size, not yet checked by checksum.
        declared: What the server said about it.
    """

    path: Path
    declared: Declared


class HubFetcher:
    """Downloads single files from a hub.

    Args:
        endpoint: Base address of the hub; None for `HF_ENDPOINT` or the public hub.
        pause: Waits a number of seconds between attempts.
        timeout: Seconds without a byte after which an attempt ends.
    """

    def __init__(
        self,
        endpoint: str | None = None,
        pause: Callable[[float], None] = time.sleep,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        self._endpoint = endpoint
        self._pause = pause
        self._timeout = timeout

    def fetch(self, entry: CatalogueEntry, source: HubSource, work: Path, progress: ProgressCallback) -> Fetched:
        """Download the file of an entry, going on where an earlier attempt stopped.

        A connection that breaks is taken up again up to six times without progress; every byte gained starts the
        count anew. If the file on the server changed in between, it is fetched from the start.

        Raises:
            ModelError: The address is not https, the file is not there, is of the wrong size, or the network failed;
                what was fetched is kept for the next attempt.
            OSError: The disk is full or not writable.
        """
        url = source.url(self._endpoint)
        target, note = work / "hub.part", work / "hub.part.json"
        opener = _opener()
        failures, cause = 0, ""
        while failures < ATTEMPTS:
            before = target.stat().st_size if target.exists() else 0
            try:
                declared = self._attempt(opener, url, entry, target, note, progress)
            except urllib.error.HTTPError as error:
                cause = f"HTTP {error.code}"
                if error.code in PERMANENT:
                    raise ModelError("models.not_on_hub", model=entry.id, url=url, cause=cause) from error
            except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
                cause = repr(error)
            else:
                if declared is not None:
                    return Fetched(target, declared)
                cause = "the connection ended early"
            gained = target.exists() and target.stat().st_size > before
            failures = 1 if gained else failures + 1
            log.info("download of %s interrupted: %s", entry.id, cause)
            if failures < ATTEMPTS:
                self._pause(min(LONGEST_PAUSE, 2.0 ** (failures - 1)))
        kept = target.stat().st_size if target.exists() else 0
        raise ModelError("models.hub_failed", model=entry.id, kept=f"{kept / 1e6:,.0f}", url=url, cause=cause)

    def _attempt(
        self,
        opener: _Opener,
        url: str,
        entry: CatalogueEntry,
        target: Path,
        note: Path,
        progress: ProgressCallback,
    ) -> Declared | None:
        """Make one request and append what it brings; None when it ended before the file was complete."""
        earlier = _earlier(note)
        have = target.stat().st_size if target.exists() and earlier is not None else 0
        request = urllib.request.Request(_checked(url), headers={"User-Agent": f"desk-assistant/{__version__}"})
        # Compressed transfer would make byte ranges meaningless.
        request.add_header("Accept-Encoding", "identity")
        if have:
            request.add_header("Range", f"bytes={have}-")
        redirects = opener.redirects
        redirects.clear()
        try:
            response = opener.open(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            if error.code != 416:
                raise
            # Nothing is left to send from there, or the file became shorter: the note tells which.
            if earlier is not None and earlier.size == have:
                return earlier
            note.unlink(missing_ok=True)
            return None
        with response:
            declared, start = _declared(response, redirects)
            if declared.size is not None and entry.size is not None and declared.size != entry.size:
                raise ModelError("models.wrong_size", model=entry.id, have=declared.size, need=entry.size)
            if start != have or (have and earlier is not None and _differs(earlier, declared)):
                if start:
                    note.unlink(missing_ok=True)
                    return None
                have = 0
            note.write_text(json.dumps(asdict(declared)), encoding="utf-8")
            total = declared.size or entry.download_size
            with target.open("r+b" if have else "wb") as out:
                out.seek(have)
                out.truncate()
                while chunk := response.read(CHUNK):
                    out.write(chunk)
                    have += len(chunk)
                    progress(Progress("fetch", entry.id, have, total, urlsplit(url).hostname or ""))
        return declared if declared.size is None or have == declared.size else None


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to https only, and keeps the headers of each: the hub describes the file on the first."""

    def __init__(self) -> None:
        self.seen: list[Message] = []

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        """Build the next request, with the range of the first one."""
        self.seen.append(headers)
        return super().redirect_request(req, fp, code, msg, headers, _checked(newurl))


class _Opener(urllib.request.OpenerDirector):
    """An opener that remembers the redirects of its last request."""

    redirects: list[Message]


def _opener() -> _Opener:
    """Build an opener with the system's proxies; anything but http and https is not even spoken."""
    redirects = _Redirects()
    opener = _Opener()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        redirects,
    ):
        opener.add_handler(handler)
    opener.redirects = redirects.seen
    return opener


def _checked(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        raise ModelError("models.not_https", url=f"{parts.scheme}://{parts.hostname}")
    return url


def _declared(response: http.client.HTTPResponse, redirects: list[Message]) -> tuple[Declared, int]:
    """Return what the server declares, and the position of the first byte that it sends."""
    start, size = 0, None
    if response.status == 206:
        found = re.match(r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", ""))
        if found:
            start = int(found.group(1))
            size = int(found.group(2)) if found.group(2) != "*" else None
    else:
        length = response.headers.get("Content-Length", "")
        size = int(length) if length.isdigit() else None
    linked_size = next((h["X-Linked-Size"] for h in redirects if h.get("X-Linked-Size", "").isdigit()), None)
    tags = [h[name].strip('W/"') for h in redirects for name in ("X-Linked-Etag",) if h.get(name)]
    tags += [tag.strip('W/"') for tag in (response.headers.get("X-Linked-Etag"), response.headers.get("ETag")) if tag]
    digest = next((tag for tag in tags if _SHA256.match(tag)), None)
    return Declared(size or (int(linked_size) if linked_size else None), digest, tags[0] if tags else ""), start


def _differs(earlier: Declared, now: Declared) -> bool:
    """Return whether the file on the server is known to be another one than before."""
    return (bool(earlier.etag and now.etag) and earlier.etag != now.etag) or (
        earlier.size is not None and now.size is not None and earlier.size != now.size
    )


def _earlier(note: Path) -> Declared | None:
    try:
        data = json.loads(note.read_text(encoding="utf-8"))
        return Declared(**data)
    except (OSError, ValueError, TypeError) as error:
        log.debug("no note of an earlier download: %r", error)
        return None
