from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk_assistant import cli
from desk_assistant.store import Episode, Fact, FactSource, Message, Store
from desk_assistant.store.records import FactStatus
from desk_assistant.workers import WorkerClient

SAID = "I moved to Tromsø in May and I keep bees."
AT = "2026-05-11T09:00:00+02:00"


@pytest.fixture(autouse=True)
def no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(self: WorkerClient) -> None:
        raise AssertionError("this command must not start a child")

    monkeypatch.setattr(WorkerClient, "start", refuse)


@pytest.fixture
def remembered(data: Path) -> Path:
    """A profile in which one message, three facts and an episode are stored."""
    home = data / "profiles" / "default"
    store = Store(home / "assistant.db", home / "backups")
    store.transcripts.create_session("s_one", title="Moving", at=AT)
    store.transcripts.append(Message("m_one", "s_one", "user", SAID, AT, ref="line-1"))
    start = SAID.index("Tromsø")
    source = FactSource("s_one", "m_one", start, start + 6, "Tromsø", 0, 24)
    rows: tuple[tuple[str, str, FactStatus, str], ...] = (
        ("f_city", "Lives in Tromsø", "active", "user"),
        ("f_bees", "Keeps bees", "pending", "user"),
        ("f_old", "Lives in Narvik", "superseded", "user"),
        ("f_lexi", "Likes skiing", "active", "Lexi"),
    )
    for fact_id, text, status, subject in rows:
        store.facts.add(
            Fact(
                fact_id, subject, "lives_in", text.split()[-1], text, "identity", f"key {fact_id}", status=status,
                confidence=0.5 if status == "pending" else 0.9, created_at=AT, last_seen=AT, sources=(source,),
            ),
            actor="test",
        )  # fmt: skip
    store.episodes.put(Episode("e_one", "turn", "s_one", SAID, SAID, AT, messages=("m_one",)))
    store.close()
    return data


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(remembered: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = cli.main(["--data-dir", str(remembered), *arguments])
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_list_gives_active_facts_in_the_shape_scripts_rely_on(run: Run) -> None:
    code, out, _ = run("memory", "list", "--json")

    found = {row["id"]: row for row in rows(out)}
    assert code == 0
    assert set(found) == {"f_city", "f_lexi"}
    assert {
        "id", "subject", "predicate", "object", "text", "status", "confidence", "pinned", "valid_from", "valid_to",
        "support", "source",
    } <= set(found["f_city"])  # fmt: skip
    assert found["f_city"]["subject"] == "user"
    assert found["f_lexi"]["subject"] == "Lexi"
    assert found["f_city"]["source"] == {"session": "s_one", "messages": ["line-1"], "quotes": ["Tromsø"]}


def test_all_lists_every_status_and_pending_only_those(run: Run) -> None:
    assert {row["id"] for row in rows(run("memory", "list", "--all", "--json")[1])} == {
        "f_city", "f_bees", "f_old", "f_lexi",
    }  # fmt: skip
    assert [row["id"] for row in rows(run("memory", "list", "--pending", "--json")[1])] == ["f_bees"]


def test_the_list_for_people_names_whom_it_is_about_and_what_waits(run: Run) -> None:
    _, out, err = run("memory", "list")

    assert "Lives in Tromsø" in out
    assert "Lexi: Likes skiing" in out
    assert "1 more to confirm" in err


def test_show_quotes_the_words_a_fact_came_from(run: Run) -> None:
    _, out, _ = run("memory", "show", "f_city")

    assert "I moved to »Tromsø« in May" in out


def test_show_json_gives_the_span_in_its_message(run: Run) -> None:
    (shape,) = rows(run("memory", "show", "f_city", "--json")[1])

    (source,) = shape["sources"]
    assert source["content"][source["start"] : source["end"]] == "Tromsø"


@pytest.mark.parametrize(
    ("record", "layer"), [("e_one", "episodic"), ("m_one", "message"), ("line-1", "message"), ("s_one", "session")]
)
def test_show_takes_episodes_messages_and_conversations(run: Run, record: str, layer: str) -> None:
    code, out, _ = run("memory", "show", record, "--json")

    assert code == 0
    assert rows(out)[0]["layer"] == layer
    assert SAID in run("memory", "show", record)[1]


def test_search_covers_facts_episodes_and_messages(run: Run) -> None:
    _, out, _ = run("memory", "search", "tromsø", "--json")

    assert {row["layer"] for row in rows(out)} == {"fact", "episode", "message"}


def test_history_tells_what_happened(run: Run) -> None:
    (change,) = rows(run("memory", "history", "f_city", "--json")[1])

    assert change["action"] == "added"
    assert change["after"] == "Lives in Tromsø"


@pytest.mark.parametrize("command", [("show",), ("history",), ("pin",), ("confirm",), ("edit", "text")])
def test_an_unknown_id_is_exit_code_3(run: Run, command: tuple[str, ...]) -> None:
    code, out, err = run("memory", command[0], "f_none", *command[1:])

    assert code == 3
    assert out == ""
    assert "f_none" in err


def test_nothing_remembered_is_said_on_standard_error(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--data-dir", str(data / "new"), "memory", "list"]) == 0

    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Nothing is remembered" in shown.err


def test_sessions_are_listed(run: Run) -> None:
    (session,) = rows(run("sessions", "--json")[1])

    assert (session["id"], session["title"], session["messages"]) == ("s_one", "Moving", 1)


def test_pin_edit_and_confirm_say_what_became_of_the_fact(run: Run) -> None:
    (pinned,) = rows(run("memory", "pin", "f_city", "--json")[1])
    (unpinned,) = rows(run("memory", "unpin", "f_city", "--json")[1])
    (edited,) = rows(run("memory", "edit", "f_city", "Lives", "in", "Bodø", "--json")[1])
    (confirmed,) = rows(run("memory", "confirm", "f_bees", "--json")[1])

    assert (pinned["pinned"], unpinned["pinned"]) == (True, False)
    assert (edited["text"], edited["edited"]) == ("Lives in Bodø", True)
    assert confirmed["status"] == "active"
    assert len(rows(run("memory", "history", "f_city", "--json")[1])) == 4


def test_what_is_added_is_listed(run: Run) -> None:
    code, out, _ = run("memory", "add", "I", "use", "PostgreSQL", "--json")

    assert code == 0
    assert "PostgreSQL" in out
    assert "PostgreSQL" in run("memory", "list")[1]


def test_the_memory_switch_is_kept_in_the_settings(run: Run, remembered: Path) -> None:
    settings = remembered / "profiles" / "default" / "settings.toml"

    assert run("memory", "pause")[0] == 0
    assert "paused = true" in settings.read_text(encoding="utf-8")
    assert run("memory", "off")[0] == 0
    assert "enabled = false" in settings.read_text(encoding="utf-8")
    assert run("memory", "resume")[0] == 0
    assert "enabled = true" in settings.read_text(encoding="utf-8")


def test_forgetting_without_a_terminal_needs_yes(run: Run) -> None:
    code, _, err = run("memory", "forget", "f_city")

    assert code == 2
    assert "--yes" in err
