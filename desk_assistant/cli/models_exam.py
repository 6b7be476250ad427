"""`models exam`: what a model is able to do for memory, probe by probe."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant.exam import Probe
    from desk_assistant.models import InstalledModel
    from desk_assistant.models.aptitude import Aptitude


def register(commands: Commands) -> None:
    """Add the command."""
    add_command(commands, "exam", run, group="models").add_argument("id", metavar=t("cli.model"))


async def run(invocation: Invocation) -> int:
    """Put the probes to a model and show each answer."""
    from desk_assistant.errors import InputError
    from desk_assistant.models import ModelStore

    locations = invocation.locations
    model = ModelStore(locations.model_folders, locations.models).find(invocation.options.id)
    if model.kind != "llm":
        raise InputError("cli.not_a_language_model", model=model.id)

    def told(probe: Probe, passed: bool, answer: str) -> None:
        if invocation.options.json:
            invocation.console.record({"probe": probe.name, "passed": passed, "answer": answer})
            return
        mark = t("cli.exam_passed" if passed else "cli.exam_failed")
        invocation.console.line(f"{mark}  {probe.name}", "green" if passed else "yellow")
        invocation.console.line(f"      {probe.text}", "dim")
        invocation.console.line(f"      {' '.join(answer.split()) or '–'}", "dim")

    found = await _examined(invocation, model, told)
    if invocation.options.json:
        right, total = found.score
        invocation.console.record(
            {"id": model.id, "passed": right, "of": total, "reads": found.reads, "summarises": found.summarises}
        )
    else:
        from desk_assistant.assistant.model_card import exam_words

        invocation.console.line(exam_words(found), "bold")
    return 0


async def after_install(invocation: Invocation, model: InstalledModel) -> None:
    """Examine a model that has just come. Where it cannot be loaded, say so: it can be examined later."""
    from desk_assistant.assistant.model_card import exam_words

    if model.kind != "llm":
        return
    console = invocation.console
    try:
        found = await _examined(
            invocation, model, lambda probe, _passed, _answer: console.progress(t("cli.exam_at", probe=probe.name))
        )
    except DeskError as error:
        console.note(t("cli.exam_put_off", reason=error))
    else:
        console.note(exam_words(found))


async def _examined(
    invocation: Invocation, model: InstalledModel, told: Callable[[Probe, bool, str], None]
) -> Aptitude:
    from desk_assistant.assistant.engine import Engine
    from desk_assistant.assistant.reader import Reader
    from desk_assistant.llm import LlmClient
    from desk_assistant.models import ModelStore
    from desk_assistant.settings import Settings

    locations = invocation.locations
    locations.ensure()
    llm = LlmClient(locations.logs / "exam.log")
    models = ModelStore(locations.model_folders, locations.models)
    engine = Engine(llm, models, Settings.load(locations.settings))
    try:
        await engine.load(model)
        return await Reader(engine).examine(model, told)
    finally:
        await llm.stop()
