from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.paths import Locations
from desk_assistant.server.clients import Clients
from desk_assistant.server.running import over_http
from tests.scripted import ScriptedLlm, WordIndex


@pytest.fixture
async def assistant(locations: Locations) -> AsyncIterator[Assistant]:
    """A profile with a memory search that finds by words."""
    opened = Assistant.open(locations, llm=ScriptedLlm(), index=WordIndex())
    await opened.start(llm=False)
    while opened.status.index.state == "starting":
        await asyncio.sleep(0)
    yield opened
    await opened.close()


@dataclass(frozen=True)
class Service:
    """The service on a port of this machine, with a client that may write and one that may only read."""

    port: int
    writer: str
    reader: str

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def http(self, token: str | None = None, **headers: str) -> httpx2.AsyncClient:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}".strip()
        return httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=20, trust_env=False)

    async def post(self, name: str, given: Any, token: str | None = None) -> httpx2.Response:
        async with self.http(token if token is not None else self.writer) as client:
            return await client.post(f"/v1/{name}", json=given)


@pytest.fixture
async def service(assistant: Assistant) -> AsyncIterator[Service]:
    clients = Clients(assistant.locations.home)
    writer, reader = clients.allow("editor", writes=True), clients.allow("viewer", writes=False)
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(over_http(assistant, 0, port.set_result))
    async with asyncio.timeout(20):
        found = await port
    yield Service(found, writer, reader)
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
