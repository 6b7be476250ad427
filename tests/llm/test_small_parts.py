from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desk_assistant.llm import cores
from desk_assistant.llm.marker import LoadMarker
from desk_assistant.llm.sampled import SampledAnswers
from desk_assistant.llm.types import LoadSpec
from desk_assistant.workers import protocol


def test_tokens_are_found_by_their_text_whatever_the_white_space() -> None:
    answers = SampledAnswers()
    answers.remember(" yes.\n", [1, 2])
    assert answers.recall("yes.") == (1, 2)
    assert answers.recall("yes") is None


def test_the_answer_unused_for_longest_goes_first() -> None:
    answers = SampledAnswers(capacity=2)
    answers.remember("a", [1])
    answers.remember("b", [2])
    answers.recall("a")
    answers.remember("c", [3])
    assert [answers.recall(text) for text in "abc"] == [(1,), None, (3,)]


def test_an_empty_answer_is_not_remembered() -> None:
    answers = SampledAnswers()
    answers.remember("  ", [1])
    assert answers.recall("") is None


def test_two_threads_of_a_core_count_once(tmp_path: Path) -> None:
    for cpu, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        (tmp_path / f"cpu{cpu}" / "topology").mkdir(parents=True)
        (tmp_path / f"cpu{cpu}" / "topology" / "thread_siblings_list").write_text(siblings + "\n")
    assert cores._linux_cores({0, 1, 2, 3}, tmp_path) == 2
    assert cores._linux_cores({0, 2}, tmp_path) == 1
    assert cores._linux_cores({0, 1, 9}, tmp_path) == 3


@pytest.mark.parametrize(
    ("text", "quota"), [("max 100000", None), ("150000 100000", 1), ("400000 100000", 4), ("x", None)]
)
def test_a_container_may_allow_less(tmp_path: Path, text: str, quota: int | None) -> None:
    (tmp_path / "cpu.max").write_text(text)
    assert cores._quota(tmp_path / "cpu.max") == quota


def test_there_is_always_a_core() -> None:
    assert 1 <= cores.physical_cores() <= (os.cpu_count() or 1)


NOTE = "llm.loading"


def cut_off(folder: Path, model: Path) -> None:
    """Begin a load as a program that is then killed: the system drops its lock, and the note stays."""
    marker = LoadMarker(folder / NOTE)
    marker.begin(model)
    marker._lock.release()


def test_a_load_that_ended_the_child_is_known_the_next_time(tmp_path: Path) -> None:
    marker, model = LoadMarker(tmp_path / "x" / NOTE), Path("/models/a\udcff.gguf")
    assert not marker.crashed(model)
    marker.begin(model)
    marker.done(crashed=True)
    again = LoadMarker(tmp_path / "x" / NOTE)
    assert again.crashed(model)
    assert not again.crashed(Path("/models/b.gguf"))


def test_a_load_that_ended_leaves_nothing(tmp_path: Path) -> None:
    marker = LoadMarker(tmp_path / NOTE)
    marker.begin(Path("a"))
    marker.done()
    assert not LoadMarker(tmp_path / NOTE).crashed(Path("a"))
    assert not (tmp_path / NOTE).exists()


def test_a_program_that_was_cut_off_is_excused_once(tmp_path: Path) -> None:
    cut_off(tmp_path, Path("a"))
    assert not LoadMarker(tmp_path / NOTE).crashed(Path("a"))
    cut_off(tmp_path, Path("a"))
    assert LoadMarker(tmp_path / NOTE).crashed(Path("a"))
    cut_off(tmp_path, Path("b"))
    assert not LoadMarker(tmp_path / NOTE).crashed(Path("b"))


def test_a_good_load_clears_the_suspicion(tmp_path: Path) -> None:
    for _ in range(3):
        cut_off(tmp_path, Path("a"))
        marker = LoadMarker(tmp_path / NOTE)
        assert not marker.crashed(Path("a"))
        marker.begin(Path("a"))
        marker.done()


def test_a_model_that_has_been_loaded_well_is_excused_once_too(tmp_path: Path) -> None:
    marker = LoadMarker(tmp_path / NOTE)
    for suspected in (False, True):
        marker.begin(Path("a"))
        marker.done(crashed=True, proven=True)
        assert marker.crashed(Path("a")) is suspected


def test_a_load_going_on_in_another_program_is_no_crash(tmp_path: Path) -> None:
    cut_off(tmp_path, Path("a"))
    here, there = LoadMarker(tmp_path / NOTE), LoadMarker(tmp_path / NOTE)
    there.begin(Path("a"))
    assert not here.crashed(Path("a"))
    here.begin(Path("a"))
    here.done()
    there.done(crashed=True)
    assert here.crashed(Path("a"))


def test_a_note_that_cannot_be_written_stops_no_load(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    marker = LoadMarker(tmp_path / "file" / "llm.loading")
    marker.begin(Path("a"))
    marker.done(crashed=True)
    assert not marker.crashed(Path("a"))


def test_a_load_specification_crosses_the_pipe() -> None:
    spec = LoadSpec(Path("/m/甲.gguf"), "甲", chat_template="{{ x }}", stop=("\n用户：", "b"), thinking=True)
    frame = protocol.encode({"spec": spec.to_json()})
    (message,) = protocol.Decoder().feed(frame)
    assert LoadSpec.from_json(message["spec"]) == spec


def test_the_app_learns_nothing_of_the_childs_libraries() -> None:
    import subprocess

    probe = (
        "import sys, desk_assistant.llm, desk_assistant.workers\n"
        "print(sorted({'llama_cpp', 'numpy', 'torch', 'jinja2'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]"
