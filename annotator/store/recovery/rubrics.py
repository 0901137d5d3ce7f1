"""Rubrics of a damaged file, without which no judgment means anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from itertools import chain

from annotator.store.pages import Row
from annotator.store.recovery.tables import Rows, Wreck
from rubric import Rubric

_SIGNS = [bytes([sign]) for sign in range(32, 127)]
"""What a stored rubric is written with."""


def known_rubrics(old: Wreck, presets: Mapping[str, Rubric]) -> Rows:
    """Rubrics of which only the fingerprint can be read, where they come with the program."""
    name = "rubric_version"
    for number, row in chain(old.table(name), old.index(name, "fingerprint")):
        if rubric := presets.get(row.get("fingerprint", "")):
            yield number, {
                "name": rubric.name, "version": rubric.version, "text": rubric.canonical(),
                "fingerprint": rubric.fingerprint,
            }  # fmt: skip


def rubric_fits(_: int, row: Row) -> bool:
    """With the text that was stored, if no more than one of its signs is another one."""
    text, fingerprint = str(row["text"]), row["fingerprint"]
    if "sha256:" + sha256(text.encode()).hexdigest() != fingerprint:
        text = _mended(text, fingerprint)
    try:
        rubric = Rubric.from_dict(json.loads(text))
    except Exception:  # whatever damage makes of it
        return False
    row.update(name=rubric.name, version=rubric.version, text=text)
    return bool(rubric.fingerprint == fingerprint)


def _mended(text: str, fingerprint: object) -> str:
    """The text that has this fingerprint, one sign of the given one changed; else the given one."""
    content = text.encode("ascii", "replace")  # as rubrics are stored
    for at in range(len(content)):
        begun = sha256(content[:at])
        rest = content[at + 1 :]
        for sign in _SIGNS:
            tried = begun.copy()
            tried.update(sign + rest)
            if "sha256:" + tried.hexdigest() == fingerprint:
                return (content[:at] + sign + rest).decode()
    return text
