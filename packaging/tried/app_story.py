"""The app in a terminal: typed into, answering, its memory panel, a killed helper process, and the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tried.bare import BareSystem, Screen, User, kill_child
from tried.checks import Checks

TOLD: Final = "I love 龙井茶 🍵 and my tram is line 12."
WORD: Final = "龙井茶 🍵"
READY: Final = "tokens/s"
"""Stands under an answer when it is complete."""


def tell(checks: Checks, system: BareSystem, user: User, folder: Path) -> None:
    """Tell the story of the app.

    Args:
        checks: Where what held is noted.
        system: A system that the program is installed in.
        user: Who opens it.
        folder: Folder for the terminal's socket.
    """
    screen = Screen(system.command(user, ["desk-assistant"]), folder)
    try:
        _talk(checks, screen)
        for child in ("llm", "index"):
            checks.that(f"the helper process {child} is killed", kill_child(child))
            screen.type("Is line 12 my tram?")
            screen.press("Enter")
            answered = screen.until("2 × " if False else READY, patience=120)
            checks.that("the app lives, and answers the next question", answered, screen.text())
        screen.press("C-q")
        checks.that("it quits", screen.ended(), screen.text())
    finally:
        screen.close()


def _talk(checks: Checks, screen: Screen) -> None:
    checks.that("the app paints", screen.until("Desk Assistant"), screen.text())
    screen.type(TOLD)
    checks.that("Chinese and emoji are on the screen as they are typed", screen.until(WORD, patience=20), screen.text())
    screen.press("Enter")
    checks.that("it answers", screen.until(READY), screen.text())
    screen.press("F3")
