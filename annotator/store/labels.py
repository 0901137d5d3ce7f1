"""The labels that hold, as they come out of the judgment log."""

from __future__ import annotations

from dataclasses import dataclass

from annotator.records import BoolArray, Int32Array, IntArray


@dataclass(frozen=True, eq=False)
class Labels:
    """The label that holds for each judged pair, and how it came to be the one.

    ``query``, ``document`` and ``grade`` have one element a pair. Where assessors differ the
    latest label holds, and ``disputed`` counts such pairs. ``assessors`` are those whose labels
    hold anywhere. ``outdated`` counts pairs with labels under earlier rubric versions only.
    ``event`` is the entry of the log that each label stands in, ``by_eye`` whether its pair came
    into the log by being picked in a ranking that showed who returned it.
    """

    query: Int32Array
    document: Int32Array
    grade: Int32Array
    assessors: list[str]
    disputed: int
    outdated: int
    event: IntArray
    by_eye: BoolArray


PICKED = (
    "SELECT pair_id FROM judgment AS first JOIN assessor ON assessor.id = assessor_id"
    " WHERE blind = 0 AND coalesce(chosen, 'eye') = 'eye' AND kind = 'human'"
    " AND NOT EXISTS (SELECT 1 FROM judgment WHERE pair_id = first.pair_id AND id < first.id)"
)
"""Pairs whose first entry is of a document picked in a ranking; old entries do not say how."""
