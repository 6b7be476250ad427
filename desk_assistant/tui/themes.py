"""The themes this program adds to Textual's own."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

HIGH_CONTRAST: Final = Theme(
    name="desk-contrast",
    dark=True,
    primary="#ffff00",
    secondary="#00ffff",
    accent="#ffff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    boost="#262626",
    warning="#ffb000",
    error="#ff8080",
    success="#00ff00",
    variables={
        "text-muted": "#e6e6e6",
        "border": "#ffffff",
        "block-cursor-background": "#ffff00",
        "block-cursor-foreground": "#000000",
        "input-selection-background": "#ffff00 40%",
        "footer-key-foreground": "#ffff00",
        "footer-description-foreground": "#ffffff",
    },
)
"""White and yellow on black; every text reaches the contrast of 7:1 that WCAG asks for in its strictest level."""

THEMES: Final = (HIGH_CONTRAST,)
