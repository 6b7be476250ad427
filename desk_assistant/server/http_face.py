"""The HTTP face: `POST /v1/OPERATION` with JSON, `GET /openapi.json`, and MCP at `/mcp`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from desk_assistant.server import mcp_face, openapi
from desk_assistant.server.calls import Calls, Refusal
from desk_assistant.server.clients import Client, Clients
from desk_assistant.server.guard import CLIENT, Guard, answer, refuse
from desk_assistant.server.limits import MAX_BODY, Limiter


def application(calls: Calls, clients: Clients, limiter: Limiter, port: int) -> Guard:
    """Return the whole web application, guarded.

    Args:
        calls: Serves the operations.
        clients: Who may come in.
        limiter: Counts requests.
        port: The port that is listened on.
    """
    # Stateless: each request stands for itself, so that nothing is left of a client that went away.
    manager = StreamableHTTPSessionManager(
        mcp_face.server(calls, _client_of), json_response=True, stateless=True, max_request_body_size=MAX_BODY
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    async def operation(request: Request) -> Response:
        try:
            given = json.loads(await request.body() or b"{}")
        except (ValueError, RecursionError):
            return refuse(422, "server.not_json")
        result = await calls.serve(request.scope[CLIENT], request.path_params["name"], given)
        if isinstance(result, Refusal):
            return answer(result.status, result.shape(), retry_after=result.retry_after)
        return answer(200, result)

    async def description(_request: Request) -> Response:
        return answer(200, openapi.document(calls.operations.all.values()))

    async def nowhere(_request: Request, _error: Exception) -> Response:
        return refuse(404, "server.nowhere")

    async def not_so(_request: Request, _error: Exception) -> Response:
        return refuse(405, "server.not_so")

    app = Starlette(
        routes=[
            Route("/v1/{name}", operation, methods=["POST"]),
            Route("/openapi.json", description, methods=["GET"]),
            Route("/mcp", StreamableHTTPASGIApp(manager)),
        ],
        exception_handlers={404: nowhere, 405: not_so},
        lifespan=lifespan,
    )
    return Guard(app, clients, limiter, port)


def _client_of(context: ServerRequestContext[Any, Any]) -> Client:
    request = context.request
    assert isinstance(request, Request)
    found = request.scope[CLIENT]
    assert isinstance(found, Client)
    return found
