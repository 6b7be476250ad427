from __future__ import annotations

import sqlite3
import stat
from pathlib import Path

import pytest

from desk_assistant.errors import NotFoundError, StorageError
from desk_assistant.store import Fact, FactSource, Message, Store, new_id, now_iso


def open_store(folder: Path) -> Store:
    return Store(folder / "assistant.db", folder / "backups")


def message(session: str, content: str, ref: str | None = None, parent: str | None = None) -> Message:
    return Message(new_id("message"), session, "user", content, now_iso(), parent_id=parent, ref=ref)


def fact(text: str, source: FactSource | None = None) -> Fact:
    moment = now_iso()
    return Fact(
        new_id("fact"), "user", "likes", text, f"Likes {text}", "preference", f"user|likes|{text}",
        created_at=moment, last_seen=moment, sources=(source,) if source else (),
    )  # fmt: skip


def test_a_message_is_on_disk_for_another_program_as_soon_as_append_returns(tmp_path: Path) -> None:
    store, other = open_store(tmp_path), open_store(tmp_path)
    session = store.transcripts.create_session()
    stored = store.transcripts.append(message(session.id, "你好"))
    assert [m.content for m in other.transcripts.path(session.id)] == ["你好"]
    assert other.transcripts.session(session.id).head_id == stored.id


