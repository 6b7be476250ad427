"""The llm child: llama.cpp behind the worker protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desk_assistant.errors import ModelError
from desk_assistant.llm.types import ChatMessage, LoadSpec, Sampling
from desk_assistant.workers.child import Call, Handler, Params, serve

if TYPE_CHECKING:
    from desk_assistant.llm.child_engine import Engine


class Service:
    """The operations of the child. One model at a time."""

    def __init__(self) -> None:
        # Imported here, inside `serve`: by now whatever the library prints goes to the log.
        from desk_assistant.llm import child_engine, child_library

        self._engines = child_engine
        self._lib = child_library.prepare()
        self._engine: Engine | None = None

    def handlers(self) -> Mapping[str, Handler]:
        """Return the operations by name."""
        return {
            "load": self.load,
            "unload": self.unload,
            "count": self.count,
            "count_chat": self.count_chat,
            "render": self.render,
            "warm": self.warm,
            "generate": self.generate,
        }

    def load(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Replace the model. The old one is given up first, so that there is memory for the new one."""
        spec = LoadSpec.from_json(params["spec"])
        self._engines.check_file(spec)
        self.unload(params, call)
        self._engine = self._engines.Engine(self._lib, spec, call)
        return asdict(self._engine.info)

    def unload(self, _params: Params, _call: Call) -> Mapping[str, Any]:
        """Give the model's memory back."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None
        return {}

    def count(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Count the tokens of texts."""
        counts = []
        for text in params["texts"]:
            call.check()
            counts.append(self._model.count(text))
        return {"counts": counts}

    def count_chat(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Count the tokens of a whole prompt."""
        return {"count": len(self._model.prompt(_messages(params)))}

    def render(self, params: Params, _call: Call) -> Mapping[str, Any]:
        """Write a whole prompt out."""
        return {"text": self._model.text(_messages(params))}

    def warm(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Read the beginning of a prompt ahead of time."""
        return self._model.warm(_messages(params), call)

    def generate(self, params: Params, call: Call) -> Mapping[str, Any]:
        """Answer."""
        sampling = Sampling(**params["sampling"])
        finished = self._model.generate(_messages(params), sampling, call, params.get("schema"))
        if finished.reason == "cancelled" and call.background:
            call.check()
        return asdict(finished)

    @property
    def _model(self) -> Engine:
        if self._engine is None:
            raise ModelError("llm.not_loaded")
        return self._engine


def _messages(params: Params) -> Sequence[ChatMessage]:
    return [ChatMessage(role, content) for role, content in params["messages"]]


def main() -> int:
    """Run the child until the app closes the pipe."""
    return serve(lambda _notify: Service().handlers())
