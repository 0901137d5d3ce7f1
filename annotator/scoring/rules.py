"""Rules for builds: a score is high enough, or a system is no worse than another."""

from __future__ import annotations

from annotator.results.comparisons import Compared
from annotator.results.method import Method
from annotator.results.more_labels import MoreLabels
from annotator.results.rules import Outcome, Ruling
from annotator.results.scores import MeasureScore
from annotator.text.numbers import plain
from rubric import Comparison, Summary, Verdict


def at_least(system: str, score: MeasureScore, least: float, method: Method) -> Ruling:
    """Whether a score is so high, by the lower end of what is known of it.

    What is known is the value; where it is open the 95% interval of what is expected, if that rests
    on the labels that any claim takes; else the exact bounds.
    """
    summary, basis = score.summary, method.expected
    enough = basis is not None and not basis.missing
    known = _known(summary, enough=enough)
    outcome = _outcome(known, least)
    more = None
    if outcome is Outcome.UNKNOWN:
        left = max(summary.unjudged, method.pooled_pairs - method.pooled_judged)
        more = MoreLabels(left, left, left) if left else None
    rule = f"{score.measure} of {system} is at least {plain(least)}"
    return Ruling(system, rule, outcome, known, more)


def no_worse(one: Compared) -> Ruling:
    """Whether the first of two is not worse than the second by more than the margin.

    What is known of their difference is as in :func:`at_least`.
    """
    result = one.result
    known = _known(result, enough=not result.missing)
    outcome = _outcome(known, -one.margin)
    more = None
    if outcome is Outcome.UNKNOWN:
        left = result.unjudged
        more = one.more or (MoreLabels(left, left, left) if left else None)
    rule = f"{one.first} is not worse than {one.second} on {result.measure}"
    rule += f" by more than {plain(one.margin)}" if one.margin else ""
    return Ruling(f"{one.first}, {one.second}", rule, outcome, known, more)


def better(one: Compared, wanted: Verdict) -> Ruling:
    """Whether the first of two is better, and as surely as is asked for."""
    enough = not one.result.missing
    rule = f"it is {wanted} that {one.first} is better than {one.second} on {one.result.measure}"
    outcome = Outcome.PASSED if one.first_is_better(wanted) else Outcome.FAILED
    return Ruling(f"{one.first}, {one.second}", rule, outcome, _known(one.result, enough=enough))


def _known(one: Summary | Comparison, *, enough: bool) -> tuple[float, float] | None:
    if one.value is not None:
        return one.value, one.value
    if enough and one.expected is not None and one.expected95 is not None:
        return one.expected95
    return None if one.lower is None or one.upper is None else (one.lower, one.upper)


def _outcome(known: tuple[float, float] | None, least: float) -> Outcome:
    if known is None:
        return Outcome.UNKNOWN
    low, high = known
    if low >= least:
        return Outcome.PASSED
    return Outcome.FAILED if high < least else Outcome.UNKNOWN