def test_an_imported_message_is_stored_once(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    session = store.transcripts.create_session("D1")
    first = store.transcripts.append(message(session.id, "hello", ref="D1:1"))
    second = store.transcripts.append(message(session.id, "hello", ref="D1:1"))
    assert first.id == second.id
    assert store.transcripts.count() == (1, 1)
    assert store.transcripts.message("D1:1").id == first.id


def test_an_edited_message_becomes_a_sibling_and_the_old_branch_stays(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    session = store.transcripts.create_session()
    root = store.transcripts.append(message(session.id, "root"))
    old = store.transcripts.append(message(session.id, "old", parent=root.id))
    store.transcripts.append(message(session.id, "new", parent=root.id))
    assert [m.content for m in store.transcripts.path(session.id)] == ["root", "new"]
    store.transcripts.set_head(session.id, old.id)
    assert [m.content for m in store.transcripts.path(session.id)] == ["root", "old"]


def test_an_answer_cut_off_by_a_crash_is_kept_as_stopped(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    session = store.transcripts.create_session()
    answer = store.transcripts.append(
        Message(new_id("message"), session.id, "assistant", "", now_iso(), state="streaming")
    )
    store.transcripts.update_answer(answer.id, "The first half", "streaming")
    reopened = open_store(tmp_path)
    assert reopened.transcripts.close_interrupted() == [answer.id]
    kept = reopened.transcripts.message(answer.id)
    assert (kept.content, kept.state) == ("The first half", "stopped")


def test_every_change_of_a_fact_is_in_its_history(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    kept = store.facts.add(fact("tea"), actor="extraction")
    store.facts.change(kept.id, actor="person", action="edited", object="oolong", text="Likes oolong", edited=True)
    history = [(h.actor, h.action, h.before, h.after) for h in store.facts.history(kept.id)]
    assert history == [("extraction", "added", None, "Likes tea"), ("person", "edited", "Likes tea", "Likes oolong")]
    assert store.facts.get(kept.id).version == 2


def test_a_fact_keeps_the_words_it_rests_on(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    source = FactSource("s_1", "m_1", 7, 10, "tea", 0, 11)
    kept = store.facts.add(fact("tea", source), actor="extraction")
    assert store.facts.get(kept.id).sources == (source,)
    assert [f.id for f in store.facts.from_message("m_1")] == [kept.id]


def test_search_finds_text_literally_in_both_languages(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    session = store.transcripts.create_session()
    for text in ("今天把院子里的桂花树剪枝了。", "50% off_season", "Nothing here"):
        store.transcripts.append(message(session.id, text))
    found = store.transcripts.search
    assert [m.content for m in found("桂花")] == ["今天把院子里的桂花树剪枝了。"]
    assert [m.content for m in found("50% OFF_season")] == ["50% off_season"]
    assert found("5_% off") == []


def test_a_job_is_done_once_by_two_programs_and_taken_up_again_when_released(tmp_path: Path) -> None:
    one, two = open_store(tmp_path), open_store(tmp_path)
    one.outbox.put("extract", ["m_1", "m_2"])
    one.outbox.put("extract", ["m_1"])
    claimed = one.outbox.claim(["extract"], 10)
    assert [job.ref for job in claimed] == ["m_1", "m_2"]
    assert two.outbox.claim(["extract"], 10) == []
    one.outbox.done(claimed[:1])
    one.outbox.release(claimed[1:])
    assert [job.ref for job in two.outbox.claim(["extract"], 10)] == ["m_2"]


def test_a_job_asked_for_again_while_it_runs_is_not_lost(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.outbox.put("summarise", ["s_1"])
    claimed = store.outbox.claim(["summarise"], 1)
    store.outbox.put("summarise", ["s_1"])
    store.outbox.done(claimed)
    assert store.outbox.pending() == {"summarise": 1}


def test_tombstones_recognise_a_statement_without_holding_it(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.tombstones.add(["user|locker_word|fennimore"])
    assert "user|locker_word|fennimore" in store.tombstones
    assert "user|locker_word|other" not in store.tombstones
    store.close()
    assert b"fennimore" not in (tmp_path / "assistant.db").read_bytes()
    reopened = open_store(tmp_path)
    assert "user|locker_word|fennimore" in reopened.tombstones


def test_deleted_content_is_off_the_disk_after_a_scrub(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    session = store.transcripts.create_session()
    for number in range(300):
        store.transcripts.append(message(session.id, f"line {number} heron-canary-{number % 7}"))
    store.transcripts.delete_session(session.id)
    store.scrub()
    left = b"".join(path.read_bytes() for path in tmp_path.glob("assistant.db*"))
    assert b"heron-canary" not in left


def test_a_transaction_is_kept_whole_or_not_at_all(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    session = store.transcripts.create_session()
    with pytest.raises(RuntimeError), store.transaction():
        store.transcripts.append(message(session.id, "first"))
        store.outbox.put("extract", ["x"])
        raise RuntimeError
    assert store.transcripts.count() == (1, 0)
    assert store.outbox.pending() == {}


def test_only_the_owner_can_read_the_database(tmp_path: Path) -> None:
    open_store(tmp_path)
    assert stat.S_IMODE((tmp_path / "assistant.db").stat().st_mode) == 0o600


def test_newer_data_is_refused_with_a_sentence_and_left_alone(tmp_path: Path) -> None:
    open_store(tmp_path).close()
    with sqlite3.connect(tmp_path / "assistant.db") as connection:
        connection.execute("PRAGMA user_version = 999")
    with pytest.raises(StorageError, match="newer version"):
        open_store(tmp_path)


def test_a_damaged_file_is_reported_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "assistant.db").write_bytes(b"this is no database" * 100)
    with pytest.raises(StorageError, match="damaged"):
        open_store(tmp_path)
    assert (tmp_path / "assistant.db").read_bytes().startswith(b"this is no database")


def test_a_full_database_says_so_and_keeps_what_was_there(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    session = store.transcripts.create_session()
    store.transcripts.append(message(session.id, "kept"))
    pages = store._database.row("PRAGMA page_count")
    assert pages is not None
    store._database.execute(f"PRAGMA max_page_count = {pages[0]}")
    with pytest.raises(StorageError, match="full"):
        store.transcripts.append(message(session.id, "x" * 100_000))
    assert [m.content for m in store.transcripts.path(session.id)] == ["kept"]


def test_an_unknown_id_is_named_in_the_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="f_nothing"):
        open_store(tmp_path).facts.get("f_nothing")
