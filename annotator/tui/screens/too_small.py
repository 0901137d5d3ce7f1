"""What is shown where nothing else fits."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widgets import Static

LEAST = Size(40, 12)


class TooSmall(ModalScreen[None]):
    """Says how large the terminal must be; it goes away when it is."""

    @staticmethod
    def is_needed(size: Size) -> bool:
        """Whether a terminal of this size is too small to read a document in."""
        return size.width < LEAST.width or size.height < LEAST.height

    def compose(self) -> ComposeResult:
        """One sentence."""
        yield Static(id="too-small", markup=False)

    def on_resize(self) -> None:
        """Say what there is and what is needed."""
        width, height = self.app.size
        self.query_one("#too-small", Static).update(
            f"{LEAST.width}x{LEAST.height} needed, this is {width}x{height}. "
            "All is saved: make the terminal larger to go on."
        )
