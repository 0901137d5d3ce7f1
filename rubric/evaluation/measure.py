"""Measures as values: ``nDCG@10(gain=linear)`` parses to one and prints as the same text."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rubric.errors import RubricError, short
from rubric.gains import Gain
from rubric.kind import Cutoff, Kind
from rubric.measures.registry import KINDS

DEEPEST = 10_000
"""The greatest cutoff."""
HIGHEST = 127
"""The greatest grade that a measure can ask for: grades are held in eight bits."""

_ALMOST = {"hits": "Hit", "unj": "Judged", "accuracy": "Hit"}
"""Names that mean something else elsewhere: not understood, but hinted at."""
_NAME = r"(?P<name>[A-Za-z]+1?(?:[_-][A-Za-z]+)*)"
_CUTOFF = r"(?:[@_.](?P<k>-?[0-9]+))?"
_GIVEN = r"(?:\((?P<{}>[^()]*)\))?"
_SPELLING = re.compile(_NAME + _GIVEN.format("first") + _CUTOFF + _GIVEN.format("last"))
_BETWEEN = re.compile(r"[,\s]+(?![^()]*\))")


@dataclass(frozen=True)
class Measure:
    """One measure: a name, a cutoff, and the parameters that differ from the defaults.

    ``k`` None is the whole ranking. ``gain`` None stands for the rubric's gain, ``rel`` None for
    its relevance threshold.

    Raises
    ------
    RubricError
        For an unknown name, a missing, superfluous or too great cutoff, a parameter that the
        measure does not have, or one out of its range.

    >>> Measure.parse("nDCG@10(gain=linear)").gain
    Gain(kind='linear', table=())
    >>> str(Measure.parse("RBP( p=0.50 )"))
    'RBP(p=0.5)'
    >>> [str(Measure.parse(text)) for text in ("ndcg_cut_10", "hit_rate@5", "P(rel=2)@5")]
    ['nDCG@10', 'Hit@5', 'P@5(rel=2)']
    """

    name: str
    k: int | None = None
    gain: Gain | None = None
    rel: int | None = None
    p: float | None = None
    beta: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.gain, str):
            object.__setattr__(self, "gain", Gain.parse(self.gain))
        if faults := list(_faults(self)):
            raise RubricError(f"measure {short(str(self.name))}", faults)

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

    @property
    def form(self) -> str:
        """The measure without its numbers, such as ``RR@k``."""
        return self.name + ("@k" if self.k else "")

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
        """Read one spelling, in this program's words or in those of other tools.

        ``ndcg_cut_10``, ``P_5``, ``recip_rank``, ``mrr@10``, ``hit_rate@5`` are understood; so are
        parameters before the cutoff.

        Raises
        ------
        RubricError
            As above; for an unknown name the nearest known one is named.
        """
        what = f"measure {short(text)!r}"
        match = _SPELLING.fullmatch(text.strip())
        if not match or (match["first"] and match["last"]):
            raise RubricError(
                what, ["expected a name, mostly with a cutoff, such as nDCG@10, P@5(rel=2) or AP"]
            )
        kind = _BY_NAME.get(_plain(match["name"]))
        if kind is None:
            raise RubricError(what, [_nearest(match["name"])])
        if match["k"] is None and _plain(match["name"]).endswith("cut"):
            raise RubricError(what, [f"a cutoff is missing, such as {kind.name}@10"])
        given = _parameters(what, kind, match["first"] or match["last"] or "")
        try:
            return cls(kind.name, None if match["k"] is None else _whole(match["k"]), **given)
        except RubricError as error:
            raise RubricError(what, error.faults) from None

    @classmethod
    def parse_all(cls, text: str) -> list[Measure]:
        """Read spellings between commas or spaces, each measure once.

        >>> [str(one) for one in Measure.parse_all("P@5(rel=2), RBP(p=0.5, rel=2) map,AP")]
        ['P@5(rel=2)', 'RBP(p=0.5,rel=2)', 'AP']
        """
        parts = _BETWEEN.split(text.strip())
        return list(dict.fromkeys(cls.parse(part) for part in parts if part))


def _plain(name: str) -> str:
    return re.sub("[_-]", "", name.lower())


_BY_NAME = {_plain(name): kind for kind in KINDS.values() for name in (kind.name, *kind.also)}


def _text(value: Gain | float) -> str:
    return str(value) if isinstance(value, Gain) else f"{value:.15g}"


def _whole(digits: str) -> int:
    """The number of some digits, or one that is as much too great: no number here is long."""
    return int(digits) if len(digits.lstrip("0")) < 10 else 10**10


def _nearest(name: str) -> str:
    by_lower = {plain: kind.name for plain, kind in _BY_NAME.items()} | _ALMOST
    close = difflib.get_close_matches(_plain(name), by_lower, n=1, cutoff=0.4)
    hint = f"did you mean {by_lower[close[0]]}? " if close else ""
    return f"no measure is called {short(name)}; {hint}known: {', '.join(KINDS)}"


def _faults(measure: Measure) -> Iterator[str]:
    """All that is wrong with a measure."""
    kind = KINDS.get(measure.name)
    if kind is None:
        yield _nearest(str(measure.name))
        return
    if measure.k is None and kind.cutoff is Cutoff.REQUIRED:
        yield f"{kind.name} needs a cutoff such as {kind.name}@10"
    if measure.k is not None and kind.cutoff is Cutoff.NONE:
        yield f"{kind.name} has no cutoff: write {kind.name}"
    elif measure.k is not None and not _is_whole(measure.k, DEEPEST):
        yield f"the cutoff must be a whole number from 1 to {DEEPEST:,}"
    for name, (inside, says) in _RANGES.items():
        value = getattr(measure, name)
        if value is None:
            continue
        if name not in kind.parameters:
            yield _no_parameter(kind, name)
        elif not inside(value):
            yield f"{name} must be {says}, not {short(str(value))}"


def _no_parameter(kind: Kind, name: str) -> str:
    known = ", ".join(kind.parameters) or "none"
    return f"{kind.name} has no parameter {short(name)!r}; it has: {known}"


def _parameters(what: str, kind: Kind, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = (piece.strip() for piece in part.partition("="))
        if key not in kind.parameters:
            raise RubricError(what, [_no_parameter(kind, key)])
        if key in found:
            raise RubricError(what, [f"{key} is given twice"])
        try:
            found[key] = _READ[key](value)
        except RubricError:
            raise
        except ValueError:
            _, says = _RANGES[key]
            raise RubricError(what, [f"{key} must be {says}, not {short(value)!r}"]) from None
    return found


def _is_whole(value: object, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def is_grade(value: object) -> bool:
    """Whether something is a grade that a relevant document may have at the least."""
    return _is_whole(value, HIGHEST)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _grade(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not _is_whole(_whole(text), HIGHEST):
        raise ValueError(text)
    return int(text)


_RANGES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "gain": (lambda value: isinstance(value, Gain), "a Gain"),
    "rel": (is_grade, f"a grade from 1 to {HIGHEST}"),
    "p": (lambda value: _is_number(value) and 0 < value < 1, "between 0 and 1"),
    "beta": (lambda value: _is_number(value) and 1e-6 < value < 1e6, "above 0, below a million"),
}
_READ: dict[str, Callable[[str], Any]] = {
    "gain": Gain.parse,
    "rel": _grade,
    "p": float,
    "beta": float,
}
