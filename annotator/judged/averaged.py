"""A run as graded rankings that know their ties; simpler and slower than the other way."""

from __future__ import annotations

import numpy as np

from annotator.formats import read_run
from annotator.formats.blocks.codes import run_table
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.judged.pairs import JudgedPairs, told_apart
from annotator.judged.reader import JudgedRun
from annotator.ordering import displayed, rule_of, score_order
from annotator.records import IntArray
from rubric import EMPTY, first_of_ties


def read_tied_run(
    source: Source, pairs: JudgedPairs, problems: Problems
) -> tuple[JudgedRun, IntArray]:
    """Read a TREC run by descending score, and where the tie of each rank begins."""
    known = pairs.places()
    table = run_table(read_run(source, problems))
    rule = rule_of(table.query, table.rank)
    run = displayed(table.query, table.document, table.rank, table.score, rule)
    numbers = {qid: number for number, qid in enumerate(pairs.qids)}
    rankings = [one for one in run.rankings() if table.qids[one[0]] in numbers]
    depth = max((len(documents) for _, documents, _ in rankings), default=0)
    found = np.full((len(pairs.qids), depth), EMPTY, dtype=np.int8)
    scores = np.full(found.shape, np.nan)
    keys = np.zeros(found.shape, dtype=np.uint64)
    retrieved = np.zeros(len(pairs.qids), dtype=np.int64)
    for query, documents, score in rankings:
        qid, order = table.qids[query], score_order(score)
        row, size = numbers[qid], len(documents)
        docids = [table.docids[document] for document in documents[order].tolist()]
        places = np.array([known.get((qid, docid), -1) for docid in docids])
        found[row, :size] = pairs.grades_at(places)
        keys[row, :size] = told_apart(places, pairs.keys_in(row, docids))
        scores[row, :size] = score[order]
        retrieved[row] = size
    unknown = tuple(qid for qid in table.qids if qid not in numbers)
    judged = JudgedRun(found, retrieved, run.counts, unknown, rule, keys)
    return judged, first_of_ties(scores)
