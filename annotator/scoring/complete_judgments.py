"""Collections judged completely: what has no label is known to be of grade 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from annotator.domain import BoolArray, Int32Array, IntArray
from annotator.scoring.pairs import BoardData

_SPAN = np.int64(2**31)


def judged_completely(data: BoardData, *, pooled_too: bool) -> BoardData:
    """Label as grade 0 what systems returned for the queries that have any label.

    ``pooled_too``: also what is pooled and has none; else that stays unjudged.
    """
    labelled = _keys(data.label_query, data.label_document)
    queries = np.unique(data.label_query)
    use = np.isin(data.queries, queries)
    every = [np.unique(_keys(data.queries[use, None], one[use])[one[use] > 0])
             for one in data.documents]  # fmt: skip
    pooled = _keys(data.pooled_query, data.pooled_document)[np.isin(data.pooled_query, queries)]
    found = np.unique(np.concatenate([*every, *([pooled] if pooled_too else [])]))
    new = np.setdiff1d(found, labelled if pooled_too else np.union1d(labelled, pooled))
    count = len(new)
    return replace(
        data,
        label_query=np.concatenate([data.label_query, (new // _SPAN).astype(np.int32)]),
        label_document=np.concatenate([data.label_document, (new % _SPAN).astype(np.int32)]),
        label_grade=np.concatenate([data.label_grade, np.zeros(count, dtype=np.int32)]),
        label_by_eye=_extended(data.label_by_eye, count),
        label_foreign=_extended(data.label_foreign, count),
    )


def _keys(query: Int32Array | IntArray, document: Int32Array) -> IntArray:
    return np.asarray(query.astype(np.int64) * _SPAN + document)


def _extended(marks: BoolArray | None, count: int) -> BoolArray | None:
    return None if marks is None else np.concatenate([marks, np.zeros(count, dtype=np.bool_)])
