"""The line of keys at the foot of a screen."""

from __future__ import annotations

from textual.screen import Screen
from textual.widgets import Footer


class KeyLine(Footer):
    """The keys that work now.

    It is composed anew only when another key is shown: Textual tells of changed bindings at each
    focus and refresh, and composing them takes long.
    """

    def __init__(self) -> None:
        super().__init__(compact=True, show_command_palette=False)
        self._shown: list[tuple[str, str, bool]] = []

    def bindings_changed(self, screen: Screen[object]) -> None:
        """Show other keys if there are any."""
        if self.app.app_focus and self.is_attached and screen is self.screen:
            keys = [
                (self.app.get_key_display(binding), binding.description, enabled)
                for _, binding, enabled, _ in screen.active_bindings.values()
                if binding.show
            ]
            if keys == self._shown:
                return
            self._shown = keys
        super().bindings_changed(screen)
