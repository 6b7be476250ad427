from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from desk_assistant.assistant.importer import BATCH, Importer, ImportReport
from desk_assistant.importers import Selection
from desk_assistant.memory.traces import ref_mark
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.store import Message, Store, epoch_of, new_id, now_iso
from tests.importers.exports import NOON, Object, gpt_line, gpt_node, gpt_talk, write

DAY = 86_400.0


@pytest.fixture
def store(locations: Locations) -> Iterator[Store]:
    opened = Store(locations.database, locations.backups)
    yield opened
    opened.close()


def take(store: Store, path: Path, selection: Selection | None = None) -> ImportReport:
    return Importer(store, PrivacyGate()).run(path, selection=selection)


def branched() -> Object:
    nodes = [
        gpt_node("root", None, "system", None),
        gpt_node("q1", "root", "user", "I live in Bergen."),
        gpt_node("a1", "q1", "assistant", "Bergen it is."),
        gpt_node("q2", "root", "user", "I live in Tromsø.", at=NOON + 30),
        gpt_node("a2", "q2", "assistant", "Far north!", at=NOON + 40),
    ]
    return gpt_talk("home", "Home", nodes, "a1")


def jobs(store: Store, kind: str) -> list[str]:
    return [job.ref for job in store.outbox.claim([kind], 10_000)]


def test_the_shown_branch_is_the_conversation_and_only_it_is_remembered(store: Store, tmp_path: Path) -> None:
    take(store, write(tmp_path / "conversations.json", [branched()]))
    shown = store.transcripts.path("home")

    assert [message.ref for message in shown] == ["q1", "a1"]
    assert [message.ref for message in store.transcripts.all_messages("home")] == ["q1", "a1", "q2", "a2"]
    assert jobs(store, "remember") == [message.id for message in shown]
    session = store.transcripts.session("home")
    assert (session.title, session.origin, epoch_of(session.created_at)) == ("Home", "import", NOON)


def test_a_newer_export_adds_what_is_new_and_shows_it(store: Store, tmp_path: Path) -> None:
    said = [("user", "I row."), ("assistant", "Nice."), ("user", "On lakes."), ("assistant", "Calm.")]
    take(store, write(tmp_path / "old.json", [gpt_line("c", "Rowing", said[:2])]))
    again = take(store, write(tmp_path / "old.json", [gpt_line("c", "Rowing", said[:2])]))
    more = take(store, write(tmp_path / "new.json", [gpt_line("c", "Rowing", said)]))

    assert (again.messages, again.skipped) == (0, 2)
    assert (more.messages, more.skipped) == (2, 2)
    assert [message.content for message in store.transcripts.path("c")] == [text for _, text in said]


def test_importing_again_leaves_what_was_said_here_since_in_view(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", [gpt_line("c", "Rowing", [("user", "I row."), ("assistant", "Nice.")])])
    take(store, path)
    head = store.transcripts.session("c").head_id
    store.transcripts.append(Message(new_id("message"), "c", "user", "And I sail.", now_iso(), parent_id=head))
    take(store, path)

    assert store.transcripts.path("c")[-1].content == "And I sail."


def test_what_was_said_later_is_learnt_later_whatever_the_order_of_the_file(store: Store, tmp_path: Path) -> None:
    newest_first = [
        gpt_line(name, name, [("user", f"I live in {name}.")], at=NOON + DAY * days)
        for name, days in (("Rome", 900), ("Oslo", 30), ("Kyoto", 400))
    ]
    take(store, write(tmp_path / "conversations.json", newest_first))
    order = [store.transcripts.message(ref).content for ref in jobs(store, "remember")]

    assert order == ["I live in Oslo.", "I live in Kyoto.", "I live in Rome."]


def test_nothing_is_learnt_before_the_import_is_complete(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", [gpt_line(str(n), "T", [("user", "Hello")]) for n in range(BATCH + 10)])
    due: list[float | None] = []

    Importer(store, PrivacyGate()).run(path, lambda *_: due.append(store.outbox.next_due(["remember"])))

    assert due[0] is not None
    assert due[0] > epoch_of(now_iso()) + 60
    assert len(jobs(store, "remember")) == BATCH + 10


def test_an_import_that_was_cut_off_goes_on_where_it_was(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "c.json", [gpt_line(str(n), "T", [("user", f"Say {n}")]) for n in range(3 * BATCH)])

    def fail(_phase: str, done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Importer(store, PrivacyGate()).run(path, fail)
    kept = store.transcripts.count()[1]
    stopped = Importer(store, PrivacyGate()).run(path, stop=lambda: store.transcripts.count()[1] >= 2 * BATCH)
    rest = take(store, path)

    assert kept == BATCH
    assert stopped.stopped
    assert store.transcripts.count() == (3 * BATCH, 3 * BATCH)
    assert rest.messages + stopped.messages + kept == 3 * BATCH
    assert sorted(jobs(store, "remember")) == sorted(m.id for batch in store.transcripts.walk() for m in batch)


def test_only_what_is_asked_for_comes_in(store: Store, tmp_path: Path) -> None:
    path = write(
        tmp_path / "c.json",
        [
            gpt_line("a", "Boat repair", [("user", "Hull")], at=NOON),
            gpt_line("b", "Repairing the BOAT engine", [("user", "Engine")], at=NOON + 40 * DAY),
            gpt_line("c", "Cooking", [("user", "Soup")], at=NOON + 41 * DAY),
        ],
    )
    by_title = take(store, path, Selection(title="boat repair"))
    by_date = take(store, path, Selection(since=date(2024, 6, 11), until=date(2024, 6, 30)))

    assert (by_title.messages, by_title.left_out) == (2, 1)
    assert (by_date.messages, by_date.left_out) == (1, 2)
    assert sorted(session.id for session in store.transcripts.sessions()) == ["a", "b", "c"]


def test_a_secret_in_a_title_and_one_in_a_branch_are_masked(store: Store, locations: Locations, tmp_path: Path) -> None:
    talk = branched()
    talk["title"] = "Mail to jo@example.org"
    talk["mapping"]["q2"]["message"]["content"]["parts"] = ["My password is Plum-Otter-58"]
    report = take(store, write(tmp_path / "c.json", [talk]))

    assert report.masked == 1
    raw = b"".join(path.read_bytes() for path in locations.home.rglob("*") if path.is_file())
    assert b"Plum-Otter" not in raw
    assert b"jo@example.org" not in raw


def test_a_forgotten_message_stays_out_and_what_followed_it_stays_in_line(store: Store, tmp_path: Path) -> None:
    store.tombstones.add([ref_mark("home", "q1")])
    take(store, write(tmp_path / "c.json", [branched()]))

    assert [(m.ref, m.parent_id) for m in store.transcripts.path("home")] == [("a1", None)]


def test_a_conversation_without_an_id_is_known_again_by_its_words(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "tea.md"
    path.write_text("User: I like oolong.\nAssistant: Noted.\n", encoding="utf-8")
    first, second = take(store, path), take(store, path.rename(tmp_path / "other.md"))

    assert (first.messages, second.messages, second.skipped) == (2, 0, 2)
