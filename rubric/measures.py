"""Measures as values: ``nDCG@10(gain=linear)`` parses to one and prints as the same text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rubric.errors import RubricError
from rubric.gains import Gain
from rubric.kinds import KINDS, Cutoff, Kind

_OTHER_NAMES = {
    "map": "AP",
    "mrr": "RR",
    "reciprank": "RR",
    "recall": "R",
    "precision": "P",
    "prec": "P",
    "success": "Hit",
    "hits": "Hit",
    "hitrate": "Hit",
    "f1": "F",
    "rprecision": "Rprec",
    "unj": "Judged",
}
_SPELLING = re.compile(r"([A-Za-z_]+[0-9]?)(?:@([0-9]+))?(?:\(([^()]*)\))?")


@dataclass(frozen=True)
class Measure:
    """One measure: a name, a cutoff, and the parameters that differ from the defaults.

    ``k`` None is the whole ranking. ``gain`` None stands for the rubric's gain, ``rel`` None for
    its relevance threshold.

    >>> Measure.parse("nDCG@10(gain=linear)").gain
    Gain(kind='linear', table=())
    >>> str(Measure.parse("RBP( p=0.50 )"))
    'RBP(p=0.5)'
    """

    name: str
    k: int | None = None
    gain: Gain | None = None
    rel: int | None = None
    p: float | None = None
    beta: float | None = None

    def __str__(self) -> str:
        given = [
            f"{key}={_text(value)}"
            for key in self.kind.parameters
            if (value := getattr(self, key)) is not None
        ]
        cutoff = "" if self.k is None else f"@{self.k}"
        return f"{self.name}{cutoff}" + (f"({','.join(given)})" if given else "")

    @property
    def kind(self) -> Kind:
        """The family it belongs to."""
        return KINDS[self.name]

    def in_full(self) -> str:
        """The spelling with every parameter, defaults too."""
        parameters = [
            f"{key}={default if (value := getattr(self, key)) is None else _text(value)}"
            for key, default in self.kind.parameters.items()
        ]
        cutoff = "" if self.k is None else f"@{self.k}"
        return f"{self.name}{cutoff}" + (f"({', '.join(parameters)})" if parameters else "")

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read one spelling.

        Raises
        ------
        RubricError
            For an unknown name (the nearest known one is named), a missing, zero or superfluous
            cutoff, or a parameter that the measure does not have.
        """
        what = f"measure {text!r}"
        match = _SPELLING.fullmatch(text.strip())
        if not match:
            raise RubricError(
                what, ["expected a name, mostly with a cutoff, such as nDCG@10, P@5(rel=2) or AP"]
            )
        kind = KINDS.get(match[1])
        if kind is None:
            raise RubricError(what, [_nearest(match[1])])
        k = _cutoff(what, kind, match[2])
        return cls(kind.name, k, **_parameters(what, kind, match[3] or ""))


def _text(value: Gain | float) -> str:
    return str(value) if isinstance(value, Gain) else f"{value:g}"


def _nearest(name: str) -> str:
    by_lower = {known.lower(): known for known in KINDS} | _OTHER_NAMES
    plain = name.lower().replace("_", "")
    close = difflib.get_close_matches(plain, by_lower, n=1, cutoff=0.4)
    hint = f"did you mean {by_lower[close[0]]}? " if close else ""
    return f"no measure is called {name}; {hint}known: {', '.join(KINDS)}"


def _cutoff(what: str, kind: Kind, text: str | None) -> int | None:
    if text is None:
        if kind.cutoff is Cutoff.REQUIRED:
            raise RubricError(what, [f"{kind.name} needs a cutoff such as {kind.name}@10"])
        return None
    if kind.cutoff is Cutoff.NONE:
        raise RubricError(what, [f"{kind.name} has no cutoff: write {kind.name}"])
    if int(text) < 1:
        raise RubricError(what, ["the cutoff must be 1 or more"])
    return int(text)


def _parameters(what: str, kind: Kind, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in kind.parameters:
            known = ", ".join(kind.parameters) or "none"
            raise RubricError(what, [f"{kind.name} has no parameter {key!r}; it has: {known}"])
        if key in found:
            raise RubricError(what, [f"{key} is given twice"])
        found[key] = _READ[key](what, value)
    return found


def _rel(what: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise RubricError(what, [f"rel must be a grade of 1 or more, not {text!r}"])
    return int(text)


def _number(name: str, inside: Callable[[float], bool], range_: str) -> Callable[[str, str], float]:
    def read(what: str, text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = -1.0
        if not inside(value):
            raise RubricError(what, [f"{name} must be {range_}, not {text!r}"])
        return value

    return read


_READ: dict[str, Callable[[str, str], Any]] = {
    "gain": lambda _, text: Gain.parse(text),
    "rel": _rel,
    "p": _number("p", lambda value: 0 < value < 1, "between 0 and 1"),
    "beta": _number("beta", lambda value: 0 < value < 1e6, "above 0"),
}
