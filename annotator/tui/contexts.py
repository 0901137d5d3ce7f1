"""Where which keys work together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from textual.binding import BindingType

from annotator.tui import screens
from annotator.tui.keymap import Context
from annotator.tui.screens.base import BaseScreen


def contexts(everywhere: Sequence[BindingType]) -> list[Context]:
    """Every screen of the package with the bindings that work on it, ``everywhere`` among them."""
    return [
        (screen.CONTEXT, [*_bindings(screen), *everywhere])
        for module in iter_modules(screens.__path__, f"{screens.__name__}.")
        for screen in _screens(module.name)
    ]


def _screens(module: str) -> Iterator[type[BaseScreen[Any]]]:
    """The screens that a module defines, and not those that it imports or only builds on."""
    for one in vars(import_module(module)).values():
        is_screen = isinstance(one, type) and issubclass(one, BaseScreen)
        if is_screen and one.__module__ == module and one.CONTEXT:
            yield one


def _bindings(screen: type[BaseScreen[Any]]) -> Iterator[BindingType]:
    """What a screen, all it inherits from, and its widgets bind."""
    for part in (screen, *screen.KEYED):
        for one in part.__mro__:
            yield from vars(one).get("BINDINGS", ())
