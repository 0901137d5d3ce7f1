"""A comparison's verdict in plain sentences: what is certain here, and what holds elsewhere."""

from __future__ import annotations

from annotator.report.more_labels_text import about_more
from annotator.report.tables import name
from annotator.results.comparisons import LOOSE, Compared
from annotator.results.more_labels import MoreLabels
from annotator.text.numbers import (
    ESTIMATE,
    ROUGH,
    ZEROED,
    chance,
    decimal,
    mark_of,
    p_is,
    plain,
    span,
)
from annotator.text.plural import counted
from rubric import Verdict
from rubric.model.residuals import MISLED, is_misled
from rubric.model.stopping import (
    CLUSTERED_LABELS,
    CLUSTERED_QUERIES,
    LEAST_LABELS,
    LEAST_LOWER,
    LEAST_QUERIES,
    MARGIN,
    SURE,
)
from rubric.results.comparison import LEVEL

FEW = (
    f"On fewer than {LEAST_LABELS} labels, {LEAST_QUERIES} queries with labels "
    f"({CLUSTERED_QUERIES} from {CLUSTERED_LABELS} labels on) or {LEAST_LOWER} labels below first "
    "ranks nothing is claimed but what is proved."
)


def verdict(one: Compared) -> str:
    """What the labels say about the two systems on these queries."""
    result = one.result
    if result.lower is None or result.upper is None:
        return f"Open: {result.measure} is defined for none of these queries."
    if result.value is not None and not result.unjudged:
        said = f"Settled on {_queries(one)}: every document that counts is judged, and "
        if one.verdict is Verdict.EQUAL:
            return f"{said}{_equal(one)}."
        return f"{said}{_better(one, result.value)} (difference {decimal(result.value)})."
    if one.verdict is Verdict.EQUAL:
        return f"Equal on {_queries(one)}: {_equal(one)}, whatever the missing labels say."
    if one.verdict is Verdict.PROVED:
        upper = result.upper if result.value is None else result.lower
        size = span(result.lower, upper)
        return (
            f"Proved on {_queries(one)}: {_better(one, result.lower)}, whatever the missing labels "
            f"say (difference {size}{loose(one)})."
        )
    if one.verdict is Verdict.CREDIBLE and result.expected is not None:
        return f"Credible on {_queries(one)}: {_better(one, result.expected)}, {_belief(one)}."
    if one.verdict is Verdict.WITHIN:
        return (
            f"Within {plain(MARGIN)} on {_queries(one)}: {name(one.first)} and {name(one.second)} "
            f"are no further apart on {result.measure}, {_belief(one)}."
        )
    return _open(one)


def loose(one: Compared) -> str:
    """What stands behind bounds that no grading may reach."""
    return f" ({LOOSE})" if one.bounds == LOOSE else ""


def word(verdict: Verdict, more: MoreLabels | None) -> str:
    """A verdict in its word; how many more labels an open one may take, if that is known."""
    if verdict is not Verdict.OPEN or more is None:
        return str(verdict)
    return f"{verdict}, {about_more(more)}"


def _open(one: Compared) -> str:
    result = one.result
    if one.more is not None and result.expected is not None:
        about = word(one.verdict, one.more).capitalize()
        few = f" {FEW}" if result.missing else ""
        return f"{about}: perhaps {_better(one, result.expected)}, {_belief(one)}.{few}"
    if result.unjudged:
        stand = "stands" if result.unjudged == 1 else "stand"
        return f"Open: {counted(result.unjudged, 'unjudged document')} {stand} in the way."
    return (
        "Open: none of the documents compared is unjudged, but others of their queries are, and "
        "could still change the ideal."
    )


def _belief(one: Compared) -> str:
    """How sure that is by the grade model, and on how many labels."""
    result = one.result
    if result.better is None or result.expected is None or result.expected95 is None:
        return "by what is proved"
    likelier = max(result.better, 1 - result.better)
    sure = f"at least {chance(SURE)}" if one.verdict is Verdict.WITHIN else chance(likelier)
    return (
        f"with a chance of {sure} (expected difference {decimal(result.expected, mark=ESTIMATE)}, "
        f"95% interval {span(*result.expected95)}), on {counted(result.labels, 'label')} and "
        f"{counted(result.unjudged, 'unjudged document')}{without_models(one)}"
    )


def without_models(one: Compared) -> str:
    """What that would be without the labels of models, where these have a part in it."""
    other, better = one.result.better_without, one.result.better
    if other is None or better is None:
        return ""
    ahead, behind = name(one.first), name(one.second)
    leader, sure = (ahead, other) if better >= 0.5 else (behind, 1 - other)
    kind = "credible" if sure >= SURE and not one.result.missing else "open"
    said = (
        f", with labels of models; without them {kind}, with a chance of {chance(sure)} that "
        f"{leader} is ahead"
    )
    return said + _misled(one)


def _misled(one: Compared) -> str:
    """That the labels of models mislead, and whom they favour, if people's grades show it."""
    found = one.result.residual_z
    if found is None or not is_misled(found):
        return ""
    plain_z, weighted = found
    if abs(weighted) > MISLED:
        favoured = name(one.second if weighted > 0 else one.first)
        off, whom = weighted, f"they favour {favoured}"
    else:
        off, whom = plain_z, f"people's grades are {'higher' if plain_z > 0 else 'lower'}"
    return (
        f". The labels of models mislead here, and nothing is claimed on them: {whom} "
        f"({decimal(abs(off), ROUGH)} standard deviations off what they let expect)"
    )


def elsewhere(one: Compared) -> str:
    """What the queries say about others like them; a proof on these queries says nothing of it."""
    result = one.result
    if result.p_value is None:
        return "For queries like these in general nothing can be said: no query counts yet."
    mark = mark_of(result)
    said = p_is(result.p_value, mark=mark)
    if mark != ZEROED:
        finding = "significant" if result.p_value < LEVEL else "not significant"
        said += f", the difference is {finding}"
    if result.ci95 is not None:
        said += f"; 95% interval {span(*result.ci95, mark=mark)}"
    if mark == ZEROED:
        return f"With unjudged documents as grade 0, which claims nothing: {said}."
    basis = ", from estimates" if mark else ""
    return f"For queries like these in general{basis}: {said}."


def _better(one: Compared, difference: float) -> str:
    first, second = name(one.first), name(one.second)
    better, worse = (first, second) if difference > 0 else (second, first)
    said = f"{better} is ahead of {worse} on {one.result.measure}"
    return f"{said} by less than {plain(one.margin)}" if one.size == "level" else said


def _equal(one: Compared) -> str:
    return f"{name(one.first)} and {name(one.second)} are equal on {one.result.measure}"


def _queries(one: Compared) -> str:
    certain, maybe = one.counted, one.maybe
    may = f"{counted(maybe, 'query', 'queries')} that may yet count"
    if not certain:
        return may
    here = "this query" if certain == 1 else f"these {counted(certain, 'query', 'queries')}"
    return f"{here} and {may}" if maybe else here
