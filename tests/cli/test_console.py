from __future__ import annotations

import io

import pytest

from desk_assistant.cli.console import Console, fit, pad, printable, width


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("text", "cells"), [("abc", 3), ("记忆", 4), ("é", 1), ("e\u0301", 1), ("a\u200bb", 2)])
def test_width_is_measured_in_terminal_cells(text: str, cells: int) -> None:
    assert width(text) == cells


def test_a_cut_never_exceeds_the_cells_even_between_wide_characters() -> None:
    assert fit("记忆很长很长", 6) == "记忆…"
    assert all(width(fit("a记b忆c", cells)) <= cells for cells in range(1, 10))
    assert fit("short", 5) == "short"


def test_padding_lines_up_chinese_and_english() -> None:
    assert width(pad("记忆", 8)) == width(pad("memory", 8)) == 8


def test_stored_text_cannot_drive_the_terminal() -> None:
    assert printable("a\x1b[2Jb\x07\x9bc\td\n") == "a[2Jbc\td\n"


def test_results_and_diagnostics_go_to_different_streams() -> None:
    out, err = io.StringIO(), io.StringIO()
    console = Console(out, err)

    console.line("result")
    console.record({"text": "记忆"})
    console.note("note")
    console.progress("working")
    console.error("failed")

    assert out.getvalue() == 'result\n{"text": "记忆"}\n'
    assert err.getvalue() == "note\nworking\ndesk-assistant: failed\n"


def test_quiet_keeps_warnings_and_errors() -> None:
    err = io.StringIO()
    console = Console(io.StringIO(), err, quiet=True)

    console.note("note")
    console.progress("working")
    console.warn("careful")
    console.error("failed")

    assert err.getvalue() == "careful\ndesk-assistant: failed\n"


def test_progress_is_rewritten_on_a_terminal_and_wiped_before_a_result() -> None:
    out, err = io.StringIO(), Terminal()
    console = Console(out, err)

    console.progress("Reading 1/9", step="reading")
    console.line("answer")

    assert err.getvalue() == "\rReading 1/9\r           \r"


def test_progress_without_a_terminal_is_not_repeated_at_once() -> None:
    err = io.StringIO()
    console = Console(io.StringIO(), err)

    for done in range(100):
        console.progress(f"Reading {done}/100", step="reading")
        console.progress(f"Loading {done} %", step="loading")

    assert err.getvalue() == "Reading 0/100\nLoading 0 %\n"


def test_colour_is_only_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    plain, terminal = io.StringIO(), Terminal()

    Console(plain, plain).line("x", "bold")
    Console(terminal, terminal).line("x", "bold")

    assert plain.getvalue() == "x\n"
    assert terminal.getvalue() == "\x1b[1mx\x1b[0m\n"
