"""`models`: the models on this machine and in the catalogue, checking them, and choosing one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desk_assistant import i18n
from desk_assistant.cli import models_exam, models_info
from desk_assistant.cli.arguments import Commands, Invocation, add_command, add_group
from desk_assistant.cli.console import pad
from desk_assistant.errors import DeskError, InputError, ModelError
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.models import CatalogueEntry, InstalledModel, ModelStore
    from desk_assistant.models.progress import Progress, ProgressCallback

AUTOMATIC = "auto"


def register(commands: Commands) -> None:
    """Add the commands."""
    _, inner = add_group(commands, "models")
    add_command(inner, "list", list_models, group="models")
    verify_parser = add_command(inner, "verify", verify, group="models")
    verify_parser.add_argument("id", nargs="*", metavar=t("cli.model"), help=t("cli.help_verify_id"))
    add_command(inner, "install", install, group="models").add_argument("id", metavar=t("cli.model"))
    bring = add_command(inner, "import", bring_in, group="models")
    bring.add_argument("file", metavar=t("cli.file"), help=t("cli.help_models_file"))
    bring.add_argument("--name", metavar=t("cli.name"), help=t("cli.help_models_name"))
    bring.add_argument("--mode", choices=("copy", "link", "leave"), default="copy", help=t("cli.help_models_mode"))
    choose = add_command(inner, "use", use, group="models")
    choose.add_argument("id", metavar=t("cli.model"), help=t("cli.help_models_use_id"))
    models_info.register(inner)
    models_exam.register(inner)
    add_command(inner, "remove", remove, group="models").add_argument("id", metavar=t("cli.model"))


def list_models(invocation: Invocation) -> int:
    """List the models that are here, then those of the catalogue that are not."""
    from desk_assistant.settings import Settings

    store, console = _store(invocation), invocation.console
    chosen = Settings.load(invocation.locations.settings).text("model.name")
    here = store.list()
    absent = [entry for entry in store.catalogue if not store.has(entry.id)]
    if invocation.options.json:
        for model in here:
            console.record(_shape(model, chosen))
        for entry in absent:
            console.record(_absent_shape(entry))
        return 0
    for model in here:
        used = t("cli.model_in_use") if model.id == chosen else ""
        licence = f", {model.entry.licence}" if model.entry else ""
        console.line(f"{pad(model.id, 26)} {_size(model.size)}  {model.name}{licence}  {used}".rstrip(), "bold")
        if model.entry:
            console.line(f"{'':26}          {_summary(model.entry)}", "dim")
    if not here:
        console.note(t("cli.no_models"))
    if absent:
        console.line()
        console.line(t("cli.models_to_get"))
    for entry in absent:
        console.line(f"{pad(entry.id, 26)} {_size(entry.size or entry.size_hint or 0)}  {entry.name}, {entry.licence}")
        console.line(f"{'':26}          {_summary(entry)}", "dim")
    return 0


def verify(invocation: Invocation) -> int:
    """Compare every file with the checksum taken at its install; the code is that of a model error when one differs."""
    store, console = _store(invocation), invocation.console
    wanted = invocation.options.id or [model.id for model in store.list()]
    if not wanted:
        raise ModelError("cli.no_models_to_verify")
    worst = 0
    for model_id in wanted:
        try:
            store.verify(model_id, _progress(invocation))
            problem = None
        except DeskError as error:
            problem, worst = str(error), error.exit_code
        if invocation.options.json:
            console.record({"id": model_id, "ok": problem is None, "problem": problem})
        elif problem is None:
            console.line(t("cli.model_ok", model=model_id), "green")
        else:
            console.warn(problem)
    return worst


async def install(invocation: Invocation) -> int:
    """Fetch a model of the catalogue: the one command that opens a network connection."""
    from desk_assistant.models import Installer

    store = _store(invocation)
    entry = store.catalogue.get(invocation.options.id)
    if entry.terms:
        invocation.console.note(entry.terms)
    model = Installer(store).install(entry.id, _progress(invocation))
    invocation.tell(
        {"id": model.id, "path": str(model.path)}, t("cli.model_installed", model=model.id, path=model.path)
    )
    await models_exam.after_install(invocation, model)
    return 0


async def bring_in(invocation: Invocation) -> int:
    """Add a GGUF file of one's own."""
    from desk_assistant.models import import_model

    options = invocation.options
    model = import_model(_store(invocation), Path(options.file), options.mode, options.name, _progress(invocation))
    invocation.tell(
        {"id": model.id, "path": str(model.path)}, t("cli.model_installed", model=model.id, path=model.path)
    )
    await models_exam.after_install(invocation, model)
    invocation.console.note(t("cli.model_use_hint", model=model.id))
    return 0


def use(invocation: Invocation) -> int:
    """Choose the model that answers, or go back to the automatic choice."""
    from desk_assistant.settings import Settings

    model_id, locations = invocation.options.id, invocation.locations
    if model_id != AUTOMATIC:
        model = _store(invocation).find(model_id)
        if model.kind != "llm":
            raise InputError("cli.not_a_language_model", model=model_id)
        model.header()
    locations.ensure()
    Settings.load(locations.settings).set("model.name", model_id)
    invocation.tell({"id": model_id, "chosen": True}, t("cli.model_chosen", model=model_id))
    return 0


def remove(invocation: Invocation) -> int:
    """Delete a model from this machine."""
    model_id = invocation.options.id
    freed = _store(invocation).remove(model_id)
    invocation.tell({"id": model_id, "freed": freed}, t("cli.model_removed", model=model_id, size=_size(freed).strip()))
    return 0


def _store(invocation: Invocation) -> ModelStore:
    from desk_assistant.models import ModelStore

    locations = invocation.locations
    return ModelStore(locations.model_folders, locations.models)


def _progress(invocation: Invocation) -> ProgressCallback:
    def show(progress: Progress) -> None:
        invocation.console.progress(str(progress), step=f"{progress.model} {progress.stage}")

    return show


def _shape(model: InstalledModel, chosen: str) -> dict[str, object]:
    return {
        "id": model.id,
        "installed": True,
        "kind": model.kind,
        "name": model.name,
        "size": model.size,
        "languages": list(model.languages),
        "licence": model.entry.licence if model.entry else None,
        "context": model.context,
        "path": str(model.path),
        "chosen": model.id == chosen,
    }


def _absent_shape(entry: CatalogueEntry) -> dict[str, object]:
    return {
        "id": entry.id,
        "installed": False,
        "kind": entry.kind,
        "name": entry.name,
        "size": entry.size or entry.size_hint,
        "languages": list(entry.languages),
        "licence": entry.licence,
        "context": entry.context,
        "memory_mb": entry.memory_mb,
    }


def _summary(entry: CatalogueEntry) -> str:
    return entry.summary.get(i18n.language()) or entry.summary.get("en", "")


def _size(size: int) -> str:
    return f"{size / 1e6:6.0f} MB" if size < 1e9 else f"{size / 1e9:6.1f} GB"
