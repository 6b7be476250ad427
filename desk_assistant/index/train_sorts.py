"""Learns the classifier for an embedding model and writes it beside its examples: `python -m … MODEL_FOLDER MODEL_ID`.

To be run with the default embedding model after every change of the sentences in `sorts`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from desk_assistant.index import sorting, sorts
from desk_assistant.index.embedder import Embedder, model_key


def main(folder: str, model_id: str) -> None:
    """Learn and write."""
    embedder = Embedder(Path(folder))
    key = sorting.key_of(model_key(model_id, embedder.size))
    (Path(sorts.__file__).parent / sorts.TRAINED).write_bytes(sorting.dump(sorting.train(embedder), key))


if __name__ == "__main__":
    main(*sys.argv[1:3])
