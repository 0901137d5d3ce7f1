"""How sure the order of a scoreboard is, and what a system that was not pooled lacks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from annotator.report.more_labels_text import about_more
from annotator.report.tables import name
from annotator.report.verdicts import word
from annotator.results.method import Method
from annotator.results.scores import Neighbours, ScoreTable, SystemScore, unplaced
from annotator.scoring.neighbours import COMPARED, ranking
from annotator.text.plural import counted
from rubric import Summary, Verdict

NAMED = 4
"""Pairs of neighbours that are named for each verdict."""


def order_verdicts(table: ScoreTable, measure: str) -> list[str]:
    """The verdict on every two neighbours of one measure, unless all are settled."""
    if not table.neighbours:
        return _by_bounds(table, measure)
    pairs = [one for one in table.neighbours if one.measure == measure]
    if all(one.settled for one in pairs):
        return []
    said = []
    for verdict in Verdict:
        these = [one for one in pairs if one.verdict is verdict]
        if these:
            rest = f" and {len(these) - NAMED} more" if len(these) > NAMED else ""
            said.append(f"{verdict}: {', '.join(map(_pair, these[:NAMED]))}{rest}")
    every = len(table.systems) - 1
    which = f", the first {COMPARED} of {every:,}" if every > COMPARED else ""
    return [f"Neighbours in this order{which}: {'; '.join(said)}."]


def verdict_on_both(one: Neighbours) -> str:
    """The verdict on two neighbours, in a few words."""
    first, second = name(one.first), name(one.second)
    if one.verdict is Verdict.OPEN:
        return f"too early to tell {first} from {second}{_more(one)}"
    return f"{first} is {verdict_on_second(one)}"


def verdict_on_second(one: Neighbours) -> str:
    """The same where it is clear which system is the first."""
    second = name(one.second)
    if one.verdict is Verdict.OPEN:
        return f"too early to tell from {second}{_more(one)}"
    if one.verdict is Verdict.EQUAL:
        return f"equal to {second}"
    if one.verdict is Verdict.WITHIN:
        return f"{one.verdict} of {second}"
    return f"ahead of {second} ({one.verdict})"


def _more(one: Neighbours) -> str:
    return "" if one.more is None else f": {about_more(one.more)}"


def to_place(method: Method, systems: Sequence[SystemScore], at: int) -> list[str]:
    """What has to be labelled for each system that took no part in the pool."""
    return [
        f"{name(system)} is not in the pool: label {counted(count, 'document')} to place it."
        for system, count in unplaced(method, systems, at)
    ]


def _pair(one: Neighbours) -> str:
    sign = "=" if one.verdict is Verdict.EQUAL else ">"
    more = word(one.verdict, one.more).partition(", ")[2]
    return f"{name(one.first)} {sign} {name(one.second)}" + (f" ({more})" if more else "")


def _by_bounds(table: ScoreTable, measure: str) -> list[str]:
    """Where only bounds are known: between which neighbours they settle nothing, the first such."""
    at = [one.measure for one in table.systems[0].measures].index(measure)
    scores = [one.measures[at] for one in table.systems]
    pairs = [
        (first, second)
        for first, second in pairwise(ranking(scores))
        if _overlap(scores[first].summary, scores[second].summary)
    ]
    if not pairs:
        return []
    first, second = (name(table.systems[place].system) for place in pairs[0])
    rest = len(pairs) - 1
    more = f" So do those of {counted(rest, 'more neighbouring pair')}."
    return [
        f"The bounds of {first} and {second} overlap: they do not settle which is better."
        + (more if rest else "")
    ]


def _overlap(one: Summary, other: Summary) -> bool:
    if one.value is not None and other.value is not None:
        return False  # two numbers that are settled; if they are equal, that is settled too
    if one.lower is None or one.upper is None or other.lower is None or other.upper is None:
        return False
    return max(one.lower, other.lower) <= min(one.upper, other.upper)
