"""`models info` and `models set`: all about one model, and what is set for it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from desk_assistant.cli.arguments import Commands, Invocation, add_command
from desk_assistant.cli.console import pad
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.models import InstalledModel

DEFAULT: Final = "default"
LABEL_CELLS: Final = 18


def register(commands: Commands) -> None:
    """Add the commands."""
    from desk_assistant.settings import MODEL_SCHEMA

    names = [setting.key for setting in MODEL_SCHEMA]
    add_command(commands, "info", info, group="models").add_argument("id", metavar=t("cli.model"))
    change = add_command(commands, "set", change_setting, group="models", json=False)
    change.add_argument("id", metavar=t("cli.model"))
    change.add_argument("name", metavar=t("cli.name"), help=t("cli.help_models_setting", names=", ".join(names)))
    change.add_argument("value", help=t("cli.help_models_value"))


def info(invocation: Invocation) -> int:
    """Show what is known about a model of this machine, or of the catalogue."""
    from desk_assistant.assistant.model_choices import can_switch_thinking, fit_words, in_use, load_spec
    from desk_assistant.models.fit import estimate
    from desk_assistant.settings import Settings

    console, locations = invocation.console, invocation.locations
    model = _find(invocation)
    settings = Settings.load(locations.settings)
    if model.kind != "llm":
        facts: dict[str, object] = {"id": model.id, "name": model.name, "kind": model.kind, "path": str(model.path)}
        if invocation.options.json:
            console.record(facts)
        else:
            _line(invocation, t("cli.model_file"), f"{model.path} ({model.size / 1e6:.0f} MB)")
        return 0
    header = model.header()
    parts = estimate(header, load_spec(model, settings).context)
    switch = can_switch_thinking(model)
    own = settings.of_model(model.id)
    used = in_use(model, settings)
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
                "thinking_switch": switch,
                "memory": {
                    "weights": parts.weights,
                    "context": parts.kv,
                    "working": parts.compute + parts.overhead,
                    "total": parts.total,
                    "available": parts.available,
                    "fits": parts.fits,
                },
                "settings": used,
                "set_for_this_model": sorted(own),
            }
        )
        return 0
    console.line(f"{model.name} ({model.id})", "bold")
    if model.entry:
        console.line(f"{model.entry.describe()} {model.entry.licence}", "dim")
    _line(invocation, t("cli.model_file"), f"{model.path} ({model.size / 1e6:.0f} MB)")
    _line(invocation, t("cli.model_kind"), header.architecture)
    _line(invocation, t("cli.model_trained"), t("cli.model_trained_tokens", count=header.context_length))
    _line(invocation, t("cli.model_memory"), fit_words(parts))
    template = "cli.model_template_catalogue" if model.chat_template else "cli.model_template_own"
    _line(invocation, t("cli.model_template"), t(template))
    thinking = "cli.model_thinking_switch" if switch else "cli.model_thinking_fixed"
    _line(invocation, t("cli.model_thinking"), t(thinking, model=model.id))
    label = t("cli.model_settings")
    for name, value in used.items():
        _line(invocation, label, f"{name} = {value} {t('cli.model_own') if name in own else ''}".rstrip())
        label = ""
    return 0


def change_setting(invocation: Invocation) -> int:
    """Set one thing for one model, or let it follow the general settings again."""
    from desk_assistant.settings import Settings

    options, locations = invocation.options, invocation.locations
    model = _find(invocation)
    locations.ensure()
    settings, key = Settings.load(locations.settings), f"models.{model.id}.{options.name}"
    if options.value == DEFAULT:
        settings.unset(key)
        invocation.console.line(t("cli.model_unset", model=model.id, name=options.name))
        return 0
    value = settings.set(key, options.value)
    invocation.console.line(t("cli.model_set", model=model.id, name=options.name, value=value))
    return 0


def _find(invocation: Invocation) -> InstalledModel:
    from desk_assistant.models import ModelStore

    locations = invocation.locations
    return ModelStore(locations.model_folders, locations.models).find(invocation.options.id)


def _line(invocation: Invocation, label: str, text: str) -> None:
    invocation.console.line(f"  {pad(label, LABEL_CELLS)} {text}")
