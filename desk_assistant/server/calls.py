"""One call of one client: its right, its rate and its input are checked, and every failure becomes a sentence."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from desk_assistant.errors import DeskError, InputError, NotFoundError, StorageError, WorkerError
from desk_assistant.i18n import t
from desk_assistant.server.clients import Client
from desk_assistant.server.limits import READS, WRITES, Limiter
from desk_assistant.server.operations import Operations

log = logging.getLogger(__name__)

_STATUS: Final[Mapping[type[DeskError], int]] = {
    InputError: 400,
    NotFoundError: 404,
    StorageError: 503,
    WorkerError: 503,
}
INVALID: Final = 422
FORBIDDEN: Final = 403
TOO_MANY: Final = 429
FAILED: Final = 500


@dataclass(frozen=True)
class Refusal:
    """Why a call was not served.

    Attributes:
        status: As an HTTP status.
        key: A stable word for programs, such as `server.read_only`.
        message: A sentence for people.
        retry_after: Seconds until it may be tried again, 0 where that would not help.
    """

    status: int
    key: str
    message: str
    retry_after: float = 0.0

    def shape(self) -> dict[str, Any]:
        """Return it as JSON is written."""
        return {"error": self.key, "message": self.message}


class Calls:
    """Serves calls, whichever way they came.

    Args:
        operations: What can be called.
        limiter: Counts the calls of each client.
    """

    def __init__(self, operations: Operations, limiter: Limiter) -> None:
        self.operations = operations
        self._limiter = limiter

    async def serve(self, client: Client, name: str, given: object) -> dict[str, Any] | Refusal:
        """Do what a client asks for, or say why not."""
        operation = self.operations.all.get(name)
        if operation is None:
            return _refusal(404, "server.no_operation", name=name[:60])
        if wait := self._limiter.wait(client.name, WRITES if operation.writes else READS):
            return Refusal(TOO_MANY, "server.too_fast", t("server.too_fast"), wait)
        if operation.writes and not client.writes:
            return _refusal(FORBIDDEN, "server.read_only", name=client.name)
        try:
            checked = operation.input.model_validate(given if given is not None else {})
        except ValidationError as error:
            # Where, and what is wrong: never the value, which may be somebody's words.
            places = "; ".join(
                f"{'.'.join(map(str, problem['loc'])) or 'input'}: {problem['type'].replace('_', ' ')}"
                for problem in error.errors(include_url=False, include_input=False, include_context=False)[:5]
            )
            return _refusal(INVALID, "server.bad_input", reason=places)
        try:
            return await operation.run(client, checked)
        except DeskError as error:
            status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), FAILED)
            return Refusal(status, error.key, str(error))
        except Exception as error:  # noqa: BLE001 - one call must not end the service; its words may be the person's
            log.error("a call of %s failed: %s", operation.name, type(error).__name__)
            return _refusal(FAILED, "server.failed", kind=type(error).__name__)


def _refusal(status: int, key: str, **params: object) -> Refusal:
    return Refusal(status, key, t(key, **params))
