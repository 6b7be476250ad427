"""All there is to say about one model of this machine, as labelled lines that every front end shows alike."""

from __future__ import annotations

from dataclasses import dataclass

from desk_assistant.assistant.model_choices import can_switch_thinking, fit_words, in_use
from desk_assistant.i18n import t
from desk_assistant.models import InstalledModel
from desk_assistant.models.aptitude import Aptitude
from desk_assistant.models.fit import MemoryParts
from desk_assistant.settings import Settings


@dataclass(frozen=True)
class CardLine:
    """One line; a line without a label goes on with the one before it."""

    label: str
    text: str


def model_card(
    model: InstalledModel,
    settings: Settings,
    parts: MemoryParts | None,
    *,
    speed: float | None = None,
    aptitude: Aptitude | None = None,
) -> tuple[CardLine, ...]:
    """Describe a model.

    Args:
        model: The model.
        settings: The person's settings.
        parts: What it needs of the memory; None for a model that answers nothing.
        speed: Tokens a second that it was seen to answer at here, None when it never answered.
        aptitude: What its exam has shown, None before it.

    Raises:
        ModelError: The file is missing, damaged, not a language model or has no chat template.
    """
    lines = [CardLine(t("models.card_file"), f"{model.path} ({megabytes(model.size)})")]
    if model.entry is not None:
        lines.append(CardLine(t("models.card_licence"), model.entry.licence))
    if parts is None:
        return tuple(lines)
    header = model.header()
    trained = t("models.card_trained_tokens", count=header.context_length)
    lines.append(CardLine(t("models.card_kind"), f"{header.architecture}, {trained}"))
    lines.append(CardLine(t("models.card_memory"), fit_words(parts)))
    template = "models.card_template_catalogue" if model.chat_template else "models.card_template_own"
    lines.append(CardLine(t("models.card_template"), t(template)))
    thinking = "models.card_thinking_switch" if can_switch_thinking(model) else "models.card_thinking_fixed"
    lines.append(CardLine(t("models.card_thinking"), t(thinking)))
    seen = t("models.card_speed_seen", speed=f"{speed:.1f}") if speed else t("models.card_speed_unseen")
    lines.append(CardLine(t("models.card_speed"), seen))
    lines.append(CardLine(t("models.card_exam"), exam_words(aptitude)))
    own = settings.of_model(model.id)
    label = t("models.card_settings")
    for name, value in in_use(model, settings).items():
        lines.append(CardLine(label, f"{name} = {value} {t('models.card_own') if name in own else ''}".rstrip()))
        label = ""
    return tuple(lines)


def exam_words(aptitude: Aptitude | None) -> str:
    """Return the result of an exam, and what follows from it, as a sentence."""
    if aptitude is None:
        return t("models.exam_not_yet")
    right, total = aptitude.score
    able = [
        t(f"models.exam_{what}", languages=t("models.list_comma").join(t(f"models.language_{x}") for x in languages))
        for what, languages in (("reads", aptitude.reads), ("summarises", aptitude.summarises))
        if languages
    ]
    return " ".join((t("models.exam_score", right=right, total=total), *(able or [t("models.exam_rules_alone")])))


def megabytes(size: int) -> str:
    """Return a file's size for people, in decimal units as shops and download pages give it."""
    return f"{size / 1e6:.0f} MB" if size < 1e9 else f"{size / 1e9:.1f} GB"
