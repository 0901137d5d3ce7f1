"""Keys of one's own: which there are, and whether they can stand beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key
from textual.screen import Screen

from annotator.errors import InputError
from annotator.sanitise import one_line
from annotator.tui.settings import Settings

Context = tuple[str, Sequence[BindingType]]
"""A screen by name, and every binding that works on it."""


def keymap(settings: Settings, contexts: Sequence[Context]) -> dict[str, str]:
    """The keys to be bound by id, in the names that Textual has for them.

    Textual drops a binding whose key another takes, silently; so bindings that share a key by
    design and one of which is moved are all named.

    Raises
    ------
    InputError
        If an id is not known, has no key left, shares a key, or would take letters from a field.
    """
    own = {name: _normal(keys) for name, keys in settings.keys.items()}
    bindings = [binding for _, named in contexts for binding in _with_id(named)]
    known = {str(binding.id): binding for binding in bindings}
    for name, keys in own.items():
        where = f"{settings.source}: keys: {one_line(name, 40)}"
        if name not in known:
            raise InputError(f"{where}: there is no such binding; the help (?) lists the ids")
        if not keys:
            raise InputError(f"{where}: no key is left for it")
        letters = [key for key in keys if len(key) == 1 or key == "space"]
        if letters and (known[name].priority or name.startswith("ask.")):
            raise InputError(f"{where}: {letters[0]} is needed to write with")
    shared: dict[str, str] = {}
    for where, named in contexts:
        by_id = _keys_by_id(named)
        for one, other in combinations(by_id, 2):
            before = set(by_id[one]) & set(by_id[other])
            now = set(own.get(one, by_id[one])) & set(own.get(other, by_id[other]))
            if clash := sorted(now - before):
                raise InputError(
                    f"{settings.source}: keys: {one_line(clash[0], 40)} would be both {one} and "
                    f"{other} ({where})"
                )
            if before and (one in own or other in own):
                shared |= {name: ",".join(own.get(name, by_id[name])) for name in (one, other)}
    return shared | {name: ",".join(keys) for name, keys in own.items()}


def _with_id(bindings: Sequence[BindingType]) -> Iterator[Binding]:
    return (one for one in bindings if isinstance(one, Binding) and one.id)


def _keys_by_id(bindings: Sequence[BindingType]) -> Mapping[str, list[str]]:
    keys: dict[str, list[str]] = {}
    for binding in _with_id(bindings):
        named = keys.setdefault(str(binding.id), [])
        named += [key for key in _normal(binding.key) if key not in named]
    return keys


def _normal(keys: str) -> list[str]:
    """The keys of a list in Textual's names: "?" is "question_mark"."""
    parts = [part.strip() for part in keys.split(",")]
    named = [_character_to_key(part) if len(part) == 1 else part for part in parts if part]
    return list(dict.fromkeys(named))


def key_of(screen: Screen[Any], name: str) -> str:
    """The key that the binding of this id has on a screen, as it is shown."""
    active = screen.active_bindings.values()
    return next(screen.app.get_key_display(one.binding) for one in active if one.binding.id == name)
