"""`backup` and `restore`: the whole profile as one file, and back."""

from __future__ import annotations

import getpass
import os
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desk_assistant.cli.arguments import Commands, Invocation, Parser, add_command
from desk_assistant.cli.memory_forget import agreed
from desk_assistant.errors import InputError
from desk_assistant.i18n import counted, t

if TYPE_CHECKING:
    from desk_assistant.memory.backup import Manifest
    from desk_assistant.paths import Locations


def register(commands: Commands) -> None:
    """Add the commands."""
    parser = add_command(commands, "backup", back_up)
    parser.add_argument("file", nargs="?", metavar=t("cli.file"), help=t("cli.help_backup_file"))
    parser.add_argument("--encrypt", action="store_true", help=t("cli.help_backup_encrypt"))
    _add_passphrase(parser)
    parser = add_command(commands, "restore", restore)
    parser.add_argument("file", metavar=t("cli.file"), help=t("cli.help_restore_file"))
    parser.add_argument("--check", action="store_true", help=t("cli.help_restore_check"))
    _add_passphrase(parser)
    parser.add_argument("-y", "--yes", action="store_true", help=t("cli.help_yes"))


def back_up(invocation: Invocation) -> int:
    """Write the profile into one file."""
    from desk_assistant.memory import backup

    options, locations = invocation.options, invocation.locations
    target = _target(options.file, locations)
    passphrase = None
    if options.encrypt or options.passphrase_file:
        passphrase = _passphrase(options.passphrase_file, twice=True)
    invocation.console.progress(t("cli.backing_up"), step="backup")
    made = backup.write(locations, target, passphrase)
    size = target.stat().st_size
    invocation.tell(
        {"path": str(target), "bytes": size, **_shape(made)},
        t("backup.made", path=target, size=f"{size / 1e6:.1f} MB", **_counts(made)),
    )
    return 0


def restore(invocation: Invocation) -> int:
    """Check a backup, ask, and make the profile what it holds."""
    from desk_assistant.memory import backup
    from desk_assistant.memory.backup.archive import needs_passphrase

    options, locations, console = invocation.options, invocation.locations, invocation.console
    path = found(options.file, locations)
    passphrase = _passphrase(options.passphrase_file, path=path) if needs_passphrase(path) else None
    console.progress(t("cli.checking_backup"), step="check")
    # Looking at a backup needs a folder to unpack it in, and must not make a profile.
    held = backup.inspect(path, locations.home if locations.home.is_dir() else path.parent, passphrase)
    if options.check:
        key = "backup.checked_made" if held.made_at else "backup.checked"
        date = held.made_at[:16].replace("T", " ")
        invocation.tell({"path": str(path), **_shape(held)}, t(key, path=path, date=date, **_counts(held)))
        return 0
    question = t("backup.really_restore", profile=locations.profile, path=path, **_counts(held))
    if not options.yes and not agreed(console, question):
        console.note(t("backup.nothing_restored"))
        return 0
    done = backup.restore(locations, path, passphrase)
    shape = {
        "path": str(path),
        **_shape(held),
        "withheld": done.withheld,
        "marks_lost": done.marks_lost,
        "kept": str(done.kept or "") or None,
    }
    invocation.tell(shape, t("backup.restored", **_counts(held)))
    if done.withheld:
        console.note(t("backup.withheld", count=done.withheld))
    if done.marks_lost:
        console.note(t("backup.marks_lost"))
    if done.kept is not None:
        console.note(t("backup.kept", path=done.kept))
    return 0


def found(name: str, locations: Locations) -> Path:
    """Return the file that is meant: a path, or the name of one of the profile's own backups."""
    path = Path(name).expanduser()
    own = locations.backups / name
    return own if not path.exists() and path.name == name and own.is_file() else path


def _target(given: str | None, locations: Locations) -> Path:
    from desk_assistant.memory.backup import SUFFIX

    name = f"desk-assistant-{locations.profile}-{datetime.now():%Y%m%d-%H%M%S}{SUFFIX}".replace(" ", "-")
    if given is None:
        return Path.cwd() / name
    path = Path(given).expanduser().absolute()
    return path / name if path.is_dir() else path


def _add_passphrase(parser: Parser) -> None:
    parser.add_argument("--passphrase-file", metavar=t("cli.file"), help=t("cli.help_passphrase_file"))


def _passphrase(file: str | None, *, twice: bool = False, path: Path | None = None) -> str:
    """Read the passphrase from a file, `-` being standard input, or ask for it without showing it.

    It is never an argument: those can be seen by every program of the machine.
    """
    if file is not None:
        try:
            text = sys.stdin.read() if file == "-" else Path(file).expanduser().read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError("backup.no_passphrase_file", path=file) from error
        phrase = text.removesuffix("\n").removesuffix("\r")
    elif not sys.stdin.isatty():
        raise InputError("backup.needs_passphrase", path=path or os.curdir)
    else:
        phrase = getpass.getpass(t("cli.ask_passphrase"))
        if twice and getpass.getpass(t("cli.ask_passphrase_again")) != phrase:
            raise InputError("backup.unlike_passphrases")
    if not phrase:
        raise InputError("backup.empty_passphrase")
    return phrase


def _shape(manifest: Manifest) -> dict[str, object]:
    held = manifest.contents
    return {
        "made_at": manifest.made_at or None,
        "profile": manifest.profile or None,
        "encrypted": manifest.locked,
        "schema": held.schema,
        "sessions": held.sessions,
        "messages": held.messages,
        "facts": held.facts,
    }


def _counts(manifest: Manifest) -> dict[str, str]:
    held = manifest.contents
    return {
        "conversations": counted("conversation", held.sessions),
        "messages": counted("message", held.messages),
        "facts": counted("fact", held.facts),
    }
