"""`completion`: what makes a shell complete this program's commands and options, for copies no installer has set up."""

from __future__ import annotations

from desk_assistant import i18n
from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.i18n import t

SHELLS = ("bash", "zsh", "fish")


def register(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(commands, "completion", run, json=False)
    parser.add_argument("shell", choices=SHELLS, help=t("cli.help_completion_shell"))


def run(invocation: Invocation) -> int:
    """Print the completion of a shell, in the interface language."""
    from desk_assistant.cli import shell_completions
    from desk_assistant.cli.command_tree import commands

    write = {"bash": shell_completions.bash, "zsh": shell_completions.zsh, "fish": shell_completions.fish}
    for line in write[invocation.options.shell](commands(i18n.language())).rstrip("\n").split("\n"):
        invocation.console.line(line)
    return 0
