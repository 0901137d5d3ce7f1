"""What was saved last, and what the program has to say."""

from __future__ import annotations

from collections import deque

from textual.content import Content
from textual.widgets import Static

from annotator.text.safe import one_line

RECENT = 8
MUTED = "$foreground-muted"


class StatusLine(Static):
    """The last grades given, a mark that the last is on disk, and one message."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 -- Textual's own name
        super().__init__(id=id, markup=False)
        self._recent: deque[tuple[str, str]] = deque(maxlen=RECENT)

    def saved(self, what: str, mark: str, colour: str = MUTED) -> None:
        """Say what was done and is on disk: call this only after it is."""
        self._recent.append((mark, colour))
        self._draw(f"✓ {one_line(what, 300)}", "$text-success")

    def say(self, message: str) -> None:
        """Say something in passing."""
        self._draw(one_line(message, 300), MUTED)

    def warn(self, message: str) -> None:
        """Say that something did not happen."""
        self._draw(f"! {one_line(message, 300)}", "$text-error bold", warns=True)

    def _draw(self, message: str, style: str, *, warns: bool = False) -> None:
        relaid = warns or self.has_class("-warns")
        self.set_class(warns, "-warns")
        parts: list[Content | str | tuple[str, str]] = [(message, style)]
        if self._recent and not warns:
            parts.append(("   last:", MUTED))
            parts += [(f" {mark}", colour) for mark, colour in self._recent]
        self.update(Content.assemble(*parts), layout=relaid)
