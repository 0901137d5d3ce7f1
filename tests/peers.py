"""What pytrec_eval says of files, to compare with."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from unittest.mock import patch

import pytest
import pytrec_eval

from annotator.actions.files.scores import score_files
from annotator.scoring.board import Board
from annotator.scoring.options import RULES, Like, ScoreOptions
from rubric import Measure

SHARED = {
    "nDCG": "ndcg",
    "nDCG@5": "ndcg_cut_5",
    "nDCG@10": "ndcg_cut_10",
    "P@5": "P_5",
    "P@10": "P_10",
    "R@10": "recall_10",
    "R@100": "recall_100",
    "Hit@5": "success_5",
    "RR": "recip_rank",
    "AP": "map",
    "AP@10": "map_cut_10",
    "Rprec": "Rprec",
    "bpref": "bpref",
    "infAP": "infAP",
    "F": "set_F",
}
TREC_EVAL = ScoreOptions(
    **{**RULES[Like.TREC_EVAL], "measures": tuple(Measure.parse(name) for name in SHARED)}
)
Table = dict[str, dict[str, float]]


def theirs(qrels: Path, run: Path) -> Table:
    """Each query's values by pytrec_eval's names; of queries that the run has."""
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for line in qrels.read_text("utf-8").splitlines():
        qid, _, docid, grade = line.split()
        judged[qid][docid] = int(grade)
    ranked: dict[str, dict[str, float]] = defaultdict(dict)
    for line in run.read_text("utf-8").splitlines():
        qid, _, docid, _, score = line.split()[:5]
        ranked[qid][docid] = float(score)
    asked = {"ndcg", "ndcg_cut.5,10", "P.5,10", "recall.10,100", "success.5", "recip_rank", "map"}
    asked |= {"map_cut.10", "Rprec", "bpref", "infAP", "set_F"}
    found: Table = pytrec_eval.RelevanceEvaluator(dict(judged), asked).evaluate(dict(ranked))
    return found


def assert_equal_to_pytrec_eval(qrels: Path, run: Path, options: ScoreOptions = TREC_EVAL) -> int:
    """Compare every query and shared measure to 1e-6; how many queries that were."""
    with patch.object(Board, "estimate"):  # what is expected has no peer, and takes its time
        table, _ = score_files(qrels, [("run", run)], options)
    expected = theirs(qrels, run)
    assert expected
    for score in table.systems[0].measures:
        name = SHARED[score.measure]
        for one in score.per_query:
            value = expected.get(one.query, {}).get(name, 0.0)
            assert one.zero_filled == pytest.approx(value, abs=1e-6), (score.measure, one.query)
    return len(expected)
