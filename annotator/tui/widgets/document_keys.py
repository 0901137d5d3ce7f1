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
    _move("space,pagedown,ctrl+d", "page_down", "Page down"),
    _move("pageup,ctrl+u", "page_up", "Page up"),
    _move("down,j", "down", "Line down"),
    _move("up,k", "up", "Line up"),
    _move("home,g", "home", "Beginning"),
    _move("end,G", "end", "End"),
]
