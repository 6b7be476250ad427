"""The HTTP face: who gets in, how much is taken, and that nothing ends the service."""

from __future__ import annotations

import asyncio
import stat
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.errors import InputError
from desk_assistant.server.clients import FILE_NAME, Clients
from desk_assistant.server.limits import MAX_BODY, READS, Limiter, Rate
from desk_assistant.server.running import over_http
from tests.server.conftest import Service


async def test_add_recall_correct_and_forget(service: Service) -> None:
    added = (await service.post("add", {"text": "我在学大提琴。"})).json()
    recalled = (await service.post("recall", {"query": "大提琴"}, service.reader)).json()
    fact = added["facts"][0]["id"]
    corrected = (await service.post("correct", {"id": fact, "text": "我在学中提琴。"})).json()
    erased = (await service.post("forget", {"ids": [fact]})).json()
    listed = (await service.post("list", {"status": "all"})).json()

    assert "大提琴" in recalled["context"]
    assert "中提琴" in corrected["fact"]["text"]
    assert (erased["verified"], erased["leftovers"]) == (True, [])
    assert listed == {"facts": [], "total": 0}


async def test_each_refusal_has_its_status_and_a_word_for_programs(service: Service) -> None:
    async with service.http(service.writer) as client:
        answers = [
            await client.post("/v1/add", content=b"{not json"),
            await client.post("/v1/add", json={"text": ""}),
            await client.post("/v1/nothing", json={}),
            await client.post("/v1/correct", json={"id": "f_none", "text": "x"}),
            await client.get("/v1/add"),
            await client.get("/elsewhere"),
        ]
    read_only = await service.post("add", {"text": "I sail."}, service.reader)

    assert [(a.status_code, a.json()["error"]) for a in (*answers, read_only)] == [
        (422, "server.not_json"),
        (422, "server.bad_input"),
        (404, "server.no_operation"),
        (404, "store.no_record"),
        (405, "server.not_so"),
        (404, "server.nowhere"),
        (403, "server.read_only"),
    ]


@pytest.mark.parametrize("token", [None, "", "wrong", "Bearer", "x" * 5000])
async def test_nobody_gets_in_without_the_token(service: Service, token: str | None) -> None:
    async with service.http(token) as client:
        answers = [await client.post("/v1/list", json={}), await client.get("/openapi.json")]

    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].headers["www-authenticate"] == "Bearer"


async def test_guessing_tokens_is_slow(service: Service) -> None:
    async with service.http("wrong") as client:
        codes = Counter([(await client.post("/v1/list", json={})).status_code for _ in range(60)])

    assert codes[401] < 30
    assert codes[429] > 30


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Origin", "https://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "http://localhost:1", 403),
        ("Host", "evil.example", 421),
        ("Host", "127.0.0.1.evil.example", 421),
    ],
)
@pytest.mark.parametrize("path", ["/v1/list", "/mcp"])
async def test_a_web_page_gets_nothing_even_with_the_token(
    service: Service, header: str, value: str, status: int, path: str
) -> None:
    async with service.http(service.writer, **{header: value}) as client:
        answer = await client.post(path, json={})

    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers


async def chunks(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 65_536):
        yield b" " * 65_536


@pytest.mark.parametrize("path", ["/v1/add", "/mcp"])
async def test_ten_megabytes_are_not_read(service: Service, path: str) -> None:
    size = 10 << 20
    statuses: list[int | str] = []
    async with service.http(service.writer) as client:
        for content in (b" " * size, chunks(size)):
            try:
                statuses.append((await client.post(path, content=content)).status_code)
            except OSError as error:  # the answer came before the body was sent, and the connection was closed
                statuses.append(type(error).__name__)
            except Exception as error:  # noqa: BLE001 - how the client calls a closed connection is its own affair
                statuses.append(type(error).__name__)
    alive = await service.post("list", {})

    assert 413 in statuses
    assert 200 not in statuses
    assert alive.status_code == 200
    assert size > MAX_BODY


async def test_a_thousand_quick_calls_are_served_or_told_to_wait(service: Service) -> None:
    async with service.http(service.writer) as client:

        async def some(count: int) -> list[int]:
            return [(await client.post("/v1/list", json={"limit": 1})).status_code for _ in range(count)]

        codes = Counter([code for part in await asyncio.gather(*(some(50) for _ in range(20))) for code in part])
        refused = await client.post("/v1/list", json={"limit": 1})

    assert sum(codes.values()) == 1000
    assert set(codes) <= {200, 429}
    assert codes[200] >= READS.burst
    assert refused.status_code in (200, 429)
    assert refused.status_code == 200 or int(refused.headers["retry-after"]) >= 1
    assert (await service.post("list", {}, service.reader)).status_code == 200


async def test_the_description_names_every_operation_with_its_input(service: Service) -> None:
    async with service.http(service.reader) as client:
        document = (await client.get("/openapi.json")).json()

    assert document["openapi"] == "3.1.0"
    assert set(document["paths"]) == {f"/v1/{n}" for n in ("recall", "search", "list", "add", "correct", "forget")}
    schema = document["paths"]["/v1/add"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["text"]


async def test_a_token_that_was_taken_back_ends_at_once_and_only_its_owner_can_read_the_file(
    service: Service, assistant: Assistant
) -> None:
    clients = Clients(assistant.locations.home)
    before = await service.post("list", {}, service.reader)
    clients.revoke("viewer")
    after = await service.post("list", {}, service.reader)

    assert (before.status_code, after.status_code) == (200, 401)
    assert stat.S_IMODE((assistant.locations.home / FILE_NAME).stat().st_mode) == 0o600
    assert [client.name for client in clients.all()] == ["editor"]


async def test_the_trail_names_the_client(service: Service, assistant: Assistant) -> None:
    added = (await service.post("add", {"text": "I sail."})).json()["facts"][0]["id"]
    await service.post("search", {"words": "sail"}, service.reader)
    trail = {(entry.actor, entry.action, entry.record_id) for entry in await assistant.audit()}

    assert {("client:editor", "written", added), ("client:viewer", "searched", added)} <= trail


async def test_the_app_beside_the_service_sees_what_changes(service: Service, assistant: Assistant) -> None:
    from tests.scripted import ScriptedLlm, WordIndex

    beside = Assistant.open(assistant.locations, llm=ScriptedLlm(), index=WordIndex())
    await beside.start(llm=False)
    changed = asyncio.Event()
    beside.memory.on_change(changed.set)
    try:
        added = (await service.post("add", {"text": "I sail."})).json()["facts"][0]["id"]
        async with asyncio.timeout(10):
            await changed.wait()
        seen = [fact.id for fact in await beside.memory.facts()]
    finally:
        await beside.close()

    assert seen == [added]


async def test_a_port_that_is_taken_is_said(service: Service, assistant: Assistant) -> None:
    with pytest.raises(InputError, match="cannot be used"):
        await over_http(assistant, service.port, lambda _port: None)


def test_a_bucket_fills_up_again_and_each_client_has_its_own() -> None:
    now = [0.0]
    limiter, rate = Limiter(lambda: now[0]), Rate(burst=2, per_second=1)
    first = [limiter.wait("a", rate) for _ in range(3)]
    other = limiter.wait("b", rate)
    now[0] += 1.5

    assert first == [0, 0, 1]
    assert other == 0
    assert limiter.wait("a", rate) == 0
    assert limiter.wait("a", rate) == 0.5
