"""What a sentence-transformers folder says of its model, read without loading anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desk_assistant.errors import ModelError
from desk_assistant.index.records import Role

PROMPTS: Final[Mapping[Role, tuple[str, ...]]] = {"query": ("query",), "document": ("document", "passage", "corpus")}
"""Names under which the library looks for the words that go before a text, the first one found being taken."""

MODULES: Final = ("Transformer", "Pooling", "Normalize")
"""The steps of a model that `index.bert` can compute."""

PLAIN: Final[Mapping[str, Any]] = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
}
"""Values of `config.json` that it can compute; what the file leaves out has these values."""


@dataclass(frozen=True)
class Plain:
    """A model of the most common kind: BERT, mean pooling, unit vectors.

    Attributes:
        layers: Of the encoder.
        heads: Of each attention.
        eps: Of its normalisations.
        tokens: Most tokens it reads of a text, those at both ends included.
        prompts: What goes before a text, by what the text is for.
    """

    layers: int
    heads: int
    eps: float
    tokens: int
    prompts: Mapping[Role, str]


def dimensions(folder: Path) -> int:
    """Return the vector length of a model from its configuration.

    Raises:
        ModelError: The folder is not a sentence-transformers model.
    """
    try:
        pooling = _read(folder / "1_Pooling" / "config.json")
        # Folders written before version 6 of the library use the longer name.
        size = pooling.get("embedding_dimension", pooling.get("word_embedding_dimension"))
        return int(size)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise ModelError("index.embedder_unreadable", path=folder, cause=type(error).__name__) from error


def plain(folder: Path) -> Plain | None:
    """Return what is needed to compute a model with `index.bert`, None for a model that has anything of its own."""
    try:
        config = _read(folder / "config.json")
        reading = _read(folder / "sentence_bert_config.json")
        tokenizer = _read(folder / "tokenizer_config.json")
        modules = [str(module["type"]).rpartition(".")[2] for module in _read(folder / "modules.json")]
        pooling = _read(folder / "1_Pooling" / "config.json")
        usual = all(config.get(key, value) == value for key, value in PLAIN.items()) and "model_type" in config
        if not usual or modules != list(MODULES) or not _pools_means(pooling) or reading.get("do_lower_case"):
            return None
        limits = [reading.get("max_seq_length"), tokenizer.get("model_max_length"), config["max_position_embeddings"]]
        return Plain(
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            eps=float(config["layer_norm_eps"]),
            tokens=int(min(limit for limit in limits if limit is not None)),
            prompts=_prompts(folder),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None  # unusual at the least; the library knows, or says what is wrong


def _pools_means(pooling: Mapping[str, Any]) -> bool:
    if not pooling.get("include_prompt", True):
        return False
    if "pooling_mode" in pooling:
        return bool(pooling["pooling_mode"] == "mean")
    modes = {key for key, value in pooling.items() if key.startswith("pooling_mode_") and value}
    return modes == {"pooling_mode_mean_tokens"}


def _prompts(folder: Path) -> dict[Role, str]:
    file = folder / "config_sentence_transformers.json"
    settings = _read(file) if file.exists() else {}
    known: Mapping[str, str] = settings.get("prompts") or {}
    default = known.get(settings.get("default_prompt_name") or "", "")
    return {role: next((known[name] for name in names if name in known), default) for role, names in PROMPTS.items()}


def _read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
