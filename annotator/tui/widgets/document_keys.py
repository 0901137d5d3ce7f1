"""The keys that scroll a document."""

from __future__ import annotations

from textual.binding import Binding, BindingType


def _move(keys: str, where: str, label: str) -> Binding:
    return Binding(
        keys,
        f"move('{where}')",
        label,
        show=False,
        id=f"document.{label.lower().replace(' ', '-')}",
        tooltip=f"Scroll the document: {label.lower()}",
    )


SCROLLING: list[BindingType] = [
    _move("space,pagedown", "page_down", "Page down"),
    _move("pageup", "page_up", "Page up"),
    _move("down", "down", "Line down"),
    _move("up", "up", "Line up"),
    _move("home", "home", "Beginning"),
    _move("end", "end", "End"),
]
