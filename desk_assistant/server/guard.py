"""What every HTTP request has to pass before anything reads it: its origin, its token, its size.

A web page that the person happens to have open can send requests to this machine, and a name can be made to point
here. So the host must be one of this machine's own names, a request of a web page is refused wherever it comes from,
and nothing is served without a token.
"""

from __future__ import annotations

import json
import math
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from desk_assistant.i18n import t
from desk_assistant.server.clients import Client, Clients
from desk_assistant.server.limits import MAX_BODY, STRANGERS, Limiter

HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")
CLIENT: Final = "desk_client"
"""Key of the client in the scope of a request."""


class Guard:
    """Lets a request through to the application, or answers it.

    Args:
        app: What is guarded.
        clients: Who may come in.
        limiter: Counts requests without a valid token.
        port: The port that is listened on.
    """

    def __init__(self, app: ASGIApp, clients: Clients, limiter: Limiter, port: int) -> None:
        self._app = app
        self._clients = clients
        self._limiter = limiter
        self._hosts = frozenset(f"{name}:{port}" for name in HOSTS)
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        found = self._admit(headers)
        if isinstance(found, Response):
            await found(scope, receive, send)
            return
        body = await _body(headers, receive)
        if body is None:
            await refuse(413, "server.too_large", most=MAX_BODY // 1024)(scope, receive, send)
            return
        scope[CLIENT] = found
        await self._app(scope, _replay(body, receive), send)

    def _admit(self, headers: Headers) -> Client | Response:
        if headers.get("host", "").lower() not in self._hosts:
            return refuse(421, "server.foreign_host")
        if (origin := headers.get("origin")) is not None and origin.lower() not in self._origins:
            return refuse(403, "server.foreign_origin")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        client = self._clients.of_token(token.strip()) if scheme.lower() == "bearer" and token.strip() else None
        if client is not None:
            return client
        if wait := self._limiter.wait("", STRANGERS):
            return refuse(429, "server.too_fast", retry_after=wait)
        return refuse(401, "server.wrong_token")


def refuse(status: int, key: str, *, retry_after: float = 0.0, **params: object) -> Response:
    """Return an answer that says why a request was not served."""
    return answer(status, {"error": key, "message": t(key, **params)}, retry_after=retry_after)


def answer(status: int, shape: dict[str, Any], *, retry_after: float = 0.0) -> Response:
    """Return an answer of JSON, which no page may embed and nothing may keep."""
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if retry_after:
        headers["Retry-After"] = str(math.ceil(retry_after))
    body = json.dumps(shape, ensure_ascii=False).encode()
    return Response(body, status, headers, media_type="application/json")


async def _body(headers: Headers, receive: Receive) -> bytes | None:
    """Read the body, or return None as soon as it is too large."""
    declared = headers.get("content-length", "")
    if declared.isdigit() and int(declared) > MAX_BODY:
        return None
    found = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(found)
        found += message.get("body", b"")
        if len(found) > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(found)


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message
