"""The command line: a thin front end over the assistant, for people in a shell and for scripts.

Results go to standard output, diagnostics and progress to standard error. No traceback reaches a person: an expected
failure is its sentence, an unexpected one is a sentence that names the log.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import os
import sys
from collections.abc import Sequence
from typing import Final

from desk_assistant import i18n
from desk_assistant.cli.console import Console, interactive, tolerant_streams
from desk_assistant.errors import DeskError, InputError, StorageError
from desk_assistant.paths import Locations

UNEXPECTED: Final = 70
"""Exit code of a failure that nobody foresaw (EX_SOFTWARE of sysexits)."""
INTERRUPTED: Final = 130
"""Exit code after Ctrl+C, as shells report SIGINT."""
READER_GONE: Final = 141
"""Exit code when whoever read the output has gone away, as shells report SIGPIPE."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: Arguments without the program's name; those of the process by default.

    Returns:
        The exit code: 0, one of `desk_assistant.errors`, or one of the constants of this module.
    """
    tolerant_streams()
    console = Console()
    arguments = list(sys.argv[1:] if argv is None else argv)
    locations = Locations.find()
    try:
        locations, rest = _prepare(arguments)
        code = _run(arguments if rest else None, console, locations)
        console.flush()
    except SystemExit as request:  # argparse, after --help or on bad arguments
        code = request.code if isinstance(request.code, int) else 1
    except DeskError as error:
        code = error.exit_code
        console.failure(error.key, str(error), code)
        _help_after(error, console, locations)
    except BrokenPipeError:
        _drop_output()
        code = READER_GONE
    except KeyboardInterrupt:
        code = INTERRUPTED
        console.failure("cli.interrupted", i18n.t("cli.interrupted"), code)
    except Exception as error:  # noqa: BLE001 - the last line of defence: a sentence instead of a traceback
        from desk_assistant.cli import crash

        log = crash.record(error, locations)
        code = UNEXPECTED
        sentence = i18n.t("cli.unexpected", kind=type(error).__name__, log=log or "–")
        console.failure("cli.unexpected", sentence, code)
    return code


def _prepare(arguments: Sequence[str]) -> tuple[Locations, list[str]]:
    """Find the profile and speak its language, so that even the help is in it.

    Returns:
        The profile, and the arguments beside those that name it.
    """
    i18n.set_language("auto")
    early = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    early.add_argument("--data-dir")
    early.add_argument("--profile")
    try:
        known, rest = early.parse_known_args(arguments)
    except argparse.ArgumentError:
        return Locations.find(), list(arguments)  # the real parser says what is wrong
    locations = Locations.find(known.data_dir, known.profile)
    if not locations.settings.exists():
        return locations, rest
    from desk_assistant.settings import Settings

    with contextlib.suppress(DeskError):  # a broken settings file is reported by whoever needs it
        i18n.set_language(Settings.load(locations.settings).text("interface.language"))
    return locations, rest


def _run(arguments: Sequence[str] | None, console: Console, locations: Locations) -> int:
    """Run a command, or the app when there is none; `None` when it is plain that there is none."""
    if arguments is None and interactive():
        return _app(console, locations)
    # The grammar of all commands; whoever opens the app should not wait for it.
    from desk_assistant.cli.arguments import Invocation
    from desk_assistant.cli.grammar import build

    parser = build()
    options = parser.parse_args(arguments or [])
    console.quiet = options.quiet
    console.as_json = getattr(options, "json", False)
    command = getattr(options, "run", None)
    if command is None:
        if not interactive():
            parser.print_help(sys.stderr)
            return InputError.exit_code
        return _app(console, locations)
    result = command(Invocation(options, console, locations))
    if not inspect.iscoroutine(result):
        return int(result)
    import asyncio

    return int(asyncio.run(result))


def _app(console: Console, locations: Locations) -> int:
    from desk_assistant import tui

    code = tui.run(locations)
    if code == StorageError.exit_code and interactive():
        from desk_assistant.cli import rescue

        if rescue.offer(console, locations):
            return tui.run(locations)
    return code


def _help_after(error: DeskError, console: Console, locations: Locations) -> None:
    """Say what can be done about a damaged database, where people read it."""
    from desk_assistant.cli import rescue

    if error.key == rescue.DAMAGED and not console.as_json:
        with contextlib.suppress(DeskError, OSError):
            rescue.hint(console, locations)


def _drop_output() -> None:
    """Point standard output nowhere, so that closing it at exit cannot fail a second time."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
