"""A comparison's verdict in plain sentences: what is certain here, and what holds elsewhere."""

from __future__ import annotations

from annotator.report.tables import ESTIMATE, name
from annotator.scoring.comparisons import Compared
from rubric import Verdict
from rubric.comparison import LEVEL


def verdict(one: Compared) -> str:
    """What the labels say about the two systems on these queries."""
    result = one.result
    if result.lower is None or result.upper is None:
        return f"Not decidable: {result.measure} is defined for none of these queries."
    if result.value is not None and not result.unjudged:
        said = f"Settled on {_queries(one)}: every document that counts is judged, and "
        if one.verdict is Verdict.EQUAL:
            return f"{said}{_equal(one)}."
        return f"{said}{_better(one, result.value)} (difference {result.value:.4f})."
    if one.verdict is Verdict.EQUAL:
        return f"Equal on {_queries(one)}: {_equal(one)}, whatever the missing labels say."
    if one.verdict is Verdict.PROVED:
        least, most = f"{result.lower:.4f}", f"{result.upper:.4f}"
        size = least if result.value is not None else f"{least} to {most}"
        return (
            f"Proved on {_queries(one)}: {_better(one, result.lower)}, whatever the missing labels "
            f"say (difference {size})."
        )
    open_ = _count(result.unjudged, "unjudged document")
    if one.verdict is Verdict.SUPPORTED and result.estimate is not None:
        flagged = f"with {open_} flagged" if result.unjudged else "with the ideal still open"
        return (
            f"Supported, not proved: {_better(one, result.estimate)} by the estimate "
            f"({ESTIMATE}{result.estimate:.4f}), {flagged}."
        )
    if result.unjudged:
        stand = "stands" if result.unjudged == 1 else "stand"
        return f"Not decidable with these labels: {open_} {stand} in the way."
    return (
        "Not decidable with these labels: none of the documents compared is unjudged, but others "
        "of their queries are, and could still change the ideal."
    )


def elsewhere(one: Compared) -> str:
    """What the queries say about others like them; a proof on these queries says nothing of it."""
    result = one.result
    if result.p_value is None:
        return "For queries like these in general nothing can be said: no query counts yet."
    mark = "" if result.value is not None else ESTIMATE
    finding = "significant" if result.p_value < LEVEL else "not significant"
    said = f"p = {mark}{result.p_value:.3g}, the difference is {finding}"
    if result.ci95 is not None:
        said += f"; 95% interval {mark}{result.ci95[0]:.4f} to {mark}{result.ci95[1]:.4f}"
    basis = "" if result.value is not None else ", from estimates"
    return f"For queries like these in general{basis}: {said}."


def _better(one: Compared, difference: float) -> str:
    first, second = name(one.first), name(one.second)
    better, worse = (first, second) if difference > 0 else (second, first)
    return f"{better} is better than {worse} on {one.result.measure}"


def _equal(one: Compared) -> str:
    return f"{name(one.first)} and {name(one.second)} are equal on {one.result.measure}"


def _queries(one: Compared) -> str:
    counted, maybe = one.counted, one.maybe
    may = f"{_count(maybe, 'query', 'queries')} that may yet count"
    if not counted:
        return may
    here = "this query" if counted == 1 else f"these {counted:,} queries"
    return f"{here} and {may}" if maybe else here


def _count(number: int, word: str, words: str = "") -> str:
    return f"{number:,} {word if number == 1 else words or word + 's'}"
