"""The looks that there are: dark, light, and one of high contrast. One accent, four grades."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

DARK, LIGHT, CONTRAST = NAMES = ("dark", "light", "high-contrast")

COLOURS = {
    "background": ("#131416", "#fbfaf7", "#000000"),
    "surface": ("#1c1d20", "#efede8", "#000000"),
    "panel": ("#34363b", "#d9d5cc", "#404040"),
    "foreground": ("#dcdcd8", "#1c1e21", "#ffffff"),
    "muted": ("#92959c", "#5c6067", "#ffffff"),
    "accent": ("#b9a7f0", "#6a3fa8", "#f0a8ff"),
    "warning": ("#e3b15c", "#8a5a00", "#ffd000"),
    "error": ("#f08a8a", "#b00020", "#ff8c8c"),
    "success": ("#7ecb8f", "#1b6e35", "#80ff80"),
    "grade-0": ("#92959c", "#5c6067", "#ffffff"),
    "grade-1": ("#d0a636", "#7a5c00", "#ffd000"),
    "grade-2": ("#58a9d6", "#0a5a8a", "#80d0ff"),
    "grade-3": ("#64bd78", "#1b6e35", "#80ff80"),
}
"""Every colour of every look, in the order of their names."""

GRADES = tuple(name for name in COLOURS if name.startswith("grade-"))


def grade_colours(*, dark: bool) -> dict[str, str]:
    """The colours of the grades for a theme that has none of its own, by its ground."""
    return {name: COLOURS[name][0 if dark else 1] for name in GRADES}


def _theme(at: int) -> Theme:
    one = {name: colours[at] for name, colours in COLOURS.items()}
    scrollbar = {f"scrollbar-{part}": one["background"] for part in ("background", "corner-color")}
    scrollbar |= {f"scrollbar-background-{when}": one["background"] for when in ("hover", "active")}
    return Theme(
        NAMES[at],
        primary=one["accent"],
        secondary=one["muted"],
        accent=one["accent"],
        warning=one["warning"],
        error=one["error"],
        success=one["success"],
        foreground=one["foreground"],
        background=one["background"],
        surface=one["surface"],
        panel=one["panel"],
        dark=NAMES[at] != LIGHT,
        variables={
            **{name: one[name] for name in GRADES},
            **{f"text-{name}": one[name] for name in ("accent", "warning", "error", "success")},
            **scrollbar,
            "scrollbar": one["panel"],
            "scrollbar-hover": one["muted"],
            "scrollbar-active": one["accent"],
            "foreground-muted": one["muted"],
            "text-muted": one["muted"],
        },
    )


THEMES = {**BUILTIN_THEMES, **{name: _theme(at) for at, name in enumerate(NAMES)}}
"""Every look by name: Textual's, and the program's own."""
