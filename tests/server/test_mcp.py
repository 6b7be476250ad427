"""The memory in an assistant that speaks MCP, through the official client."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client as McpClient
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from desk_assistant.assistant import Assistant
from desk_assistant.server import mcp_face
from desk_assistant.server.calls import Calls
from desk_assistant.server.clients import Client
from desk_assistant.server.limits import Limiter
from desk_assistant.server.operations import Operations
from tests.server.conftest import Service

TOOLS = ["memory_recall", "memory_search", "memory_list", "memory_add", "memory_correct", "memory_forget"]


def serving(assistant: Assistant, *, writes: bool = True) -> Server[Any]:
    client = Client("desk-editor", writes)
    return mcp_face.server(Calls(Operations(assistant), Limiter()), lambda _: client)


async def call(client: McpClient, name: str, **given: Any) -> Any:
    result: Any = await client.call_tool(f"memory_{name}", given)
    return result.content[0].text if result.is_error else result.structured_content


async def test_what_is_added_is_recalled_and_forgotten_for_good(assistant: Assistant) -> None:
    async with McpClient(serving(assistant)) as client:
        added = await call(client, "add", text="I use PostgreSQL 16 for my projects.")
        recalled = await call(client, "recall", query="Which database, PostgreSQL?")
        ids = [fact["id"] for fact in added["facts"]]
        erased = await call(client, "forget", ids=ids)
        after = await call(client, "recall", query="Which database, PostgreSQL?")
        listed = await call(client, "list")

    assert added["searchable"]
    assert "PostgreSQL" in recalled["context"]
    assert {item["id"] for item in recalled["items"]} & set(ids)
    assert erased["verified"]
    assert erased["facts"] == len(ids)
    assert (after["items"], after["context"]) == ([], "")
    assert listed["facts"] == []
    assert {entry.action for entry in await assistant.audit() if entry.actor == "client:desk-editor"} >= {
        *("written", "recalled", "forget-asked", "erased")
    }


async def test_what_a_client_says_is_masked_and_stands_under_its_name(assistant: Assistant) -> None:
    async with McpClient(serving(assistant)) as client:
        added = await call(client, "add", text="My e-mail is jo@example.org and I collect stamps.")
        only = await call(client, "add", text="jo@example.org")

    raw = b"".join(path.read_bytes() for path in assistant.locations.home.rglob("*") if path.is_file())
    source = assistant.store.transcripts.message(added["facts"][0]["source"]["messages"][0])
    assert b"jo@example.org" not in raw
    assert (source.name, source.session_id) == ("desk-editor", "client-desk-editor")
    assert isinstance(only, str) or "[EMAIL]" in only["facts"][0]["text"]


async def test_a_client_cannot_bring_back_what_the_person_forgot(assistant: Assistant) -> None:
    (fact,) = await assistant.memory.add("I collect stamps.")
    await assistant.memory.erase_now(await assistant.memory.forget([fact.id], undo_seconds=0))

    async with McpClient(serving(assistant)) as client:
        refused = await call(client, "add", text="I collect stamps.")

    assert "asked to forget" in refused
    assert await assistant.memory.facts(None) == []


async def test_what_the_person_pinned_is_neither_changed_nor_erased(assistant: Assistant) -> None:
    (fact,) = await assistant.memory.add("I collect stamps.")
    (other,) = await assistant.memory.add("I play the cello.")
    await assistant.memory.pin(fact.id, True)

    async with McpClient(serving(assistant)) as client:
        corrected = await call(client, "correct", id=fact.id, text="I collect coins.")
        erased = await call(client, "forget", ids=[fact.id])
        message = await call(client, "forget", ids=[fact.sources[0].message_id])
        session = await call(client, "forget", ids=[fact.sources[0].session_id])
        changed = await call(client, "correct", id=other.id, text="I play the viola.")

    assert "pinned" in corrected
    assert "pinned" in erased
    assert "pinned" in message
    assert "conversations" in session
    assert changed["fact"]["text"] == "I play the viola."
    assert [f.text for f in await assistant.memory.facts(query="stamps")] == [fact.text]


async def test_a_client_that_may_only_read_is_offered_and_allowed_no_more(assistant: Assistant) -> None:
    async with McpClient(serving(assistant, writes=False)) as client:
        offered = [tool.name for tool in (await client.list_tools()).tools]
        refused = await call(client, "add", text="I collect stamps.")

    assert offered == TOOLS[:3]
    assert "may only read" in refused
    assert await assistant.memory.facts(None) == []


@pytest.mark.parametrize("given", [{}, {"text": ""}, {"text": 5}, {"text": "x", "more": 1}, {"text": "x" * 20_001}])
async def test_input_that_does_not_fit_is_refused_without_repeating_it(
    assistant: Assistant, given: dict[str, Any]
) -> None:
    async with McpClient(serving(assistant)) as client:
        refused = await call(client, "add", **given)
        known = await call(client, "list")

    assert "does not fit" in refused
    assert len(refused) < 200
    assert known["facts"] == []


async def test_nothing_is_added_while_memory_is_paused_or_off(assistant: Assistant) -> None:
    async with McpClient(serving(assistant)) as client:
        assistant.set_memory_mode("paused")
        paused = await call(client, "add", text="I collect stamps.")
        assistant.set_memory_mode("off")
        off = await call(client, "add", text="I collect stamps.")

    assert "paused" in paused
    assert "switched off" in off


@asynccontextmanager
async def over_http(service: Service, token: str) -> AsyncIterator[McpClient]:
    async with (
        service.http(token) as http,
        McpClient(streamable_http_client(f"{service.url}/mcp", http_client=http)) as client,
    ):
        yield client


async def test_the_same_over_http_with_a_token(service: Service) -> None:
    async with over_http(service, service.writer) as client:
        added = await call(client, "add", text="I collect stamps.")
        found = await call(client, "search", words="stamps")
    async with over_http(service, service.reader) as reader:
        offered = [tool.name for tool in (await reader.list_tools()).tools]

    assert found["hits"][0]["id"] == added["facts"][0]["id"]
    assert offered == TOOLS[:3]


async def test_a_client_with_a_wrong_token_does_not_get_in(service: Service) -> None:
    with pytest.raises((MCPError, httpx2.HTTPError, ExceptionGroup)):
        async with over_http(service, "wrong") as client:
            await client.list_tools()


@pytest.mark.timeout(120)
async def test_over_standard_input_and_output_as_an_editor_starts_it(tmp_path: Path) -> None:
    arguments = ["-m", "desk_assistant", "--data-dir", str(tmp_path / "data"), "serve", "stdio", "--client", "kate"]
    started = StdioServerParameters(
        command=sys.executable,
        args=arguments,
        env={**os.environ, "DESK_ASSISTANT_MODELS": str(tmp_path / "none"), "LC_ALL": "C.UTF-8"},
    )
    with (tmp_path / "stderr").open("w") as errors:
        async with McpClient(stdio_client(started, errlog=errors)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            await call(client, "add", text="I collect stamps.")
            recalled = await call(client, "recall", query="What stamps do I collect?")

    assert tools == TOOLS
    assert "stamps" in json.dumps(recalled)
    assert "Traceback" not in (tmp_path / "stderr").read_text()
