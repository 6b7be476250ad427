"""The description of the HTTP API for programs that make clients from it, generated from the operations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from desk_assistant import __version__
from desk_assistant.server.operations import Operation

PATH: Final = "/v1/"
_ERRORS: Final = {
    "400": "What was asked for cannot be done; the message says why.",
    "401": "The token is missing or wrong.",
    "403": "The client may only read, or the request comes from a foreign page.",
    "404": "There is no such record.",
    "413": "The request is too large.",
    "422": "The input does not fit the schema.",
    "429": "Too many calls; `Retry-After` says when to try again.",
    "503": "The data folder or a helper process cannot be used at the moment.",
}


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document."""
    error = {"$ref": "#/components/schemas/Error"}
    refusals = {
        code: {"description": text, "content": {"application/json": {"schema": error}}}
        for code, text in _ERRORS.items()
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Desk Assistant memory",
            "version": __version__,
            "description": "The private memory of the person at this computer. Reachable from this computer alone.",
        },
        "security": [{"token": []}],
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": {
                "Error": {
                    "type": "object",
                    "required": ["error", "message"],
                    "properties": {"error": {"type": "string"}, "message": {"type": "string"}},
                },
            },
        },
        "paths": {
            PATH + operation.name: {
                "post": {
                    "operationId": operation.name,
                    "summary": operation.summary,
                    "x-scope": "write" if operation.writes else "read",
                    "requestBody": {
                        "required": True,
                        "content": {"application/json": {"schema": operation.input.model_json_schema()}},
                    },
                    "responses": {
                        "200": {
                            "description": "Done.",
                            "content": {"application/json": {"schema": {"type": "object"}}},
                        },
                        **refusals,
                    },
                }
            }
            for operation in operations
        },
    }
