"""Keys of one's own: which there are, and whether they can stand beside each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from textual.binding import Binding, BindingType
from textual.keys import _character_to_key
from textual.screen import Screen

from annotator.errors import InputError
from annotator.settings import Settings
from annotator.text.safe import one_line

_NAME = re.compile("[A-Za-z0-9_+]+")
Context = tuple[str, Sequence[BindingType]]
"""A screen by name, and every binding that works on it."""


def keymap(settings: Settings, contexts: Sequence[Context]) -> dict[str, str]:
    """The keys to be bound by id, in the names that Textual has for them.

    Textual drops a binding whose key another takes, silently; so bindings that share a key by
    design and one of which is moved are all named.

    Raises
    ------
    InputError
        If an id is not known, has no key left or what is none, shares a key, or would take letters
        from a field; with all of these.
    """
    own = {name: _normal(keys) for name, keys in settings.keys.items()}
    known = {str(one.id): one for _, named in contexts for one in _with_id(named)}
    faults = [fault for name in own for fault in _faults(name, settings.keys[name], own, known)]
    shared: dict[str, str] = {}
    for where, named in contexts:
        by_id = _keys_by_id(named)
        for one, other in combinations(by_id, 2):
            before = set(by_id[one]) & set(by_id[other])
            now = set(own.get(one, by_id[one])) & set(own.get(other, by_id[other]))
            faults += [f"{key} would be both {one} and {other} ({where})" for key in now - before]
            if before and (one in own or other in own):
                shared |= {name: ",".join(own.get(name, by_id[name])) for name in (one, other)}
    if faults:
        first, *others = sorted(f"{settings.source}: keys: {fault}" for fault in set(faults))
        raise InputError(first, others)
    return shared | {name: ",".join(keys) for name, keys in own.items()}


def _faults(
    name: str, keys: str, own: Mapping[str, Sequence[str]], known: Mapping[str, Binding]
) -> Iterator[str]:
    """What is wrong with the keys of one id, whatever the others have."""
    shown = one_line(name, 40)
    if name not in known:
        yield f"{shown}: there is no such binding; the help (?) lists the ids"
        return
    if bad := [part for part in map(str.strip, keys.split(",")) if part and not _is_key(part)]:
        yield f"{shown}: {one_line(bad[0], 20)} is no key: one character, or a name such as ctrl+t"
        return
    if not own[name]:
        yield f"{shown}: no key is left for it"
    letters = [key for key in own[name] if len(key) == 1 or key == "space"]
    if letters and (known[name].priority or name.startswith("ask.")):
        yield f"{shown}: {letters[0]} is needed to write with"


def _is_key(part: str) -> bool:
    """Whether it is one character that can be shown, or a key's name; it goes to the terminal."""
    return part.isprintable() if len(part) == 1 else bool(_NAME.fullmatch(part))


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


def key_of(screen: Screen[Any], name: str, otherwise: str = "") -> str:
    """The key that the binding of this id has on a screen, as it is shown."""
    active = screen.active_bindings.values()
    keys = (screen.app.get_key_display(one.binding) for one in active if one.binding.id == name)
    return next(keys, otherwise)
