"""Equal to scikit-learn under its rules, on files full of ties."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

from annotator.actions.files.scores import score_files
from annotator.scoring.board import Board
from annotator.scoring.options import RULES, Like, ScoreOptions
from rubric import Measure

PEERS = {"nDCG": ndcg_score, "DCG": dcg_score}


@pytest.mark.parametrize("seed", range(6))
def test_tied_scores_score_as_in_scikit_learn(tmp_path: Path, seed: int) -> None:
    chosen = np.random.default_rng(seed)
    qrels, run, lists = [], [], {}
    for query in range(12):
        size = int(chosen.integers(2, 30))
        grades = chosen.choice(4, p=[0.5, 0.2, 0.2, 0.1], size=size)
        scores = chosen.integers(0, 5, size=size) / 4
        lists[str(query)] = grades, scores
        names = [f"d{number}" for number in chosen.permutation(size).tolist()]
        qrels += [f"{query} 0 {d} {g}\n" for d, g in zip(names, grades.tolist(), strict=True)]
        qrels.append(f"{query} 0 missed 3\n")  # scikit-learn does not see what was not returned
        order = np.argsort(-scores, kind="stable").tolist()
        run += [
            f"{query} Q0 {names[at]} {rank} {scores[at]} t\n"
            for rank, at in enumerate(order, start=1)
        ]
    (tmp_path / "qrels").write_text("".join(qrels))
    (tmp_path / "run").write_text("".join(run))
    measures = tuple(map(Measure.parse, ["nDCG", "nDCG@3", "nDCG@10", "DCG", "DCG@5"]))
    options = ScoreOptions(**{**RULES[Like.SKLEARN], "measures": measures}, like=Like.SKLEARN)
    with patch.object(Board, "estimate"):
        table, said = score_files(tmp_path / "qrels", [("t", tmp_path / "run")], options)
    assert not any("--like" in one for one in said)
    for score, measure in zip(table.systems[0].measures, measures, strict=True):
        for one in score.per_query:
            grades, scores = lists[one.query]
            theirs = PEERS[measure.name]([grades], [scores], k=measure.k)
            assert one.zero_filled == pytest.approx(theirs, abs=1e-9), (score.measure, one.query)
