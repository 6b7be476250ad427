"""The Debian packages: installed, used by two people, broken, upgraded, removed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from installer.tools import BuildError, run
from tried import app_story, reach_story
from tried.bare import ROOT, BareSystem, Done, User
from tried.checks import Checks

COMMAND: Final = "desk-assistant"
DATA: Final = ".local/share/desk-assistant"
TOLD: Final = "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0."
TOLD_IN_CHINESE: Final = "我是做量化策略的，主要用 Python，最近在选向量数据库"
HOME_WITH_EVERYTHING: Final = "/home/Ann Müller 安"

_OLD_DATA: Final = """
import sqlite3, sys, pathlib
from desk_assistant.store.migrations import MIGRATIONS
path = pathlib.Path(sys.argv[1])
path.parent.mkdir(parents=True, mode=0o700)
database = sqlite3.connect(path)
for statement in MIGRATIONS[0]:
    database.execute(statement)
database.execute("PRAGMA user_version = 1")
at = "2025-01-01T10:00:00+00:00"
database.execute("INSERT INTO sessions (id, title, created_at, updated_at) VALUES ('s_old', 'Kept', ?, ?)", (at, at))
database.commit()
"""

_NEW_DATA: Final = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute("PRAGMA user_version = 999")
database.commit()
"""


def tell(checks: Checks, out: Path, folder: Path, work: Path) -> None:
    """Tell the story of the packages.

    Args:
        checks: Where what held is noted.
        out: Folder with the finished files.
        folder: Folder for the system.
        work: Folder for the bare system that others are copied from.
    """
    system = BareSystem(folder / "deb", work / "bare")
    bare = system.run(ROOT, "sh", "-c", "command -v python3 gcc cc pip; true").out
    checks.that("the system has neither Python nor a compiler", not bare.strip(), bare)
    ann = system.add_user("ann", HOME_WITH_EVERYTHING)
    ben = system.add_user("ben", "/home/ben")
    full, small = (_only(out, pattern) for pattern in ("desk-assistant-full_*.deb", "desk-assistant_*.deb"))
    for file in (full, small):
        run(["cp", file, system.inside("/root/")])

    checks.ran("the full package installs without a network", _dpkg(system, "--install", full.name))
    _ordinary_use(checks, system, ann)
    _two_sessions(checks, system, ann)
    app_story.tell(checks, system, ann, folder)
    _surroundings(checks, system, ann, ben)
    reach_story.tell(checks, system, ben)
    _versions(checks, system, ben, full)
    _removal(checks, system, ann, ben)
    _small(checks, system, ben, small, work)


def _ordinary_use(checks: Checks, system: BareSystem, ann: User) -> None:
    doctor = system.run(ann, COMMAND, "doctor")
    print(doctor.out, flush=True)
    checks.ran("doctor: files, processor, libraries, answer, memory, forgetting, no network", doctor)
    checks.ran("it is the installed copy that is checked", doctor, says="/opt/desk-assistant")
    english = system.run(ann, COMMAND, "ask", "--private", "Hello, who are you?")
    checks.that("it answers in English", english.code == 0 and len(english.out.strip()) > 3, english.err)
    chinese = system.run(ann, COMMAND, "ask", "--private", "你好", environment={"LANG": "zh_CN.UTF-8"})
    held = chinese.code == 0 and any("\u4e00" <= letter <= "\u9fff" for letter in chinese.out)
    checks.that("it answers in Chinese", held, chinese.out + chinese.err)
    checks.ran("the man page is where man looks", system.run(ann, "ls", "/usr/share/man/man1/desk-assistant.1.gz"))


def _two_sessions(checks: Checks, system: BareSystem, ann: User) -> None:
    checks.ran("both stories of the demo hold", system.run(ann, COMMAND, "demo", patience=900))
    checks.ran("a first session is told", system.run(ann, COMMAND, "ask", TOLD))
    checks.ran("it is remembered", system.run(ann, COMMAND, "memory", "list"), says="MySQL")
    second = system.run(ann, COMMAND, "ask", "Which database do I use?")
    checks.ran("a second session answers from it", second, says="MySQL")
    forgotten = system.run(ann, COMMAND, "memory", "forget", "--about", "MySQL", "--yes")
    checks.ran("it is forgotten, and checked", forgotten)
    again = system.run(ann, COMMAND, "recall", "Which database do I use?")
    checks.ran("and not recalled any more", again, never="MySQL")
    left = holding(system.inside(f"{ann.home}/{DATA}"), "MySQL")
    checks.that("nor in any file of the data folder", not left, "\n".join(left))
    checks.ran("doctor finds nothing forgotten", system.run(ann, COMMAND, "doctor", "--forgotten"))


