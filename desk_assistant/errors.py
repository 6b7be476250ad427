"""The family of errors that reach a person: a sentence in their language, and a cause for the log."""

from __future__ import annotations

from desk_assistant import i18n


class DeskError(Exception):
    """An expected failure. Front ends print `str(error)` and exit with `exit_code`; they never show a traceback.

    The sentence is looked up in the message catalogue when it is printed, so it follows the interface language. It
    says what happened, what was kept and what to do.

    Args:
        key: Message key such as `"models.truncated"` (see `desk_assistant.i18n`).
        cause: Technical detail for the log; never contains what the person wrote.
        **params: Values for the placeholders of the message.
    """

    exit_code = 1

    def __init__(self, key: str, /, *, cause: str | None = None, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.cause = cause
        self.params = params

    def __str__(self) -> str:
        return i18n.t(self.key, **self.params)


class InputError(DeskError):
    """What was given (an option, a file, a line) cannot be used."""

    exit_code = 2


class NotFoundError(DeskError):
    """A record, session, file or model that was named does not exist."""

    exit_code = 3


class ModelError(DeskError):
    """A model is missing, damaged, too large or otherwise unusable."""

    exit_code = 4


class StorageError(DeskError):
    """The data folder cannot be read or written (permissions, full disk, damage, newer data)."""

    exit_code = 5


class WorkerError(DeskError):
    """A child process died, did not start or answered with a failure."""

    exit_code = 6
