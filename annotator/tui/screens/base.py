"""A screen that is left once, however often the key for it comes."""

from __future__ import annotations

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType


class BaseScreen(Screen[ScreenResultType]):
    """Hands on one result: a held key is heard again while the screen is being taken away."""

    @property
    def is_on_top(self) -> bool:
        """Whether keys come here: neither covered by another screen nor left."""
        return self.app.screen is self

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leave this screen, if it is on top."""
        return super().dismiss(result) if self.is_on_top else AwaitComplete()
