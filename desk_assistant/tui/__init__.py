"""The terminal app."""

from __future__ import annotations

import sys

from desk_assistant.errors import DeskError, InputError
from desk_assistant.i18n import t
from desk_assistant.paths import Locations


def run(locations: Locations) -> int:
    """Open a profile and run the app until the person quits.

    What keeps it from opening (a damaged database, a folder that cannot be written) is one sentence on stderr.

    Args:
        locations: Where the profile lives.

    Returns:
        The exit code.
    """
    # Textual is imported here, so that the command line can name this package without paying for it.
    from desk_assistant.assistant import Assistant
    from desk_assistant.tui import keymap
    from desk_assistant.tui.app import DeskApp

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        # Textual draws on stderr; sent to a file, it would leave a blank screen.
        print(t("tui.no_terminal"), file=sys.stderr)
        return InputError.exit_code
    first_run = not locations.settings.exists()
    try:
        custom_keys = keymap.load_custom(locations.home / "keys.toml")
        assistant = Assistant.open(locations)
    except DeskError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    app = DeskApp(assistant, first_run=first_run, custom_keys=custom_keys)
    return app.run() or app.return_code or 0
