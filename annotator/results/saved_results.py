"""Two saved results side by side: what changed, and whether they may be compared at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotator.results.json_form import Detail, Result

RULES = {
    "gain": "gain",
    "threshold": "threshold of relevance",
    "ties": "order of ties",
    "empty_ideal": "rule for queries without a relevant document",
    "missing_queries": "rule for queries without results",
    "unlisted": "rule for documents without a label",
    "ideal": "ideal",
    "like": "tool whose rules are followed",
    "as_of": "date of the labels",
}
"""Keys of a method that define the scores, and what each is."""


@dataclass(frozen=True)
class Point:
    """The one number of a measure: ``value`` where it is settled, else what is expected."""

    value: float | None
    expected: float | None
    zero_filled: float | None

    @property
    def best(self) -> float | None:
        """The value, else what is expected, else with unjudged documents as grade 0."""
        guess = self.zero_filled if self.expected is None else self.expected
        return guess if self.value is None else self.value


@dataclass(frozen=True)
class Change(Result):
    """One system on one measure, in the earlier result and in the later one."""

    system: str
    measure: str
    before: Point | None
    after: Point | None

    @property
    def change(self) -> float | None:
        """The later number less the earlier one; None where either is not there."""
        before = None if self.before is None else self.before.best
        after = None if self.after is None else self.after.best
        return None if before is None or after is None else after - before

    def keys(self, detail: Detail) -> dict[str, Any]:
        """Its fields, and the change."""
        return super().keys(detail) | {"change": self.change}


@dataclass(frozen=True)
class ResultChanges(Result):
    """Every system and measure of two results, and in what the two are not alike."""

    unlike: tuple[str, ...]
    changes: tuple[Change, ...]


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> ResultChanges:
    """Compare two results, each the JSON form of a scoreboard.

    Raises
    ------
    KeyError, TypeError, ValueError
        If one of them is no such thing.
    """
    old, new = _points(before), _points(after)
    places = dict.fromkeys([*new, *old])
    found = tuple(Change(*place, old.get(place), new.get(place)) for place in places)
    return ResultChanges(tuple(_unlike(before["method"], after["method"])), found)


def _points(result: Mapping[str, Any]) -> dict[tuple[str, str], Point]:
    return {
        (str(system["system"]), str(one["measure"])): Point(
            *(_number(one[key]) for key in ("value", "expected", "zero_filled"))
        )
        for system in result["systems"]
        for one in system["measures"]
    }


def _number(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError("a score is no number")
    return float(value)


def _unlike(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """In what two methods differ, as sentences without their ends."""
    old, new = before.get("benchmark"), after.get("benchmark")
    if not old or not new:
        yield "whether they are of the same queries and labels is not known"
    else:
        if old["query_digest"] != new["query_digest"]:
            yield f"they are of other queries ({old['queries']:,} before, {new['queries']:,} now)"
        if old["label_digest"] != new["label_digest"]:
            yield f"they are by other labels ({old['labels']:,} before, {new['labels']:,} now)"
    rubrics = [one["rubric"].get("fingerprint") or one["rubric"]["name"] for one in (before, after)]
    if rubrics[0] != rubrics[1]:
        yield "they are by other rubrics"
    if before.get("weights") != after.get("weights"):
        yield "their queries weigh otherwise"
    for key, what in RULES.items():
        was, now = before.get(key), after.get(key)
        if was != now:
            yield f"{what}: {_said(was)} before, {_said(now)} now"


def _said(value: object) -> str:
    return "none" if value is None else str(value)
