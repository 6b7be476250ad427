"""Make the README's pictures: the two-session story in the real app, with the real models, in a throw-away profile.

    python packaging/stills.py packaging/stills [--png]

Writes `chat-en.svg`, `chat-zh.svg`, `fact-en.svg` and `models-en.svg`. With `--png` each is drawn by Chromium as well,
for looking at them.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from textual.pilot import Pilot

from desk_assistant import i18n
from desk_assistant.assistant import Assistant
from desk_assistant.paths import Locations
from desk_assistant.tui.app import DeskApp

SIZE: Final = (120, 36)
PATIENCE: Final = 120.0
"""Seconds for a model to load, or to answer."""

STORIES: Final = {
    "en": (
        (
            "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0.",
            "I prefer short answers. My sister Lexi lives in Bergen.",
        ),
        "which database do I use?",
    ),
    "zh": (
        ("我是做量化策略的，主要用 Python，最近在选向量数据库", "我喜欢简短的回答，我妹妹小雨住在杭州。"),
        "我主要用什么编程语言？",
    ),
}

CELL_WIDTH: Final = 12.2
"""Width of a cell in the pictures that Rich draws."""

_TEXT: Final = re.compile(r"<text([^>]*?)textLength=\"[\d.]+\"([^>]*)>(.*?)</text>", re.DOTALL)
_FONT_FACE: Final = re.compile(r"@font-face\s*\{.*?\}\s*", re.DOTALL)


async def _until(pilot: Pilot[int], holds: Callable[[], bool]) -> None:
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not holds():
        if asyncio.get_running_loop().time() > deadline:
            raise TimeoutError("the app did not get there")
        await pilot.pause(0.05)


async def _say(app: DeskApp, pilot: Pilot[int], text: str) -> None:
    app.main.composer.text = text
    await pilot.press("enter")
    await _until(pilot, lambda: app.chat.live is not None and app.chat.running is None)


async def take(language: str, folder: Path) -> dict[str, str]:
    """Act the story out and return pictures of it as SVG, by name."""
    pictures: dict[str, str] = {}
    locations = Locations.find(folder)
    locations.ensure()
    assistant = Assistant.open(locations)
    i18n.set_language(language)
    app = DeskApp(assistant)
    told, question = STORIES[language]
    async with app.run_test(size=SIZE) as pilot:
        await _until(pilot, lambda: assistant.status.llm.state == "ready" and assistant.status.index.state == "ready")
        for text in told:
            await _say(app, pilot, text)
        await assistant.memory.settle()
        await pilot.press("ctrl+n")
        await _until(pilot, lambda: not app.chat.conversation.messages)
        await _say(app, pilot, question)
        app.main.memory_panel.open_tab("recall")
        app.main.composer.cursor_blink = False
        await _shoot(app, pilot, pictures, f"chat-{language}")
        if language == "en":
            app.main.memory_panel.open_tab("profile")
            await pilot.press("f3", "end")
            await pilot.pause(0.5)
            await pilot.press("enter")
            await _shoot(app, pilot, pictures, "fact-en")
            await pilot.press("escape", "escape", "f8")
            await pilot.pause(0.5)
            await pilot.press("down", "down")
            await _shoot(app, pilot, pictures, "models-en")
    return pictures


async def _shoot(app: DeskApp, pilot: Pilot[int], pictures: dict[str, str], name: str) -> None:
    await pilot.pause(0.7)
    home = str(Path.home())
    # Where the models are on the machine that makes the pictures concerns nobody.
    pictures[name] = mended(app.export_screenshot(title="Desk Assistant").replace(home, "~"))


def mended(svg: str) -> str:
    """Return an SVG by Rich with wide characters as wide as they are, and without its fonts from the network."""

    def stretch(match: re.Match[str]) -> str:
        before, after, text = match.groups()
        length = cell_len(html.unescape(text)) * CELL_WIDTH
        return f'<text{before}textLength="{length:.1f}"{after}>{text}</text>'

    fonts = "'Fira Code', 'DejaVu Sans Mono', 'Noto Sans Mono CJK SC', monospace"
    return _FONT_FACE.sub("", _TEXT.sub(stretch, svg)).replace(
        "font-family: Fira Code, monospace", f"font-family: {fonts}"
    )


def to_png(svg: Path) -> Path | None:
    """Draw the SVG with Chromium and return the PNG, or None when there is no Chromium."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg.read_text(encoding="utf-8"))
    if browser is None or size is None:
        return None
    png = svg.with_suffix(".png")
    window = f"--window-size={round(float(size[1]))},{round(float(size[2]))}"
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", window, f"--screenshot={png}"]
    subprocess.run([browser, *arguments, svg.absolute().as_uri()], check=True, capture_output=True)
    return png


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder to write to")
    parser.add_argument("--png", action="store_true", help="draw each as PNG too")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for language in STORIES:
        with tempfile.TemporaryDirectory() as folder:
            pictures = asyncio.run(take(language, Path(folder)))
        for name, svg in pictures.items():
            file = options.out / f"{name}.svg"
            file.write_text(svg, encoding="utf-8")
            print(to_png(file) if options.png else file)


if __name__ == "__main__":
    main()
