"""A standing in sentences."""

from __future__ import annotations

from annotator.report.answer import plain_sentence
from annotator.report.more_labels_text import label_range, rounded
from annotator.report.tables import name
from annotator.report.verdicts import FEW, without_models
from annotator.report.withheld import why_withheld
from annotator.results.comparisons import Compared
from annotator.results.more_labels import MoreLabels
from annotator.results.standings import Standing
from annotator.text.numbers import ESTIMATE, chance, decimal, interval, plain
from annotator.text.plural import counted
from rubric import Verdict
from rubric.choose.orders import NEAR
from rubric.model.stopping import MARGIN, SURE

MAY_STOP = "This is known well enough: you may stop here. More labels make it surer still."
SETTLED = "No missing label can change this: you may stop here."


def standing_sentences(found: Standing) -> list[str]:
    """The verdict on each pair, what is certain about it, and how far it is to the goal."""
    if not found.pairs:
        return ["There is only one system: there is nothing to compare it with."]
    reason = " ".join(why_withheld(found.basis)[:1])
    told = [_pair(one, reason) for one in found.pairs]
    told.insert(0, plain_sentence(found.pairs[0], forecast=False))
    if not found.reached:
        return [
            *told,
            *why_withheld(found.basis)[1:],
            _to_go(found.order, found.more),
            *unpooled(found.unpooled),
        ]
    last = SETTLED if all(one.verdict.settled for one in found.pairs) else MAY_STOP
    return [*told, *_nearly_best(found), last]


def _nearly_best(found: Standing) -> list[str]:
    """Why one may stop though the leader is not known to beat every rival, if so."""
    if all(one.verdict is not Verdict.OPEN for one in found.pairs):
        return []
    return [
        f"With a chance of {chance(SURE)} or more, though, {name(found.leader)} is the best "
        f"system or no more than {plain(NEAR)} behind it."
    ]


def unpooled(count: int) -> list[str]:
    """What cannot be judged yet, if anything."""
    if not count:
        return []
    documents = counted(count, "document is", "documents are")
    return [f"In the first 10 of the systems {documents} not pooled: `annotator pool` adds them."]


def _pair(one: Compared, reason: str) -> str:
    result, verdict = one.result, one.verdict
    first, second = name(one.first), name(one.second)
    better = f"{first} is ahead of {second}"
    said = {
        Verdict.EQUAL: f"{first} and {second} are equal",
        Verdict.WITHIN: f"{first} and {second} are less than {plain(MARGIN)} apart",
        Verdict.OPEN: f"perhaps {better}" if result.better is not None else f"{first} or {second}",
    }.get(verdict, better)
    text = f"{verdict.capitalize()}: {said}."
    if not verdict.settled and result.better is not None and result.expected is not None:
        text += (
            f" The chance that {first} is better on these queries is {chance(result.better)}, the "
            f"expected difference {decimal(result.expected, mark=ESTIMATE)}, on "
            f"{counted(result.labels, 'label')}{without_models(one)}."
        )
        if result.missing:
            text += f" {FEW}"
    if not verdict.settled and result.better is None and reason:
        text += f" {reason}"
    if result.lower is not None and result.upper is not None:
        text += (
            f" What is certain: the difference lies within {interval(result.lower, result.upper)}."
        )
    return text


def _to_go(order: str, more: MoreLabels | None) -> str:
    if more is None:
        return "How many labels it will take is not known."
    if more.labels is None:
        return (
            f"Judged in the order {order} it is likely to take more than "
            f"{counted(rounded(more.fewest), 'label')}; how many more was not found in the time "
            "there is."
        )
    spread = f" ({label_range(more)})" if more.fewest < more.most else ""
    return (
        f"Judged in the order {order} it is likely to take about "
        f"{counted(rounded(more.labels), 'more label')}{spread}."
    )
