"""The rules of other scorers, to be followed as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rubric.evaluation.measure import Measure
from rubric.evaluation.scores import Rules
from rubric.gains import LINEAR, Gain
from rubric.measures.registry import KINDS


@dataclass(frozen=True)
class Tool:
    """What a tool does: its rules, and the order it gives tied scores.

    ``order_of`` names measures, by :attr:`Measure.form`, that it scores in another order.
    """

    rules: Rules
    ties: str
    order_of: Mapping[str, str] = field(default_factory=dict)

    def order(self, measure: Measure) -> str:
        """The order in which a measure is scored."""
        return self.order_of.get(measure.form, self.ties)


def _orders(tool: str) -> dict[str, str]:
    """The orders in which a tool scores forms of measures, where it is not its usual one."""
    return {
        kind.name + cut: order
        for kind in KINDS.values()
        if tool in kind.equals
        for cut, order in kind.equals[tool].orders.items()
    }


_TREC = Rules(gain=Gain(LINEAR), threshold=1, empty_ideal_zero=True)
_FLATTERING = Rules(gain=Gain(LINEAR), threshold=1, empty_ideal_zero=True, own_ideal=True)

TOOLS: dict[str, Tool] = {
    "trec_eval": Tool(_TREC, "trec"),
    "ir_measures": Tool(_TREC, "trec", _orders("ir_measures")),
    "ranx": Tool(_TREC, "score"),
    "sklearn": Tool(_FLATTERING, "average"),
}
"""Every rule of each tool; what they do beside these stands in docs/peers.md."""
