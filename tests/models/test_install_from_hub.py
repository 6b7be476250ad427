from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from desk_assistant.errors import ModelError
from desk_assistant.models import CatalogueEntry, HubSource, Installer, ModelStore, Progress
from desk_assistant.models.fetch_hub import ATTEMPTS, HubFetcher
from tests.models.gguf_builder import Plan, TensorPlan

CONTENT = Plan(tensors=[TensorPlan(shape=(64, 1024), size=64 * 1024 * 4)]).bytes()
OTHER = CONTENT[:-1] + b"!"
DIGEST = hashlib.sha256(CONTENT).hexdigest()

Stores = Callable[..., ModelStore]


@dataclass
class Hub:
    """What the stub server does next."""

    content: bytes = CONTENT
    status: int = 200
    breaks: list[int] = field(default_factory=list)
    ranges: bool = True
    redirect_to: str | None = None
    linked: bool = True
    requests: list[str | None] = field(default_factory=list)
    address: str = ""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub on this machine: a redirect to a store of blobs, byte ranges, and breaks on demand."""
    state = Hub()
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if state.status != 200:
                self.send_error(state.status)
            elif self.path == "/owner/model/resolve/main/model.gguf":
                self.send_response(302)
                self.send_header("Location", state.redirect_to or f"{state.address}/blob")
                if state.linked:
                    self.send_header("X-Linked-Size", str(len(state.content)))
                    self.send_header("X-Linked-Etag", f'"{hashlib.sha256(state.content).hexdigest()}"')
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self._blob()

        def _blob(self) -> None:
            asked = self.headers.get("Range")
            state.requests.append(asked)
            start = int(re.sub(r"\D", "", asked)) if asked and state.ranges else 0
            if start >= len(state.content):
                self.send_error(416)
                return
            body = state.content[start:]
            self.send_response(206 if asked and state.ranges else 200)
            if asked and state.ranges:
                self.send_header("Content-Range", f"bytes {start}-{len(state.content) - 1}/{len(state.content)}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: state.breaks.pop(0)] if state.breaks else body)
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield state
    server.shutdown()
    thread.join()
    server.server_close()


def known(**fields: Any) -> CatalogueEntry:
    values = {
        "id": "big",
        "name": "Big",
        "kind": "llm",
        "licence": "MIT",
        "source": HubSource("owner/model", "model.gguf"),
    }
    return CatalogueEntry(**{**values, **fields})


def installer(hub: Hub, store: ModelStore) -> Installer:
    return Installer(store, hub=HubFetcher(hub.address, pause=lambda _seconds: None, timeout=10))


def test_a_model_is_fetched_checked_and_pinned(hub: Hub, make_store: Stores) -> None:
    model = installer(hub, make_store(known())).install("big")
    assert model.path.read_bytes() == CONTENT
    assert model.manifest.source_sha256 == DIGEST
    assert model.entry is not None


def test_a_broken_download_goes_on_where_it_stopped(hub: Hub, make_store: Stores) -> None:
    hub.breaks = [100_000, 50_000]
    model = installer(hub, make_store(known(sha256=DIGEST, size=len(CONTENT)))).install("big")
    assert model.path.read_bytes() == CONTENT
    assert hub.requests == [None, "bytes=100000-", "bytes=150000-"]


def test_a_later_attempt_goes_on_where_an_earlier_one_gave_up(hub: Hub, make_store: Stores) -> None:
    hub.breaks = [100_000] + [0] * (ATTEMPTS - 1)
    store = make_store(known())
    with pytest.raises(ModelError) as caught:
        installer(hub, store).install("big")
    assert caught.value.key == "models.hub_failed"
    assert not store.has("big")
    hub.requests.clear()
    assert installer(hub, store).install("big").path.read_bytes() == CONTENT
    assert hub.requests == ["bytes=100000-"]


def test_a_server_without_ranges_starts_again(hub: Hub, make_store: Stores) -> None:
    hub.ranges, hub.breaks = False, [100_000]
    assert installer(hub, make_store(known())).install("big").path.read_bytes() == CONTENT


def test_a_file_that_changed_in_between_is_not_spliced(hub: Hub, make_store: Stores) -> None:
    hub.breaks = [100_000] + [0] * (ATTEMPTS - 1)
    store = make_store(known())
    with pytest.raises(ModelError):
        installer(hub, store).install("big")
    hub.content = OTHER
    assert installer(hub, store).install("big").path.read_bytes() == OTHER


def test_the_checksum_of_the_catalogue_counts(hub: Hub, make_store: Stores) -> None:
    hub.content = OTHER
    store = make_store(known(sha256=DIGEST))
    with pytest.raises(ModelError) as caught:
        installer(hub, store).install("big")
    assert caught.value.key == "models.wrong_download"
    hub.content = CONTENT
    assert installer(hub, store).install("big").path.read_bytes() == CONTENT


def test_the_checksum_that_the_hub_declares_counts(
    hub: Hub, make_store: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.breaks = [100_000, 0]
    store = make_store(known())

    def damage(_seconds: float) -> None:
        for part in store.install_to.glob(".partial/big/hub.part"):
            part.write_bytes(b"?" + part.read_bytes()[1:])

    with pytest.raises(ModelError) as caught:
        Installer(store, hub=HubFetcher(hub.address, pause=damage)).install("big")
    assert caught.value.key == "models.wrong_download"


def test_another_size_than_the_catalogue_says_is_refused_before_the_first_byte(hub: Hub, make_store: Stores) -> None:
    with pytest.raises(ModelError) as caught:
        installer(hub, make_store(known(size=len(CONTENT) + 1))).install("big")
    assert caught.value.key == "models.wrong_size"


def test_a_file_that_is_no_model_is_refused(hub: Hub, make_store: Stores) -> None:
    hub.content = b"<html>sign in</html>"
    store = make_store(known())
    with pytest.raises(ModelError) as caught:
        installer(hub, store).install("big")
    assert caught.value.key == "models.not_gguf"
    assert not store.has("big")


@pytest.mark.parametrize(
    ("status", "key"), [(404, "models.not_on_hub"), (403, "models.not_on_hub"), (503, "models.hub_failed")]
)
def test_a_refusal_is_a_sentence(hub: Hub, make_store: Stores, status: int, key: str) -> None:
    hub.status = status
    with pytest.raises(ModelError) as caught:
        installer(hub, make_store(known())).install("big")
    assert caught.value.key == key


def test_a_redirect_to_an_open_connection_is_not_followed(hub: Hub, make_store: Stores) -> None:
    hub.redirect_to = "http://models.invalid/blob"
    with pytest.raises(ModelError) as caught:
        installer(hub, make_store(known())).install("big")
    assert caught.value.key == "models.not_https"


def test_the_hub_itself_must_be_https(make_store: Stores) -> None:
    with pytest.raises(ModelError) as caught:
        Installer(make_store(known()), hub=HubFetcher("http://models.invalid")).install("big")
    assert caught.value.key == "models.not_https"


def test_a_mirror_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.invalid/")
    assert HubSource("a/b", "c d.gguf").url() == "https://mirror.invalid/a/b/resolve/main/c%20d.gguf"


def test_the_part_file_is_gone_after_success(hub: Hub, make_store: Stores, tmp_path: Path) -> None:
    installer(hub, make_store(known())).install("big")
    assert list((tmp_path / "models").rglob("*.part")) == []


def test_a_complete_download_is_not_fetched_again(hub: Hub, make_store: Stores) -> None:
    store = make_store(known())

    class StopError(Exception):
        pass

    def stop_at_check(progress: Progress) -> None:
        if progress.stage == "check":
            raise StopError

    with pytest.raises(StopError):
        installer(hub, store).install("big", stop_at_check)
    hub.requests.clear()
    assert installer(hub, store).install("big").path.read_bytes() == CONTENT
    assert hub.requests == [f"bytes={len(CONTENT)}-"]
