"""Completions for bash, zsh and fish: commands, options, and the values of those that have a few."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from desk_assistant.cli.command_tree import Command, Option

PROGRAM: Final = "desk-assistant"

BASH: Final = """\
# Completion of desk-assistant for bash.
_desk_assistant() {{
    local at="" word words="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        word="${{COMP_WORDS[i]}}"
        case "$at $word" in
            {steps}) at="$at $word" ;;
        esac
    done
    case "$at ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{values}
    esac
    if [[ -z $words ]]; then
        case "$at" in
{words}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o bashdefault -o default -F _desk_assistant desk-assistant
"""

ZSH: Final = """\
#compdef desk-assistant
# Completion of desk-assistant for zsh.
_desk_assistant() {{
    local at="" word
    local -a found
    for word in ${{words[2,CURRENT-1]}}; do
        case "$at $word" in
            ({steps}) at="$at $word" ;;
        esac
    done
    case "$at ${{words[CURRENT-1]}}" in
{values}
    esac
    if (( $#found )); then
        compadd -a found
        return
    fi
    case "$at" in
{words}
    esac
    _describe 'desk-assistant' found || _files
}}
_desk_assistant "$@"
"""

FISH: Final = """\
# Completion of desk-assistant for fish.
function __desk_assistant_at
    set -l at ""
    for word in (commandline -opc)[2..-1]
        switch "$at $word"
            case {steps}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
"""


def bash(commands: Sequence[Command]) -> str:
    """Return the completion for bash."""
    return BASH.format(
        steps="|".join(f'"{_at(command)}"' for command in commands if command.words),
        values="\n".join(
            f'        "{_at(command)} {flag}") words="{" ".join(option.choices)}" ;;'
            for command, option, flag in _choices(commands)
        ),
        words="\n".join(
            f'            "{_at(command)}") words="{" ".join(_words(command))}" ;;' for command in commands
        ),
    )


def zsh(commands: Sequence[Command]) -> str:
    """Return the completion for zsh, with a line of help for each word."""
    return ZSH.format(
        steps="|".join(f'"{_at(command)}"' for command in commands if command.words),
        values="\n".join(
            f'        ("{_at(command)} {flag}") found=({" ".join(option.choices)}) ;;'
            for command, option, flag in _choices(commands)
        ),
        words="\n".join(
            f'        ("{_at(command)}") found=({" ".join(_quoted(f"{w}:{h}") for w, h in _told(command))}) ;;'
            for command in commands
        ),
    )


def fish(commands: Sequence[Command]) -> str:
    """Return the completion for fish, with a line of help for each word."""
    lines = [FISH.format(steps=" ".join(f'"{_at(command)}"' for command in commands if command.words))]
    for command in commands:
        here = f"complete -c {PROGRAM} -n '__desk_assistant_at \"{_at(command)}\"'"
        lines += [f"{here} -f -a {word} -d {_quoted(text)}" for word, text in command.inner]
        for option in command.options:
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in option.flags)
            value = f" -x -a {_quoted(' '.join(option.choices))}" if option.choices else " -r" if option.value else ""
            lines.append(f"{here} {flags}{value} -d {_quoted(option.help)}")
    return "\n".join(lines) + "\n"


def _at(command: Command) -> str:
    """Return where in the command line a command is: each of its words after a space."""
    return "".join(f" {word}" for word in command.words)


def _words(command: Command) -> list[str]:
    return [word for word, _ in _told(command)]


def _told(command: Command) -> list[tuple[str, str]]:
    options = [(flag, option.help) for option in command.options for flag in option.flags]
    return [*command.inner, *options]


def _choices(commands: Iterable[Command]) -> list[tuple[Command, Option, str]]:
    return [
        (command, option, flag)
        for command in commands
        for option in command.options
        if option.choices
        for flag in option.flags
    ]


def _quoted(text: str) -> str:
    """Return a text as one word of a shell. The marks of its own become typographic ones: it is only read."""
    return "'" + text.replace("'", "’").replace("\\", "/") + "'"
