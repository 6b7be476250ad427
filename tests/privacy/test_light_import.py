"""The filter is in every command's way, so importing it must cost little and open nothing."""

from __future__ import annotations

import subprocess
import sys


def test_the_import_leaves_the_phone_metadata_for_later() -> None:
    code = (
        "import sys, desk_assistant.privacy as p; p.PrivacyGate().check('nothing here');"
        "print([m for m in ('phonenumbers', 'socket', 'asyncio', 'numpy') if m in sys.modules])"
    )

    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"
