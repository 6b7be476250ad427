"""The app in a terminal: typed into, answering, its memory panel, a killed helper process, and the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tried.bare import BareSystem, Screen, User, kill_child
from tried.checks import Checks

TOLD: Final = "I love 龙井茶 🍵 and my tram is line 12."
TYPED: Final = "龙井茶 🍵"
IN_PANEL: Final = ("Likes 龙井茶", "Tram: line 12")
ANSWERED: Final = "tokens/s"
"""Stands under an answer when it is complete; a new conversation has none yet."""


def tell(checks: Checks, system: BareSystem, user: User, folder: Path) -> None:
    """Tell the story of the app.

    Args:
        checks: Where what held is noted.
        system: A system that the program is installed in.
        user: Who opens it, for the first time.
        folder: Folder for the terminal's socket.
    """
    screen = Screen(system.command(user, ["desk-assistant"]), folder)
    try:
        checks.that("the app welcomes somebody new", screen.until("Welcome"), screen.text())
        screen.press("Enter")
        checks.that("and is there", screen.until("Talk about anything"), screen.text())
        screen.type(TOLD)
        checks.that("Chinese and emoji are on the screen as they are typed", screen.until(TYPED), screen.text())
        screen.press("Enter")
        checks.that("it answers", screen.until(ANSWERED), screen.text())
        for fact in IN_PANEL:
            checks.that(f"the memory panel shows “{fact}”", screen.until(fact), screen.text())
        for child in ("llm", "index"):
            checks.that(f"the helper process {child} is killed", kill_child(child))
            screen.press("C-n")
            checks.that("the app lives on", screen.until("Talk about anything"), screen.text())
            screen.type("Which tram is mine?")
            screen.press("Enter")
            checks.that("and answers the next question", screen.until(ANSWERED), screen.text())
        screen.press("C-q")
        checks.that("it quits", screen.ended(), screen.text())
    finally:
        screen.close()
