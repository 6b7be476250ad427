"""Sentence-transformers folders with random weights: small enough to be made in a test, and as real as any other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save_file

LAYERS, HEADS, WIDE, POSITIONS = 2, 2, 48, 32
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
LETTERS = "▁abcdefghijklmnopqrstuvwxyz我你的猫叫豆包在成都.,?"
WORDS = ("▁the", "▁cat", "▁is", "▁call", "ed", "▁rent", "▁due", "on", "▁on", "in", "the", "我的", "我的猫", "成都")


def make_model(folder: Path, *, hidden: int = 16, seed: int = 1, half: bool = False, **config: Any) -> Path:
    """Write a model of the common kind, or one that differs in `config`, and return its folder."""
    folder.mkdir(parents=True)
    pieces = [*SPECIAL, *LETTERS, *WORDS]
    chance = np.random.default_rng(seed)
    weights = {name: chance.normal(0, 0.3, shape).astype(np.float32) for name, shape in _shapes(len(pieces), hidden)}
    kind = np.float16 if half else np.float32
    save_file({name: w.astype(kind) for name, w in weights.items()}, folder / "model.safetensors", {"format": "pt"})
    settings = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_size": hidden,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": WIDE,
        "vocab_size": len(pieces),
        "max_position_embeddings": POSITIONS,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "hidden_act": "gelu",
        "pad_token_id": 1,
    }
    _json(folder / "config.json", settings | config)
    names = (
        "sentence_transformers.base.modules.transformer.Transformer",
        "sentence_transformers.sentence_transformer.modules.pooling.Pooling",
        "sentence_transformers.base.modules.normalize.Normalize",
    )
    paths = "", "1_Pooling", "2_Normalize"
    modules = [
        {"idx": place, "name": str(place), "path": path, "type": name}
        for place, (name, path) in enumerate(zip(names, paths, strict=True))
    ]
    _json(folder / "modules.json", modules)
    _json(folder / "sentence_bert_config.json", {"max_seq_length": POSITIONS})
    prompts = {"query": "ask: ", "document": "say: "}
    _json(folder / "config_sentence_transformers.json", {"model_type": "SentenceTransformer", "prompts": prompts})
    for path in paths[1:]:
        (folder / path).mkdir()
    _json(folder / "1_Pooling" / "config.json", {"embedding_dimension": hidden, "pooling_mode": "mean"})
    write_tokenizer(folder, pieces)
    return folder


def write_tokenizer(folder: Path, pieces: Sequence[str]) -> None:
    """Write a unigram tokenizer; later pieces are less likely."""
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    scores = [0.0 if piece in SPECIAL else -2.0 - 0.13 * place for place, piece in enumerate(pieces)]
    tokenizer = Tokenizer(models.Unigram(list(zip(pieces, scores, strict=True)), unk_id=3, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " "), normalizers.Strip()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    ends = [("<s>", 0), ("</s>", 2)]
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in SPECIAL])
    tokenizer.save(str(folder / "tokenizer.json"))
    _json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": "<s>",
            "eos_token": "</s>",
            "pad_token": "<pad>",
            "unk_token": "<unk>",
            "model_max_length": POSITIONS,
            "split_special_tokens": True,
        },
    )


def _shapes(vocabulary: int, hidden: int) -> list[tuple[str, tuple[int, ...]]]:
    shapes: list[tuple[str, tuple[int, ...]]] = [
        ("embeddings.word_embeddings.weight", (vocabulary, hidden)),
        ("embeddings.position_embeddings.weight", (POSITIONS, hidden)),
        ("embeddings.token_type_embeddings.weight", (2, hidden)),
        ("pooler.dense.weight", (hidden, hidden)),
        ("pooler.dense.bias", (hidden,)),
    ]
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}"
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
        square = [f"{at}.attention.self.{part}" for part in ("query", "key", "value")] + [
            f"{at}.attention.output.dense"
        ]
        matrices = dict.fromkeys(square, (hidden, hidden))
        matrices |= {f"{at}.intermediate.dense": (WIDE, hidden), f"{at}.output.dense": (hidden, WIDE)}
        for name, shape in matrices.items():
            shapes += [(f"{name}.weight", shape), (f"{name}.bias", shape[:1])]
    return shapes + [(f"{name}.{part}", (hidden,)) for name in norms for part in ("weight", "bias")]


def _json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
