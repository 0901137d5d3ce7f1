"""Equal to ir_measures for every query, under its rules, on a real collection."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import ir_measures
import pytest

from annotator.actions.filescoring import score_files
from annotator.scoring.options import RULES, Like, ScoreOptions
from rubric import Measure

FOLDER = Path(__file__).parents[1] / "data" / "dl-hard"
SHARED = {
    "nDCG@10": "nDCG@10",
    "nDCG": "nDCG",
    "P@5": "P@5",
    "R@10": "R@10",
    "Hit@3": "Success@3",
    "RR": "RR",
    "AP": "AP",
    "AP@5": "AP@5",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "RBP(p=0.8)": "RBP(p=0.8,rel=1)",
    "RBP(p=0.5,rel=2)": "RBP(p=0.5,rel=2)",
    "P@10(rel=2)": "P(rel=2)@10",
    "AP(rel=3)": "AP(rel=3)",
    "Judged@10": "Judged@10",
}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("run", sorted(path.name for path in (FOLDER / "runs").glob("*")))
def test_every_shared_measure_and_query_agrees(run: str) -> None:
    qrels, path = FOLDER / "qrels.passage.txt", FOLDER / "runs" / run
    options = ScoreOptions(
        **{**RULES[Like.IR_MEASURES], "measures": tuple(Measure.parse(name) for name in SHARED)}
    )
    table, _ = score_files(qrels, [("run", path)], options)
    parsed = [ir_measures.parse_measure(name) for name in SHARED.values()]
    expected: dict[ir_measures.Measure, dict[str, float]] = defaultdict(dict)
    peer: Any = ir_measures  # partly typed
    judged, ranked = peer.read_trec_qrels(str(qrels)), peer.read_trec_run(str(path))
    for metric in peer.iter_calc(parsed, list(judged), list(ranked)):
        expected[metric.measure][metric.query_id] = metric.value
    for score in table.systems[0].measures:
        theirs = expected[ir_measures.parse_measure(SHARED[score.measure])]
        assert len(theirs) == 50
        for one in score.per_query:
            assert one.zero_filled == pytest.approx(theirs[one.query], abs=1e-6), score.measure
