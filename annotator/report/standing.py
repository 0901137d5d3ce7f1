"""A standing in sentences."""

from __future__ import annotations

from annotator.report.answer import answer
from annotator.report.tables import ESTIMATE, name
from annotator.report.verdicts import FEW, rounded
from annotator.report.withheld import withheld
from annotator.scoring.standings import Ahead, PairStanding, Standing
from annotator.text.plural import counted
from rubric import Verdict
from rubric.choose.orders import NEAR
from rubric.model.stopping import MARGIN, SURE

MAY_STOP = "This is known well enough: you may stop here. More labels make it surer still."
SETTLED = "No missing label can change this: you may stop here."


def standing(found: Standing) -> list[str]:
    """The verdict on each pair, what is certain about it, and how far it is to the goal."""
    if not found.pairs:
        return ["There is only one system: there is nothing to compare it with."]
    reason = " ".join(withheld(found.basis)[:1])
    told = [_pair(one, reason) for one in found.pairs]
    if found.first_two is not None:
        told.insert(0, answer(found.first_two, forecast=False))
    if not found.reached:
        return [
            *told,
            *withheld(found.basis)[1:],
            _to_go(found.order, found.ahead),
            *unpooled(found.unpooled),
        ]
    last = SETTLED if all(one.proved for one in found.pairs) else MAY_STOP
    return [*told, *_nearly_best(found), last]


def _nearly_best(found: Standing) -> list[str]:
    """Why one may stop though the leader is not known to beat every rival, if so."""
    if all(one.verdict is not Verdict.OPEN for one in found.pairs):
        return []
    return [
        f"With a chance of {SURE:.1%} or more, though, {name(found.leader)} is the best "
        f"system or no more than {NEAR:g} behind it."
    ]


def unpooled(count: int) -> list[str]:
    """What cannot be judged yet, if anything."""
    if not count:
        return []
    documents = counted(count, "document is", "documents are")
    return [f"In the first 10 of the systems {documents} not pooled: `annotator pool` adds them."]


def _pair(one: PairStanding, reason: str) -> str:
    first, second = name(one.first), name(one.second)
    better = f"{first} is better than {second}"
    said = {
        Verdict.EQUAL: f"{first} and {second} are equal",
        Verdict.WITHIN: f"{first} and {second} are less than {MARGIN:g} apart",
        Verdict.OPEN: f"perhaps {better}" if one.chance is not None else f"{first} or {second}",
    }.get(one.verdict, better)
    text = f"{one.verdict.capitalize()}: {said}."
    if not one.proved and one.chance is not None and one.expected is not None:
        chance = "over 99.9%" if one.chance > 0.999 else f"{one.chance:.1%}"
        text += (
            f" The chance that {first} is better on these queries is {chance}, the expected "
            f"difference {ESTIMATE}{one.expected:z.4f}, on {counted(one.labels, 'label')}."
        )
        if one.few:
            text += f" {FEW}"
    if not one.proved and one.chance is None and reason:
        text += f" {reason}"
    if one.lower is not None and one.upper is not None:
        text += (
            f" What is certain: the difference lies within [{one.lower:z.4f}, {one.upper:z.4f}]."
        )
    return text


def _to_go(order: str, ahead: Ahead | None) -> str:
    if ahead is None:
        return "How many labels it will take is not known."
    fewest, most = rounded(ahead.fewest), rounded(ahead.most)
    if ahead.labels is None:
        return (
            f"Judged in the order {order} it is likely to take more than "
            f"{counted(fewest, 'label')}; how "
            "many more was not found in the time there is."
        )
    spread = f" ({fewest:,} to {most:,})" if fewest < most else ""
    return (
        f"Judged in the order {order} it is likely to take about "
        f"{counted(rounded(ahead.labels), 'more label')}{spread}."
    )
