"""The rows of a run: as a file, and as dicts alone would rank them."""

from __future__ import annotations

import numpy as np

from annotator.judged import Order
from annotator.records import Qrel

Rows = list[tuple[str, str, int, str]]


def rows_of(rows: Rows) -> bytes:
    return "".join(
        f"{qid} Q0 {docid} {rank} {score} tag\n" for qid, docid, rank, score in rows
    ).encode()


def oracle(rows: Rows, qrels: list[Qrel], order: Order) -> dict[str, list[str]]:
    """The documents of each query by dicts alone."""
    queries: dict[str, list[tuple[int, float, str]]] = {}
    for qid, docid, rank, score in rows:
        queries.setdefault(qid, []).append((rank, float(score), docid))
    several = [ranking for ranking in queries.values() if len(ranking) > 1]
    by_score = bool(several) and all(len({row[0] for row in r}) == 1 for r in several)
    result = {}
    for qid in {row.qid: 0 for row in qrels}:
        ranking = sorted(queries.get(qid, []), key=lambda row: -row[1] if by_score else row[0])
        once: list[tuple[float, str]] = []
        for _, points, docid in ranking:
            if docid not in {earlier for _, earlier in once}:
                once.append((points, docid))
        if order == "score":
            once.sort(key=lambda row: -row[0])
        if order == "trec":
            with np.errstate(over="ignore"):
                once.sort(key=lambda row: (np.float32(row[0]), row[1].encode()), reverse=True)
        result[qid] = [docid for _, docid in once]
    return result
