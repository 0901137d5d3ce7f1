"""How the app looks, and how screens and the list of commands come: what is Textual's of it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path, PurePath
from typing import Any, ClassVar

from textual.app import App, SystemCommand
from textual.await_complete import AwaitComplete
from textual.command import CommandPalette
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.theme import Theme
from textual.worker import WorkerFailed

from annotator.errors import InputError
from annotator.settings import Settings
from annotator.tui.palette import Commands
from annotator.tui.screens.too_small import TooSmall
from annotator.tui.themes import DARK, NAMES, THEMES, grade_colours

LATER = Path(__file__).parent / "screens" / "lists.tcss"
"""What the screens look like that are not there at first."""


class BaseApp(App[None]):
    """Has the looks of the program, and the one that the settings ask for.

    Raises
    ------
    InputError
        If the settings ask for a theme that there is not.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = ["app.tcss", "screens/grade.tcss"]

    def __init__(self, settings: Settings) -> None:
        if settings.theme not in ("", *THEMES):
            known = ", ".join(sorted(THEMES))
            raise InputError(f"{settings.source}: no theme of that name; there are {known}")
        # Known from the start: to change it later takes a second reading of all style sheets.
        self.set_reactive(BaseApp.theme, settings.theme or DARK)
        super().__init__()
        self.animation_level = "none"

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Textual's own looks, and those of this program."""
        return THEMES

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Add the colours of the grades."""
        return grade_colours(dark=self.current_theme.dark)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Of Textual's own commands, those that the bindings do not give."""
        yield SystemCommand("Theme", "Choose another look", self.action_change_theme)
        for name in NAMES:
            change = partial(setattr, self, "theme", name)
            yield SystemCommand(f"Theme: {name}", "Change to this look", change)

    def action_command_palette(self) -> None:
        """Offer all by words; without a name of its own, which one may have that is going away."""
        if not isinstance(self.screen, TooSmall):
            self.push_screen(Commands())

    async def run_action(self, *action: Any, **where: Any) -> bool:
        """Do what a key stands for; Textual's list of commands fails before it is laid out."""
        try:
            return await super().run_action(*action, **where)
        except KeyError:
            if isinstance(self.screen, CommandPalette):
                return True
            raise

    def _handle_exception(self, error: Exception) -> None:
        """What looks for commands for a list that was left before it was filled ends nothing."""
        if not (isinstance(error, WorkerFailed) and isinstance(error.error, NoMatches)):
            super()._handle_exception(error)

    def pop_screen(self) -> AwaitComplete:
        """Take the screen on top away; the desk, below all, stays when a held key asks for more."""
        return super().pop_screen() if len(self.screen_stack) > 1 else AwaitComplete()

    def push_screen(self, *screen: Any, **how: Any) -> Any:
        """Read what the screens other than the first look like before one of them is shown.

        A held key that opens a screen opens one, not another on top of it.
        """
        if type(screen[0]) in map(type, self.screen_stack[-1:]):
            return None
        place = (str(LATER), "")
        if not self.stylesheet.has_source(*place):
            self.stylesheet.add_source(LATER.read_text("utf-8"), read_from=place)
        return super().push_screen(*screen, **how)
