"""The terminal app."""

from __future__ import annotations

import gc
import sys

from desk_assistant.errors import DeskError, InputError
from desk_assistant.i18n import t
from desk_assistant.paths import Locations


def run(locations: Locations) -> int:
    """Run the app on a profile until the person quits.

    What keeps it from opening (a damaged database, a folder that cannot be written) is one sentence on stderr.

    Args:
        locations: Where the profile lives.

    Returns:
        The exit code.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        # Textual draws on stderr; sent to a file, it would leave a blank screen.
        print(t("tui.no_terminal"), file=sys.stderr)
        return InputError.exit_code
    # Nothing that is made up to the first frame is garbage. `opening` switches the collector on again.
    gc.disable()
    # Textual is imported here, so that the command line can name this package without paying for it.
    from desk_assistant.settings import Settings
    from desk_assistant.tui import keymap
    from desk_assistant.tui.app import DeskApp

    first_run = not locations.settings.exists()
    try:
        theme = Settings.load(locations.settings).text("interface.theme")
        custom_keys = keymap.load_custom(locations.home / "keys.toml")
    except DeskError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    app = DeskApp(locations, first_run=first_run, custom_keys=custom_keys, theme=theme)
    code = app.run() or app.return_code or 0
    if app.trouble is not None:
        print(app.trouble, file=sys.stderr)
    return code
