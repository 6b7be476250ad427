from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant import cli
from tests.cli.desk_shell import Desk

COMMANDS = ["ask", "recall", "memory", "sessions", "import", "privacy", "audit", "backups", "models", "paths", "doctor"]
COMMANDS += ["demo", "purge", "serve", "profiles", "completion"]
INNER = {
    "memory": [
        *("list", "show", "search", "history"),
        *("add", "edit", "pin", "unpin", "confirm", "forget"),
        *("pause", "resume", "off"),
    ],
    "privacy": ["check"],
    "backups": ["list", "delete"],
    "serve": ["stdio", "http", "allow", "revoke", "clients"],
    "profiles": ["list", "create", "use", "delete"],
    "models": ["list", "verify", "install", "import", "use", "remove"],
}
HEAVY = "textual lancedb torch llama_cpp sentence_transformers pyarrow numpy sqlite3"


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(option: str) -> None:
    program = (
        "import sys\nfrom desk_assistant.__main__ import main\nsys.argv = ['desk-assistant', sys.argv[1]]\n"
        f"main()\nprint(sorted(set({HEAVY!r}.split()) & set(sys.modules)), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", program, option], capture_output=True, text=True, check=True)

    assert "desk-assistant" in result.stdout
    assert result.stderr.strip() == "[]"


def test_without_a_command_and_without_a_terminal_help_goes_to_stderr(desk: Desk) -> None:
    result = desk()

    assert result.returncode == 2
    assert result.stdout == ""
    assert all(command in result.stderr for command in COMMANDS)


def test_help_names_every_command_and_the_exit_codes(desk: Desk) -> None:
    result = desk("--help")

    assert result.returncode == 0
    assert all(f"\n    {command} " in result.stdout for command in COMMANDS)
    assert "exit codes:" in result.stdout


@pytest.mark.parametrize("command", [*COMMANDS, *(f"{a} {b}" for a, inner in INNER.items() for b in inner)])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([*command.split(), "--help"]) == 0

    assert capsys.readouterr().out.startswith(f"usage: desk-assistant {command}")


def test_help_speaks_the_language_of_the_surroundings(desk: Desk) -> None:
    result = desk("--help", env={"LC_ALL": "zh_CN.UTF-8"})

    assert "用法：" in result.stdout
    assert "usage" not in result.stdout


def test_help_speaks_the_language_of_the_settings(desk: Desk) -> None:
    folder = Path(desk("paths", "--json").stdout.split('"profile": "')[1].split('"')[0])
    folder.mkdir(parents=True)
    (folder / "settings.toml").write_text('[interface]\nlanguage = "zh"\n', encoding="utf-8")

    assert "用法：" in desk("recall", "--help").stdout
