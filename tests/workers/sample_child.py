"""A small child for the tests: every way to answer, to hang and to die."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from typing import Any

from desk_assistant.errors import ModelError
from desk_assistant.workers.child import Call, Handler, Notify, Params, log, serve


def echo(params: Params, _call: Call) -> Mapping[str, Any]:
    return params


def count(params: Params, call: Call) -> Mapping[str, Any]:
    for number in range(params["to"]):
        call.check()
        call.emit({"number": number})
    return {"total": params["to"]}


def until_cancelled(_params: Params, call: Call) -> Mapping[str, Any]:
    call.emit({"begun": True})
    while not call.cancelled:
        threading.Event().wait(0.005)
    call.check()
    return {}


def until_asked(_params: Params, call: Call) -> Mapping[str, Any]:
    call.emit({"begun": True})
    while not call.cancelled:
        threading.Event().wait(0.005)
    return {"stopped": True}


def shout(_params: Params, _call: Call) -> Mapping[str, Any]:
    print("a library prints on stdout")
    os.write(1, b"and another writes to descriptor 1\n")
    return {"stdin": os.read(0, 10).decode()}


def refuse(_params: Params, _call: Call) -> Mapping[str, Any]:
    raise ModelError("workers.failed", op="refuse", cause="on purpose")


def stumble(params: Params, _call: Call) -> Mapping[str, Any]:
    raise ValueError(params["secret"])


def unsendable(_params: Params, _call: Call) -> Mapping[str, Any]:
    return {"value": object()}


def die(params: Params, _call: Call) -> Mapping[str, Any]:
    if "signal" in params:
        os.kill(os.getpid(), getattr(signal, params["signal"]))
    os._exit(params.get("code", 3))


def garble(_params: Params, _call: Call) -> Mapping[str, Any]:
    for descriptor in range(3, 30):
        try:
            os.write(descriptor, b"\xff\xff\xff\xff not a frame")
        except OSError:
            continue
    return {}


def surroundings(_params: Params, _call: Call) -> Mapping[str, Any]:
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "DO_NOT_TRACK", "EXTRA")
    return {"pid": os.getpid(), **{name: os.environ.get(name) for name in names}}


def hang(_params: Params, call: Call) -> Mapping[str, Any]:
    call.emit({"begun": True})
    threading.Event().wait()
    return {}


def build(notify: Notify) -> Mapping[str, Handler]:
    if "--fail-to-build" in sys.argv:
        raise SystemExit(9)
    log("building")
    notify({"loading": 0.5})
    handlers: list[Handler] = [
        echo,
        count,
        until_cancelled,
        until_asked,
        shout,
        refuse,
        stumble,
        unsendable,
        die,
        garble,
        surroundings,
        hang,
    ]
    return {handler.__name__: handler for handler in handlers}


if __name__ == "__main__":
    sys.exit(serve(build))
