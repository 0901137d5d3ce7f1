"""What all screens have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget

if TYPE_CHECKING:
    from annotator.tui.workplace import Live


class BaseScreen(Screen[ScreenResultType]):
    """Hands on one result: a held key is heard again while the screen is being taken away.

    Attributes
    ----------
    CONTEXT
        What the screen is called where two of its keys clash; empty for what is only inherited.
    KEYED
        The widgets on it that have keys of their own.
    """

    CONTEXT: ClassVar[str] = ""
    KEYED: ClassVar[tuple[type[Widget], ...]] = ()

    @property
    def is_on_top(self) -> bool:
        """Whether keys come here: neither covered by another screen nor left."""
        return self.app.screen is self

    def board_read(self, live: Live | None) -> None:
        """Show the scoreboard, which has been read anew; a screen without scores does nothing."""

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave this screen, if it is on top."""
        return super().dismiss(result) if self.is_on_top else AwaitComplete()
