"""The looks that there are: dark, light, and one of high contrast."""

from __future__ import annotations

from textual.theme import Theme

DARK, LIGHT, CONTRAST = "dark", "light", "high-contrast"

GRADES = {
    "grade-0": "#8a8f98",
    "grade-1": "#c9a227",
    "grade-2": "#4fa3d1",
    "grade-3": "#5cb870",
}
"""One colour a grade, from nothing to much, on a dark ground; a theme may set others."""

THEMES = (
    Theme(
        LIGHT,
        primary="#0a5a8a",
        accent="#0a5a8a",
        warning="#8a5a00",
        error="#b00020",
        success="#1b6e35",
        foreground="#1c1e21",
        background="#fbfaf7",
        surface="#efede8",
        panel="#e6e3dc",
        dark=False,
        variables={
            "grade-0": "#5a5f68",
            "grade-1": "#7a5c00",
            "grade-2": "#0a5a8a",
            "grade-3": "#1b6e35",
        },
    ),
    Theme(
        CONTRAST,
        primary="#ffff00",
        accent="#ffff00",
        warning="#ffd000",
        error="#ff8080",
        success="#80ff80",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#202020",
        dark=True,
        variables={
            "grade-0": "#ffffff",
            "grade-1": "#ffd000",
            "grade-2": "#80d0ff",
            "grade-3": "#80ff80",
            "foreground-muted": "#ffffff",
            "text-muted": "#ffffff",
        },
    ),
)
