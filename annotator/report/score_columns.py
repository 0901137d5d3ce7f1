"""The columns of a scoreboard, once for tables and for screens.

A new number of :class:`rubric.Summary` is in the JSON form and in the rows for programs by itself;
for people it takes one more line here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from annotator.report.worst_queries import named
from annotator.results.scores import MeasureScore
from annotator.text.numbers import BRIEF, decimal, interval, likely, mark_of, percent, span
from rubric import Summary

Number = Callable[[Summary], float | None]


@dataclass(frozen=True)
class ScoreColumn:
    """One column: what it says of a system on one measure.

    Parameters
    ----------
    title
        In a table; it may name the ``{headline}``, the cutoff ``{k}`` and the ``{filled}`` scores.
    text
        A cell of a table.
    screen_title, screen_text
        On a screen, which has less room; no text where it has none for this column.
    number
        What rows can be sorted by, the highest first.
    side
        ``l`` or ``r``.
    stacks
        Whether the parts of a cell may stand below each other.
    """

    title: str
    text: Callable[[MeasureScore], str]
    screen_title: str = ""
    screen_text: Callable[[MeasureScore], str] | None = None
    number: Number | None = None
    side: str = "r"
    stacks: bool = False


def _marked(title: str, number: Number) -> ScoreColumn:
    """A number of each query's one number, which bears the mark of what that is."""
    return ScoreColumn(
        title,
        lambda one: decimal(number(one.summary), mark=mark_of(one.summary)),
        title,
        lambda one: decimal(number(one.summary), BRIEF),
        number,
    )


def _confidence(one: MeasureScore) -> str:
    return interval(*(one.summary.ci95 or (None, None)), mark=mark_of(one.summary))


ZERO_FILLED = ScoreColumn("{filled}", lambda one: decimal(one.summary.zero_filled))
COLUMNS = (
    ScoreColumn(
        "{headline}",
        lambda one: likely(one.summary),
        "{measure}",
        lambda one: likely(one.summary, BRIEF, filled=one.summary.zero_filled),
        lambda summary: summary.point,
    ),
    ScoreColumn(
        "[lower, upper]",
        lambda one: interval(one.summary.lower, one.summary.upper),
        "bounds",
        lambda one: span(one.summary.lower, one.summary.upper, BRIEF),
        lambda summary: summary.lower,
    ),
    ScoreColumn(
        "judged{k}",
        lambda one: percent(one.summary.judged),
        "judged",
        lambda one: percent(one.summary.judged),
        lambda summary: summary.judged,
    ),
    ScoreColumn("flags", lambda one: ", ".join(one.flags()), side="l", stacks=True),
    _marked("p10", lambda summary: summary.p10),
    _marked("median", lambda summary: summary.median),
    ScoreColumn("bootstrap 95%", _confidence),
    ScoreColumn("worst queries", named, side="l", stacks=True),
    ZERO_FILLED,
    ScoreColumn("condensed", lambda one: decimal(one.summary.condensed)),
)
