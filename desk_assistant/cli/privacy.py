"""`privacy check`: what the filter would mask in a text, before any of it is kept."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from desk_assistant import shapes
from desk_assistant.cli.arguments import Commands, Invocation, add_command, add_group
from desk_assistant.cli.jsonl import PARTLY_DONE, BadLine, read_lines
from desk_assistant.errors import InputError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.privacy import PrivacyGate


def register(commands: Commands) -> None:
    """Add the commands."""
    _, inner = add_group(commands, "privacy")
    check = add_command(inner, "check", run, group="privacy")
    check.add_argument("text", nargs="*", metavar=t("cli.text_or_dash"), help=t("cli.help_privacy_text"))
    check.add_argument("--jsonl", metavar=t("cli.file"), help=t("cli.help_privacy_jsonl"))


def run(invocation: Invocation) -> int:
    """Check a text, or every line of a file; nothing is written anywhere but to the output."""
    options, console = invocation.options, invocation.console
    if bool(options.text) == bool(options.jsonl):
        raise InputError("cli.text_or_jsonl")
    from desk_assistant import textkit
    from desk_assistant.privacy import PrivacyGate
    from desk_assistant.settings import Settings

    gate = PrivacyGate(allow=Settings.load(invocation.locations.settings).words("privacy.allow"))
    if options.jsonl:
        return _check_file(invocation, gate)
    text = " ".join(options.text)
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", errors="replace")
    masked = gate.mask(textkit.clean(text))
    if options.json:
        console.record({"masked": masked.text, "spans": shapes.spans(masked.spans)})
        return 0
    console.line(masked.text)
    if not masked.spans:
        console.note(t("cli.nothing_private"), "dim")
    for span in masked.spans:
        console.note(t("cli.private_part", kind=t(f"privacy.kind_{span.type}"), start=span.start, end=span.end), "dim")
    return 0


def _check_file(invocation: Invocation, gate: PrivacyGate) -> int:
    bad = 0
    for row in read_lines(invocation.options.jsonl, required=("text",)):
        if isinstance(row, BadLine):
            invocation.console.warn(str(row))
            bad += 1
            continue
        number, line = row
        masked = gate.mask(line["text"])
        answer: dict[str, Any] = {
            "id": line.get("id", number),
            "masked": masked.text,
            "spans": shapes.spans(masked.spans),
        }
        invocation.console.record(answer)
    return PARTLY_DONE if bad else 0
