"""Pairs graded by several assessors, into how far these agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annotator import __version__
from annotator.domain import IntArray
from annotator.errors import UsageError
from annotator.results.agreement import AgreementTable
from rubric.agreement import agreement


@dataclass(frozen=True, eq=False)
class Ratings:
    """The labels of one assessor: ``query`` and ``document`` are numbers that all have in common.

    Each array has one element a label; a pair is labelled once.
    """

    assessor: str
    query: IntArray
    document: IntArray
    grade: IntArray


def compare_assessors(
    ratings: Sequence[Ratings],
    qids: Sequence[str],
    *,
    top: int,
    threshold: int,
    seed: int = 0,
) -> AgreementTable:
    """Compare the labels of two or more assessors.

    Raises
    ------
    UsageError
        If there are fewer than two assessors, or no pair was graded by two of them.
    """
    if len(ratings) < 2:
        raise UsageError("agreement takes the labels of at least two assessors")
    keys = [one.query.astype(np.int64) << 32 | one.document for one in ratings]
    pairs = np.unique(np.concatenate(keys))
    grades = np.full((len(ratings), len(pairs)), -1, dtype=np.int64)
    for row, (one, key) in enumerate(zip(ratings, keys, strict=True)):
        grades[row, np.searchsorted(pairs, key)] = one.grade
    found = agreement(grades, pairs >> 32, highest=top, threshold=threshold, seed=seed)
    if not found.pairs:
        raise UsageError(
            "no pair of query and document has labels of two assessors: agreement takes pairs that "
            "more than one of them graded"
        )
    return AgreementTable(
        assessors=tuple(one.assessor for one in ratings),
        labels=tuple(len(one.grade) for one in ratings),
        qids=tuple(qids[: len(found.by_query)]),
        top=top,
        threshold=threshold,
        seed=seed,
        tool=f"annotator {__version__}",
        found=found,
    )
