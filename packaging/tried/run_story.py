"""The self-extracting file: set up by somebody who is not root, in a system that has never seen the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from installer.tools import BuildError, run
from tried.bare import BareSystem
from tried.checks import Checks

COMMAND: Final = "desk-assistant"
HOME: Final = "/home/卡 la"


def tell(checks: Checks, out: Path, folder: Path, work: Path) -> None:
    """Tell the story of the self-extracting file.

    Args:
        checks: Where what held is noted.
        out: Folder with the finished files.
        folder: Folder for the system.
        work: Folder for the bare system that others are copied from.
    """
    system = BareSystem(folder / "run", work / "bare")
    user = system.add_user("karla", HOME)
    found = sorted(out.glob("desk-assistant-full-*.run"))
    if not found:
        raise BuildError(f"There is no desk-assistant-full-….run in {out}; build it with “make package”.")
    run(["cp", found[-1], system.inside("/tmp/setup.run")])

    damaged = system.inside("/tmp/damaged.run")
    with found[-1].open("rb") as stream:
        damaged.write_bytes(stream.read(found[-1].stat().st_size // 2))
    broken = system.run(user, "sh", "/tmp/damaged.run", "--yes")
    nothing = not system.inside(f"{HOME}/.local/opt/desk-assistant").exists()
    checks.that("half a file installs nothing", broken.code != 0 and nothing, broken.out + broken.err)
    checks.that("and says so in words", "Traceback" not in broken.err and broken.err.strip(), broken.err)
    damaged.unlink()

    refused = system.run(user, "sh", "/tmp/setup.run", stdin="n\n")
    checks.ran("a no is a no", refused, code=1, says="Nothing was changed")
    checks.ran(
        "it sets up without root", system.run(user, "sh", "/tmp/setup.run", "--yes", patience=600), says="Start it"
    )
    command = f"{HOME}/.local/bin/{COMMAND}"
    doctor = system.run(user, command, "doctor")
    checks.ran("doctor is content", doctor, says=f"{HOME}/.local/opt")
    entry = system.inside(f"{HOME}/.local/share/applications/{COMMAND}.desktop")
    checks.that("the menu has an entry that names the place", f"{HOME}/.local/opt" in entry.read_text(encoding="utf-8"))
    checks.ran("something is told", system.run(user, command, "memory", "add", "I live in Turku."))
    again = system.run(user, "sh", "/tmp/setup.run", "--yes", patience=600)
    checks.ran("setting up again over it works", again)
    checks.ran("and keeps what was told", system.run(user, command, "memory", "list"), says="Turku")
    mark = system.inside(f"{HOME}/.local/opt/desk-assistant/installation.toml")
    text = mark.read_text(encoding="utf-8")
    mark.write_text(text.replace('version = "', 'version = "99.', 1), encoding="utf-8")
    older = system.run(user, "sh", "/tmp/setup.run", "--yes")
    checks.ran("an older version over a newer one is refused with a sentence", older, code=1, says="--older")
    removed = system.run(user, f"{HOME}/.local/opt/desk-assistant/bin/uninstall", "--yes")
    checks.ran("uninstalling says where the data stays", removed, says=".local/share/desk-assistant")
    left = [str(path) for path in system.inside(f"{HOME}/.local").rglob("*") if "share/desk-assistant" not in str(path)]
    files = [name for name in left if Path(name).is_symlink() or Path(name).is_file()]
    checks.that("and leaves nothing else", not files, "\n".join(files))
    checks.that("but the data", system.inside(f"{HOME}/.local/share/desk-assistant/profiles").is_dir())
    checks.ran("a new set-up finds the data", system.run(user, "sh", "/tmp/setup.run", "--yes", patience=600))
    words = ("--yes", "--purge")
    checks.ran("uninstalling with --purge", system.run(user, f"{HOME}/.local/opt/desk-assistant/bin/uninstall", *words))
    rest = [str(path) for path in system.inside(f"{HOME}/.local/share/desk-assistant").rglob("*") if path.is_file()]
    checks.that("leaves no data either", not rest, "\n".join(rest))
