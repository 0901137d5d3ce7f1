"""The answer to "which is better?" in words for anybody: who, by how much, how sure, what next."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.report.more_labels_text import about_more
from annotator.report.tables import name
from annotator.results.comparisons import Compared
from annotator.text.numbers import BRIEF, chance, change, decimal, p_is, signed
from annotator.text.plural import counted
from rubric import Verdict

MOST_IN_PERCENT = 2
"""A difference of more times the lower mean is not given in percent."""


def plain_sentence(one: Compared, *, forecast: bool = True) -> str:
    """Say who is ahead, by how much, whether that can change, and what new queries would show.

    *Settled* is what no missing grade can change, *ahead* and *level* are sizes on these queries,
    *likely to hold* is about other queries. Without ``forecast`` it does not say how many labels
    would tell.
    """
    return " ".join([_who(one), *_missing(one, forecast), *_elsewhere(one)])


def _who(one: Compared) -> str:
    result, difference = one.result, one.known
    first, second = name(one.first), name(one.second)
    if difference is None:
        if result.lower is None or result.upper is None:
            return f"Nothing is known yet of {first} and {second}: no query has a score."
        if result.verdict is Verdict.PROVED:
            better, worse = (first, second) if result.lower > 0 else (second, first)
            return f"{better} is ahead of {worse} on {result.measure}."
        return (
            f"Not known yet whether {first} or {second} is better: the labels so far leave a "
            f"difference from {signed(result.lower, BRIEF)} to {signed(result.upper, BRIEF)}."
        )
    (first, second), means = (first, second), one.means
    wins, losses = result.wins, result.losses
    if difference < 0:
        first, second, means = second, first, means[::-1]
        wins, losses = losses, wins
    if one.size == "level":
        said = f"{first} and {second} are level on {result.measure}"
    else:
        said = f"{first} is ahead of {second} on {result.measure}"
    size = _by(means, abs(difference), known=result.value is not None)
    return f"{said}{size}; {_on(one, wins, losses)}."


def _by(means: tuple[float | None, float | None], difference: float, *, known: bool) -> str:
    """The two means and their difference, absolute and in percent."""
    about = "" if known else "about "
    high, low = means
    if high is None or low is None:
        return f", by {about}{decimal(difference, BRIEF)}"
    share = f", {change(difference / low)}" if difference < MOST_IN_PERCENT * low else ""
    return (
        f": {about}{decimal(high, BRIEF)} against {decimal(low, BRIEF)} "
        f"({signed(difference, BRIEF)}{share})"
    )


def _on(one: Compared, wins: int, losses: int) -> str:
    queries = counted(wins + losses + one.result.ties, "query", "queries")
    return f"better on {wins:,} of {queries}, worse on {losses:,}"


def _missing(one: Compared, forecast: bool) -> Iterator[str]:
    """Whether grades that are missing can still change it."""
    result = one.result
    if result.verdict.settled:
        yield "This is settled: no missing grade can change it."
    elif result.verdict is Verdict.CREDIBLE and result.better is not None:
        less = chance(min(result.better, 1 - result.better))
        yield f"Missing grades are unlikely to change who is ahead (a chance of {less})."
    elif result.verdict is Verdict.WITHIN:
        yield "Missing grades are unlikely to take them further apart."
    elif result.lower is not None:
        yield f"Missing grades can still change it{_more(one) if forecast else ''}."


def _more(one: Compared) -> str:
    return "" if one.more is None else f": {about_more(one.more)} would tell"


def _elsewhere(one: Compared) -> Iterator[str]:
    """What the queries say about others like them."""
    said, p = one.new_queries, one.p
    if said == "unknown" or p is None:
        return
    shown = p_is(p) if one.p_holm is None else f"{p_is(p)}, adjusted for all pairs"
    level = one.size == "level"
    if said == "likely":
        what = "So small a difference" if level else "It"
        yield f"{what} is likely to hold for new queries like these ({shown})."
    elif level:
        yield f"Nothing here says that new queries would tell them apart ({shown})."
    else:
        yield f"There is no sign that it would hold for new queries ({shown})."
