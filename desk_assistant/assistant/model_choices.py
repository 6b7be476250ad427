"""What a model is loaded and asked with: the person's wish for it, else their general wish, else the catalogue's."""

from __future__ import annotations

from typing import Final

from desk_assistant.i18n import t
from desk_assistant.llm.types import LoadSpec, Sampling
from desk_assistant.models import InstalledModel
from desk_assistant.models.fit import MemoryParts
from desk_assistant.settings import MODEL_SCHEMA, Settings, Value

SAMPLED: Final = ("temperature", "top_p", "top_k", "min_p", "repeat_penalty")
"""Names that the catalogue, the settings and the sampler share."""

THINKING_SWITCH: Final = "enable_thinking"
"""The variable by which chat templates let thinking be switched."""


def load_spec(model: InstalledModel, settings: Settings) -> LoadSpec:
    """Return how to load a model."""
    own = settings.of_model(model.id)
    # A size chosen for all models counts more than the catalogue's for one, the default of the settings less.
    context = settings.integer("model.context") if settings.is_set("model.context") else model.context
    return LoadSpec(
        path=model.path,
        name=model.name,
        context=_whole(own.get("context", context)),
        threads=_whole(own.get("threads", settings.integer("model.threads"))),
        chat_template=model.chat_template,
        stop=model.stop,
        thinking=bool(own.get("thinking", settings.flag("model.thinking"))),
    )


def sampling_for(model: InstalledModel, settings: Settings, max_tokens: int) -> Sampling:
    """Return how to sample from a model.

    Args:
        model: The model.
        settings: The person's settings.
        max_tokens: Longest answer, in tokens, that the prompt leaves room for.
    """
    base, own = model.sampling, settings.of_model(model.id)
    values = {name: own.get(name, getattr(base, name)) for name in SAMPLED}
    wished = settings.number("model.temperature")
    if wished >= 0 and "temperature" not in own:
        values["temperature"] = wished
    if "max_tokens" in own:
        max_tokens = min(max_tokens, _whole(own["max_tokens"]))
    elif model.entry:
        max_tokens = min(max_tokens, base.max_tokens)
    return Sampling(**values, max_tokens=max_tokens)


def in_use(model: InstalledModel, settings: Settings) -> dict[str, Value]:
    """Return every setting of `MODEL_SCHEMA` as it is used for a model."""
    spec = load_spec(model, settings)
    sampling = sampling_for(model, settings, settings.integer("prompt.answer_tokens"))
    return {
        setting.key: getattr(spec if hasattr(spec, setting.key) else sampling, setting.key) for setting in MODEL_SCHEMA
    }


def can_switch_thinking(model: InstalledModel) -> bool:
    """Tell whether the model's template can let it think before it answers.

    Raises:
        ModelError: The file is missing, damaged, not a language model or has no chat template.
    """
    return THINKING_SWITCH in (model.chat_template or model.header().text("tokenizer.chat_template"))


def fit_words(parts: MemoryParts) -> str:
    """Return the memory a model needs as a sentence with its parts."""
    return t(
        "assistant.fit_parts" if parts.available is not None else "assistant.fit_parts_unknown",
        need=gigabytes(parts.total),
        weights=gigabytes(parts.weights),
        context=parts.context,
        kv=gigabytes(parts.kv),
        rest=gigabytes(parts.compute + parts.overhead),
        free=gigabytes((parts.available or 0) + parts.releasing),
        verdict=t("assistant.fits" if parts.fits else "assistant.fits_not"),
    )


def gigabytes(size: int) -> str:
    """Return a size for people."""
    return f"{size / 2**30:.2f} GB" if size < 2**30 else f"{size / 2**30:.1f} GB"


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value
