"""The screens that show the scoreboard, or some of it."""

from __future__ import annotations

from collections.abc import Iterable

from textual.screen import Screen

from annotator.tui.screens.rankings import RankingsScreen
from annotator.tui.screens.scores import ScoresScreen
from annotator.tui.workplace import Live


def show_board(screens: Iterable[Screen[object]], live: Live | None) -> None:
    """Show the scoreboard wherever it is waited for."""
    for screen in screens:
        if isinstance(screen, ScoresScreen | RankingsScreen):
            screen.show(live)
