"""A system scored without the labels that it alone brought: what the pool owes to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.domain import BoolArray
from annotator.results.pool_bias import LeftOut, Missed
from annotator.scoring.pairs import BoardData
from rubric import Summary


def alone(data: BoardData, systems: Sequence[int], depth: int) -> BoolArray:
    """Which labels are of documents that only these systems have in their first ``depth``."""
    inside = np.isin(np.arange(len(data.systems)), systems)
    return _held(data, inside, depth) & ~_held(data, ~inside, depth)


def _held(data: BoardData, systems: BoolArray, depth: int) -> BoolArray:
    """Which labels are of documents that any of these systems has in its first ``depth``."""
    top = data.documents[systems, :, :depth].astype(np.int64)
    span = np.int64(2**31)
    held = np.unique((data.queries[:, None] * span + top)[top > 0])
    return np.isin(data.label_query.astype(np.int64) * span + data.label_document, held)


def left_out(
    group: str,
    system: int,
    labels: int,
    whole: Sequence[tuple[str, Summary]],
    without: Sequence[tuple[str, Summary]],
) -> LeftOut:
    """Compare a system's scores without some labels with those that it has with all of them."""
    reference = [summary.point for _, summary in whole]

    def missed(estimate: str) -> Missed:
        scores = [getattr(summary, estimate) for _, summary in without]
        one, true = scores[system], reference[system]
        if one is None or true is None:
            return Missed(None, None)
        return Missed(one - true, _place(scores, system) - _place(reference, system))

    return LeftOut(
        group=group,
        system=whole[system][0],
        labels=labels,
        reference=reference[system],
        zero_filled=missed("zero_filled"),
        condensed=missed("condensed"),
        expected=missed("expected"),
    )


def _place(scores: Sequence[float | None], system: int) -> int:
    """How many systems have a higher score."""
    mine = scores[system]
    return sum(score is not None and mine is not None and score > mine + 1e-12 for score in scores)
