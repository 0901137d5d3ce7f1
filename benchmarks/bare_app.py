"""What the grading app is measured against: a Textual app that only swaps texts.

    python benchmarks/bare_app.py FILE [LABELS] [--project]

The texts come from the project FILE by a bare ``sqlite3`` connection. With LABELS, a file that is
made where it is missing, each key first commits one row there as durably as the app does. With
--project the file is opened as the app opens it, with all that is checked and set then.
"""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

if "--project" in sys.argv:
    sys.argv.remove("--project")
    from annotator.store import Project

    texts = Project.open(Path(sys.argv[1])).file.db
else:
    texts = sqlite3.connect(sys.argv[1])
labels = sqlite3.connect(sys.argv[2], isolation_level=None) if sys.argv[2:] else None
if labels:
    labels.execute("PRAGMA synchronous = EXTRA")
    labels.execute("PRAGMA journal_mode = PERSIST")
    labels.execute(
        "CREATE TABLE IF NOT EXISTS label (id INTEGER PRIMARY KEY, pair INTEGER, grade INTEGER)"
    )


def text(number: int) -> str:
    """A document of the project."""
    row = texts.execute("SELECT title, text FROM document WHERE id = ?", (number,)).fetchone()
    return f"{row[0]}\n\n{row[1]}"


class Bare(App[None]):
    """A text, and a key for the next."""

    BINDINGS: ClassVar[list[BindingType]] = [("1", "swap", "Next"), ("ctrl+q", "quit", "Quit")]
    number = 1

    def compose(self) -> ComposeResult:
        """One text and the keys."""
        with VerticalScroll():
            yield Static(text(1), markup=False)
        yield Footer()

    def action_swap(self) -> None:
        """Show the next text."""
        if labels:
            labels.execute("INSERT INTO label (pair, grade) VALUES (?, 1)", (self.number,))
        self.number += 1
        self.query_one(Static).update(text(self.number))


if __name__ == "__main__":
    Bare().run()
