"""The weights in memory and their vocabulary."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, Final

from desk_assistant.errors import ModelError
from desk_assistant.llm import child_library
from desk_assistant.workers.child import Call

PROGRESS_STEP: Final = 0.02
"""Share of the file between two progress events."""

SPM: Final = 1
"""Vocabulary type (SentencePiece) that may put a space before every text it tokenises."""

PIECE_SIZE: Final = 256


class Weights:
    """A loaded model file.

    Args:
        lib: The bindings.
        path: The GGUF file.
        name: How the person knows it.
        call: The request it is loaded for; gets `{"loading": share}` events, and may be cancelled.

    Raises:
        ModelError: The file cannot be loaded.
        WorkerCancelled: The request was given up.
    """

    def __init__(self, lib: Any, path: Path, name: str, call: Call) -> None:
        self._lib = lib
        told = 0.0

        def progress(share: float, _data: object) -> bool:
            nonlocal told
            if share >= told + PROGRESS_STEP or share >= 1.0 > told:
                told = share
                call.emit({"loading": round(share, 3)})
            return not call.cancelled

        params = lib.llama_model_default_params()
        params.progress_callback = lib.llama_progress_callback(progress)
        child_library.last_errors.clear()
        self.handle = lib.llama_model_load_from_file(str(path).encode("utf-8", "surrogateescape"), params)
        if not self.handle:
            call.check()
            why = child_library.reason()
            raise ModelError("llm.not_loadable", name=name, path=path, reason=why, cause=why)
        self.vocabulary = Vocabulary(lib, self.handle)

    @property
    def template(self) -> str | None:
        """Source of the chat template in the file, None when it has none."""
        source = self._lib.llama_model_chat_template(self.handle, None)
        return source.decode("utf-8", "replace") if source else None

    @property
    def description(self) -> str:
        """Short description by llama.cpp."""
        buffer = ctypes.create_string_buffer(PIECE_SIZE)
        self._lib.llama_model_desc(self.handle, buffer, PIECE_SIZE)
        return buffer.value.decode("utf-8", "replace")

    @property
    def trained_context(self) -> int:
        """Tokens the model was trained for."""
        return int(self._lib.llama_model_n_ctx_train(self.handle))

    @property
    def size(self) -> int:
        """Bytes of the weights."""
        return int(self._lib.llama_model_size(self.handle))

    @property
    def parameters(self) -> int:
        """Number of weights."""
        return int(self._lib.llama_model_n_params(self.handle))

    @property
    def decodes(self) -> bool:
        """Whether it is a model that writes text from left to right."""
        return bool(self._lib.llama_model_has_decoder(self.handle)) and not self._lib.llama_model_has_encoder(
            self.handle
        )

    def close(self) -> None:
        """Give the memory back. No context on these weights may be alive."""
        if self.handle:
            self._lib.llama_model_free(self.handle)
            self.handle = None


class Vocabulary:
    """Text to tokens and back."""

    def __init__(self, lib: Any, model: Any) -> None:
        self._lib = lib
        self.handle = lib.llama_model_get_vocab(model)
        self.size = int(lib.llama_vocab_n_tokens(self.handle))
        self.bos = int(lib.llama_vocab_bos(self.handle))
        self.adds_bos = bool(lib.llama_vocab_get_add_bos(self.handle)) and self.bos >= 0
        self._newline = self._raw("\n", special=False)
        self._spaces = int(lib.llama_vocab_type(self.handle)) == SPM and len(self._newline) > 1

    def text_of(self, token: int) -> str:
        """Return the written form of a special token such as `<s>`, empty when there is no such token."""
        if token < 0:
            return ""
        return str(self._lib.llama_vocab_get_text(self.handle, token).decode("utf-8", "replace"))

    @property
    def eos(self) -> int:
        """The token that ends a sequence, -1 when there is none."""
        return int(self._lib.llama_vocab_eos(self.handle))

    def ends(self, token: int) -> bool:
        """Whether the model ends its answer with this token."""
        return bool(self._lib.llama_vocab_is_eog(self.handle, token))

    def tokenize(self, text: str, *, special: bool = False, first: bool = False) -> list[int]:
        """Return the tokens of a part of a prompt.

        Args:
            text: The part. A lone surrogate becomes a question mark.
            special: Whether control tokens written in it are meant.
            first: It is the first part: some vocabularies put a space before it, and only there.
        """
        if not text:
            return []
        if self._spaces and not first:
            # A line break stands in for what comes before; its own tokens, space included, are taken off again.
            tokens = self._raw("\n" + text, special=special)
            if tokens[: len(self._newline)] == self._newline:
                return tokens[len(self._newline) :]
        return self._raw(text, special=special)

    def piece(self, token: int, *, special: bool = False) -> bytes:
        """Return the bytes of a token; a character may need the bytes of several. Control tokens have none."""
        buffer = ctypes.create_string_buffer(PIECE_SIZE)
        size = int(self._lib.llama_token_to_piece(self.handle, token, buffer, PIECE_SIZE, 0, special))
        if size < 0:
            buffer = ctypes.create_string_buffer(-size)
            size = int(self._lib.llama_token_to_piece(self.handle, token, buffer, -size, 0, special))
        return buffer.raw[: max(0, size)]

    def _raw(self, text: str, *, special: bool) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        buffer = (self._lib.llama_token * room)()
        count = int(self._lib.llama_tokenize(self.handle, data, len(data), buffer, room, False, special))
        if count < 0:
            room = -count
            buffer = (self._lib.llama_token * room)()
            count = int(self._lib.llama_tokenize(self.handle, data, len(data), buffer, room, False, special))
        return list(buffer[: max(0, count)])