def _surroundings(checks: Checks, system: BareSystem, ann: User, ben: User) -> None:
    first = system.start(ann, COMMAND, "ask", "My cat is called Nimbus.")
    second = system.run(ben, COMMAND, "ask", "My dog is called Rolf.")
    _, errors = first.communicate(timeout=240)
    checks.that(
        "two people use it at the same time", first.returncode == 0 == second.code, errors.decode() + second.err
    )
    checks.ran(
        "each has a memory of their own", system.run(ben, COMMAND, "memory", "list"), says="Rolf", never="Nimbus"
    )
    checks.ran("and cannot read the other's", system.run(ben, "ls", f"{ann.home}/{DATA}/profiles"), code=2)
    locale = {"LANG": "C", "LC_ALL": "C"}
    plain = system.run(ben, COMMAND, "memory", "add", "我喜欢龙井茶 🍵", environment=locale)
    checks.ran("Chinese and emoji pass through the locale C", plain)
    checks.ran("and come back", system.run(ben, COMMAND, "memory", "list", environment=locale), says="喜欢龙井茶")
    sealed = system.run(ROOT, COMMAND, "doctor", read_only="/opt/desk-assistant")
    checks.ran("with the program folder read-only, even root is well", sealed)
    strange = {"PYTHONPATH": "/nowhere", "PYTHONHOME": "/nowhere", "LD_LIBRARY_PATH": "/nowhere"}
    checks.ran("another Python's settings do not matter", system.run(ben, COMMAND, "paths", environment=strange))
    of_the_system = (".bash_logout", ".bashrc", ".profile")
    put = [path.name for path in system.inside(ann.home).iterdir() if path.name not in of_the_system]
    checks.that("nothing else is put into a home", put == [".local"], ", ".join(put))


def _versions(checks: Checks, system: BareSystem, ben: User, full: Path) -> None:
    checks.ran("installing again over it works", _dpkg(system, "--install", full.name))
    checks.ran("and keeps the data", system.run(ben, COMMAND, "memory", "list"), says="Rolf")
    python = next(system.inside("/opt/desk-assistant/python/bin").glob("python3*")).name
    old = f"{ben.home}/old/profiles/default/assistant.db"
    made = system.run(ben, f"/opt/desk-assistant/python/bin/{python}", "-I", "-c", _OLD_DATA, old)
    checks.ran("data of the first version", made)
    migrated = system.run(ben, COMMAND, "--data-dir", f"{ben.home}/old", "sessions")
    checks.ran("is brought up to date", migrated, says="Kept")
    copies = list(system.inside(f"{ben.home}/old/profiles/default/backups").glob("*"))
    checks.that("after a backup", copies, "no backup")
    system.run(ben, f"/opt/desk-assistant/python/bin/{python}", "-I", "-c", _NEW_DATA, old)
    refused = system.run(ben, COMMAND, "--data-dir", f"{ben.home}/old", "sessions")
    checks.ran("data of a newer version is refused with a sentence", refused, code=5, says="newer")
    newer = system.inside("/root/newer")
    (newer / "DEBIAN").mkdir(parents=True)
    control = (
        f"Package: desk-assistant-full\nVersion: 99\nArchitecture: {_architecture()}\nMaintainer: n\nDescription: n\n"
    )
    (newer / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    run(["dpkg-deb", "--build", newer, system.inside("/root/newer.deb")])
    _dpkg(system, "--install", "newer.deb")
    older = _dpkg(system, "--install", full.name)
    checks.ran(
        "an older package over a newer one is refused with a sentence", older, code=1, says="Nothing was changed"
    )
    _dpkg(system, "--remove", "desk-assistant-full")
    checks.ran("and goes in once that is removed", _dpkg(system, "--install", full.name))


def _removal(checks: Checks, system: BareSystem, ann: User, ben: User) -> None:
    purged = system.run(ann, COMMAND, "purge", "--yes")
    left = list(system.inside(f"{ann.home}/{DATA}").rglob("*"))
    checks.that("purge deletes all of one person's data", purged.code == 0 and not left, purged.err + str(left[:5]))
    removed = _dpkg(system, "--remove", "desk-assistant-full")
    checks.ran("removing says where the data stays", removed, says=DATA)
    gone = not system.inside("/opt/desk-assistant").exists() and not system.inside(f"/usr/bin/{COMMAND}").is_symlink()
    checks.that("and takes all of the program away", gone)
    checks.that("but not the other's data", system.inside(f"{ben.home}/{DATA}/profiles").is_dir())
    checks.ran("purging the package says it too", _dpkg(system, "--purge", "desk-assistant-full"), says=DATA)


def _small(checks: Checks, system: BareSystem, ben: User, small: Path, work: Path) -> None:
    checks.ran("the small package installs", _dpkg(system, "--install", small.name))
    without = system.run(ben, COMMAND, "ask", "Hello")
    checks.ran("without a model it says how to get one", without, code=4, says="models install")
    offline = system.run(ben, COMMAND, "models", "install", "smollm2-135m-instruct", patience=600)
    checks.that("without a network, fetching one ends with a sentence", offline.code not in (0, 70), offline.err)
    file = f"{ben.home}/model.gguf"
    run(["cp", work / "models" / "smollm2-135m-instruct" / "model.gguf", system.inside(file)])
    checks.ran("a file is imported", system.run(ben, COMMAND, "models", "import", file))
    checks.ran("and answers", system.run(ben, COMMAND, "ask", "What is my dog called?"))
    _dpkg(system, "--purge", "desk-assistant")


def _dpkg(system: BareSystem, *words: str) -> Done:
    return system.run(ROOT, "dpkg", *words, environment={"DEBIAN_FRONTEND": "noninteractive"}, patience=600)


def _architecture() -> str:
    return run(["dpkg", "--print-architecture"]).strip()


def _only(out: Path, pattern: str) -> Path:
    found = sorted(out.glob(pattern))
    if not found:
        raise BuildError(f"There is no {pattern} in {out}; build it with “make package”.")
    return found[-1]


def holding(folder: Path, word: str) -> list[str]:
    """Return the files below a folder that hold a word, in one of two encodings."""
    forms = (word.encode(), word.encode("utf-16-le"))
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return [str(path) for path in files if any(form in path.read_bytes() for form in forms)]
