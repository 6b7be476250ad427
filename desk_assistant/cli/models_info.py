"""`models info` and `models set`: all about one model, and what is set for it alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import pad
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.assistant.model_card import CardLine
    from desk_assistant.models import InstalledModel, ModelStore
    from desk_assistant.paths import Locations

DEFAULT: Final = "default"
LABEL_CELLS: Final = 18


def register(commands: Commands) -> None:
    """Add the commands."""
    from desk_assistant.settings import MODEL_SCHEMA

    names = [setting.key for setting in MODEL_SCHEMA]
    add_command(commands, "info", info, group="models").add_argument("id", metavar=t("cli.model"))
    change = add_command(commands, "set", change_setting, group="models")
    change.add_argument("id", metavar=t("cli.model"))
    change.add_argument("name", metavar=t("cli.name"), help=t("cli.help_models_setting", names=", ".join(names)))
    change.add_argument("value", help=t("cli.help_models_value"))


def info(invocation: Invocation) -> int:
    """Show what is known about a model of this machine, or of the catalogue."""
    from desk_assistant.assistant.exam import VERSION
    from desk_assistant.assistant.model_card import model_card
    from desk_assistant.assistant.model_choices import can_switch_thinking, in_use, load_spec
    from desk_assistant.models.aptitude import Aptitudes
    from desk_assistant.models.fit import estimate
    from desk_assistant.settings import Settings

    console, locations = invocation.console, invocation.locations
    model = _find(invocation)
    settings = Settings.load(locations.settings)
    if model.kind != "llm":
        if invocation.options.json:
            console.record({"id": model.id, "name": model.name, "kind": model.kind, "path": str(model.path)})
        else:
            _lines(invocation, model_card(model, settings, None))
        return 0
    header = model.header()
    parts = estimate(header, load_spec(model, settings).context)
    speed = _speed(locations, model.id)
    aptitude = Aptitudes(_store(invocation), VERSION).of(model)
    if invocation.options.json:
        console.record(
            {
                "id": model.id,
                "name": model.name,
                "kind": model.kind,
                "path": str(model.path),
                "size": model.size,
                "architecture": header.architecture,
                "trained_context": header.context_length,
                "licence": model.entry.licence if model.entry else None,
                "thinking_switch": can_switch_thinking(model),
                "memory": {
                    "weights": parts.weights,
                    "context": parts.kv,
                    "working": parts.compute + parts.overhead,
                    "total": parts.total,
                    "available": parts.available,
                    "fits": parts.fits,
                },
                "speed": speed,
                "exam": None
                if aptitude is None
                else {
                    "passed": aptitude.score[0],
                    "of": aptitude.score[1],
                    "reads": aptitude.reads,
                    "summarises": aptitude.summarises,
                },
                "settings": in_use(model, settings),
                "set_for_this_model": sorted(settings.of_model(model.id)),
            }
        )
        return 0
    console.line(f"{model.name} ({model.id})", "bold")
    if model.entry:
        console.line(f"{model.entry.describe()} {model.entry.licence}", "dim")
    _lines(invocation, model_card(model, settings, parts, speed=speed, aptitude=aptitude))
    return 0


def change_setting(invocation: Invocation) -> int:
    """Set one thing for one model, or let it follow the general settings again."""
    from desk_assistant.settings import Settings

    options, locations = invocation.options, invocation.locations
    model = _find(invocation)
    locations.ensure()
    settings, key = Settings.load(locations.settings), f"models.{model.id}.{options.name}"
    done: dict[str, object]
    if options.value == DEFAULT:
        settings.unset(key)
        done = {"id": model.id, "name": options.name, "value": None}
        invocation.tell(done, t("cli.model_unset", model=model.id, name=options.name))
        return 0
    value = settings.set(key, options.value)
    done = {"id": model.id, "name": options.name, "value": value}
    invocation.tell(done, t("cli.model_set", model=model.id, name=options.name, value=value))
    return 0


def _store(invocation: Invocation) -> ModelStore:
    from desk_assistant.models import ModelStore

    locations = invocation.locations
    return ModelStore(locations.model_folders, locations.models)


def _find(invocation: Invocation) -> InstalledModel:
    return _store(invocation).find(invocation.options.id)


def _speed(locations: Locations, model_id: str) -> float | None:
    """Return the speed that the app or `ask` has seen on this profile; a profile that is not there has seen none."""
    from desk_assistant.assistant.model_notes import ModelNotes
    from desk_assistant.store import Store

    if not locations.database.exists():
        return None
    try:
        store = Store(locations.database, locations.backups)
    except DeskError:  # a damaged profile says nothing about the model, and whoever opens it is told
        return None
    try:
        return ModelNotes(store.meta).speed(model_id)
    finally:
        store.close()


def _lines(invocation: Invocation, lines: Sequence[CardLine]) -> None:
    for line in lines:
        invocation.console.line(f"  {pad(line.label, LABEL_CELLS)} {line.text}")
