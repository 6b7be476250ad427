"""The command line's grammar: argparse with its fixed words in the interface language, and the options all share."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from desk_assistant import __version__
from desk_assistant.cli.argument_errors import worded
from desk_assistant.cli.console import Console
from desk_assistant.errors import InputError
from desk_assistant.i18n import t
from desk_assistant.paths import Locations


@dataclass(frozen=True)
class Invocation:
    """One run of a command.

    Attributes:
        options: What was given after the command's name.
        console: Where results and diagnostics go.
        locations: The profile it works on.
    """

    options: argparse.Namespace
    console: Console
    locations: Locations

    def tell(self, values: Mapping[str, object], sentence: str) -> None:
        """Write what a command did: as JSON where that was asked for, else as a sentence."""
        if self.options.json:
            self.console.record(values)
        else:
            self.console.line(sentence)


Command = Callable[[Invocation], "int | Coroutine[Any, Any, int]"]


class Commands(Protocol):
    """What argparse's `add_subparsers` returns."""

    def add_parser(self, name: str, **options: Any) -> Parser:
        """Add a command and return its parser."""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, t("cli.usage") + " " if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """A parser that speaks the interface language and takes the shared options before and after a command's name."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", _Formatter)
        super().__init__(add_help=False, allow_abbrev=False, **options)
        self._positionals.title = t("cli.arguments")
        self._optionals.title = t("cli.options")
        self.add_argument("-h", "--help", action="help", help=t("cli.help_help"))

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, with the usage, and exit as for any unusable input."""
        self.print_usage(sys.stderr)
        self.exit(InputError.exit_code, f"{self.prog}: {t('cli.bad_arguments', reason=worded(message))}\n")


def add_group(commands: Commands, name: str, **options: Any) -> tuple[Parser, Commands]:
    """Add a command that has commands of its own, such as `memory`."""
    parser = commands.add_parser(name, help=t(f"cli.help_{name}"), description=t(f"cli.help_{name}"), **options)
    inner: Any = parser.add_subparsers(
        title=t("cli.commands"), metavar=t("cli.command_name"), required=True, parser_class=Parser
    )
    return parser, inner


def add_command(commands: Commands, name: str, run: Command, *, group: str = "", json: bool = True) -> Parser:
    """Add a command with the shared options.

    Args:
        commands: Where to add it.
        name: Its name; the help is the message `cli.help_[<group>_]<name>`.
        run: What it does.
        group: Name of the command it belongs to.
        json: Whether it has `--json`.
    """
    text = t("cli.help_" + "_".join(part for part in (group, name) if part))
    parser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(run=run)
    if json:
        parser.add_argument("--json", action="store_true", help=t("cli.help_json"))
    add_shared(parser, default=argparse.SUPPRESS)
    return parser


def add_shared(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Add the options that every command has.

    A command's own copy must not have a default, or it would wipe out what was given before the command's name.
    """
    shared = parser.add_argument_group(t("cli.shared_options"))
    shared.add_argument("--data-dir", metavar=t("cli.dir"), default=default, help=t("cli.help_data_dir"))
    shared.add_argument("--profile", metavar=t("cli.name"), default=default, help=t("cli.help_profile"))
    quiet: Any = False if default is None else default
    shared.add_argument("-q", "--quiet", action="store_true", default=quiet, help=t("cli.help_quiet"))


def add_version(parser: argparse.ArgumentParser) -> None:
    """Add `--version`."""
    parser.add_argument(
        "--version", action="version", version=f"desk-assistant {__version__}", help=t("cli.help_version")
    )
