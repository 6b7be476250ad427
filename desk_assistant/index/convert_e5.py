"""Converts the packed four-bit multilingual-e5-small into a standard sentence-transformers folder.

    python -m desk_assistant.index.convert_e5 SRC.bin DST_DIR

Progress goes to standard error, one line a step. The folder appears whole or not at all: it is written beside its
final place and renamed. The weights are kept as fp16: half the size, and its rounding is far below the step of the
four-bit packing they come from.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from desk_assistant.errors import DeskError, StorageError
from desk_assistant.index.charsmap import build_charsmap
from desk_assistant.index.e5_file import Array, E5File, Vocabulary

Report = Callable[[str], None]

MAX_TOKENS: Final = 512
_MASK: Final = "<mask>"

_MODULES: Final = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"},
    {
        "idx": 1,
        "name": "1",
        "path": "1_Pooling",
        "type": "sentence_transformers.sentence_transformer.modules.pooling.Pooling",
    },
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.base.modules.normalize.Normalize"},
]

# (name in the packed file, name in a BERT checkpoint, output rows, input columns) as keys of `_sizes`; columns "" is a
# vector.
_LAYER: Final = (
    ("q.w", "attention.self.query.weight", "hidden", "hidden"),
    ("q.b", "attention.self.query.bias", "hidden", ""),
    ("k.w", "attention.self.key.weight", "hidden", "hidden"),
    ("k.b", "attention.self.key.bias", "hidden", ""),
    ("v.w", "attention.self.value.weight", "hidden", "hidden"),
    ("v.b", "attention.self.value.bias", "hidden", ""),
    ("ao.w", "attention.output.dense.weight", "hidden", "hidden"),
    ("ao.b", "attention.output.dense.bias", "hidden", ""),
    ("aln.w", "attention.output.LayerNorm.weight", "hidden", ""),
    ("aln.b", "attention.output.LayerNorm.bias", "hidden", ""),
    ("fi.w", "intermediate.dense.weight", "ffn", "hidden"),
    ("fi.b", "intermediate.dense.bias", "ffn", ""),
    ("fo.w", "output.dense.weight", "hidden", "ffn"),
    ("fo.b", "output.dense.bias", "hidden", ""),
    ("oln.w", "output.LayerNorm.weight", "hidden", ""),
    ("oln.b", "output.LayerNorm.bias", "hidden", ""),
)
_EMBEDDINGS: Final = (
    ("emb.word", "embeddings.word_embeddings.weight", "vocab", "hidden"),
    ("emb.pos", "embeddings.position_embeddings.weight", "positions", "hidden"),
    ("emb.type", "embeddings.token_type_embeddings.weight", "types", "hidden"),
    ("emb.ln.w", "embeddings.LayerNorm.weight", "hidden", ""),
    ("emb.ln.b", "embeddings.LayerNorm.bias", "hidden", ""),
)


def convert(source: Path, target: Path, report: Report = lambda _: None, *, centre: bool = True) -> None:
    """Write the sentence-transformers folder `target` from the packed file `source`.

    An existing folder at `target` is replaced only when the new one is complete.

    Args:
        source: The packed file.
        target: The folder to make.
        report: Called with a line at each step.
        centre: Also load the model once and keep the mean of its background beside it, which takes ten seconds now
            and saves them at the first start of the index.

    Raises:
        ModelError: The source is not such a file or is damaged.
        StorageError: The target cannot be written; nothing is left behind.
    """
    report(f"reading {source.name}")
    packed = E5File(source)
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        report("writing the tokenizer")
        _write_tokenizer(packed.vocabulary, part)
        _write_configuration(packed, part)
        report("unpacking the weights")
        _write_weights(packed, part)
        if centre:
            report("measuring the background")
            _write_centre(part)
        _replace(part, target)
    except OSError as error:
        raise StorageError(
            "index.convert_unwritable", path=target, reason=error.strerror or error, cause=repr(error)
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    report("done")


def tensors(packed: E5File) -> Iterator[tuple[str, Array]]:
    """Yield each tensor under its name in a BERT checkpoint, float32."""
    shape = packed.shape
    sizes = {
        "hidden": shape.hidden,
        "ffn": shape.ffn,
        "vocab": shape.vocab,
        "positions": shape.positions,
        "types": shape.types,
    }
    rows = [*_EMBEDDINGS]
    for layer in range(shape.layers):
        rows += [(f"l{layer}.{a}", f"encoder.layer.{layer}.{b}", out, into) for a, b, out, into in _LAYER]
    for packed_name, name, out, into in rows:
        yield name, packed.tensor(packed_name, *(sizes[key] for key in (out, into) if key))
    # The model was trained without a pooler, but the loader reports missing weights; it is never read.
    yield "pooler.dense.weight", np.zeros((shape.hidden, shape.hidden), dtype=np.float32)
    yield "pooler.dense.bias", np.zeros(shape.hidden, dtype=np.float32)


def _write_weights(packed: E5File, folder: Path) -> None:
    from safetensors.numpy import save_file

    weights = {name: tensor.astype(np.float16) for name, tensor in tensors(packed)}
    file = folder / "model.safetensors"
    save_file(weights, file, metadata={"format": "pt"})
    # The library makes it private to its owner, but a model installed for all people of a machine is for all of them.
    file.chmod(0o644)


def _write_centre(folder: Path) -> None:
    from desk_assistant.index.embedder import Embedder

    Embedder(folder)


def _write_tokenizer(vocabulary: Vocabulary, folder: Path) -> None:
    from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = vocabulary.pieces
    tokenizer = Tokenizer(
        models.Unigram(list(zip(pieces, vocabulary.scores, strict=True)), unk_id=vocabulary.unk, byte_fallback=False)
    )
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Precompiled(build_charsmap(vocabulary.replacements)),
            normalizers.Replace(Regex(" {2,}"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    bos, eos = pieces[vocabulary.bos], pieces[vocabulary.eos]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}",
        pair=f"{bos} $A {eos} {eos} $B {eos}",
        special_tokens=[(bos, vocabulary.bos), (eos, vocabulary.eos)],
    )
    special = [bos, pieces[vocabulary.pad], eos, pieces[vocabulary.unk]]
    if pieces[-1] == _MASK:
        special.append(_MASK)
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in special])
    tokenizer.save(str(folder / "tokenizer.json"))
    _json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": bos,
            "cls_token": bos,
            "eos_token": eos,
            "sep_token": eos,
            "pad_token": pieces[vocabulary.pad],
            "unk_token": pieces[vocabulary.unk],
            **({"mask_token": _MASK} if _MASK in special else {}),
            "model_max_length": MAX_TOKENS,
            "model_input_names": ["input_ids", "attention_mask"],
            "clean_up_tokenization_spaces": False,
            # A "</s>" that somebody typed is text, not the end of it.
            "split_special_tokens": True,
        },
    )


def _write_configuration(packed: E5File, folder: Path) -> None:
    shape = packed.shape
    _json(
        folder / "config.json",
        {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_size": shape.hidden,
            "num_hidden_layers": shape.layers,
            "num_attention_heads": shape.heads,
            "intermediate_size": shape.ffn,
            "vocab_size": shape.vocab,
            "max_position_embeddings": shape.positions,
            "type_vocab_size": shape.types,
            "layer_norm_eps": float(f"{shape.eps:.6g}"),
            "hidden_act": "gelu",
            "hidden_dropout_prob": 0.1,
            "attention_probs_dropout_prob": 0.1,
            "initializer_range": 0.02,
            "pad_token_id": packed.vocabulary.pad,
            "dtype": "float32",
        },
    )
    _json(folder / "modules.json", _MODULES)
    _json(folder / "sentence_bert_config.json", {"max_seq_length": min(MAX_TOKENS, shape.positions)})
    _json(
        folder / "config_sentence_transformers.json",
        {
            "model_type": "SentenceTransformer",
            "prompts": {"query": "query: ", "document": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
    )
    (folder / "1_Pooling").mkdir()
    (folder / "2_Normalize").mkdir()
    _json(
        folder / "1_Pooling" / "config.json",
        {"embedding_dimension": shape.hidden, "pooling_mode": "mean", "include_prompt": True},
    )


def _json(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _replace(part: Path, target: Path) -> None:
    if target.exists():
        old = target.with_name(f"{target.name}.old-{os.getpid()}")
        target.rename(old)
        part.rename(target)
        shutil.rmtree(old, ignore_errors=True)
    else:
        part.rename(target)


def main(arguments: list[str]) -> int:
    """Run the conversion from the command line; return the exit code."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m desk_assistant.index.convert_e5 SRC.bin DST_DIR\n")
        return 2
    source, target = map(Path, arguments)
    try:
        convert(source, target, lambda line: print(line, file=sys.stderr, flush=True))
    except DeskError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
