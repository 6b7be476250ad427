"""Draws the icon's PNG files from its SVG, with a headless Chromium: `python3 render_icons.py [CHROMIUM]`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
SIZES: Final = (48, 128, 256)


def main(chromium: str) -> None:
    """Draw each size from a page that shows nothing but the icon."""
    drawing = (HERE / "desk-assistant.svg").read_text(encoding="utf-8")
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "icon.html"
            scaled = drawing.replace('width="256" height="256"', f'width="{size}" height="{size}"')
            page.write_text(f"<style>body{{margin:0}}svg{{display:block}}</style>{scaled}", encoding="utf-8")
            command = [
                chromium,
                "--headless",
                "--no-sandbox",
                "--hide-scrollbars",
                "--default-background-color=00000000",
            ]
            command += [f"--window-size={size},{size}", f"--screenshot={HERE / f'desk-assistant-{size}.png'}"]
            subprocess.run([*command, str(page)], check=True, capture_output=True)


if __name__ == "__main__":
    main(*(sys.argv[1:2] or ["chromium"]))
