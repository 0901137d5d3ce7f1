"""Equal to ranx under its rules, but for what the command says of it. Skipped without ranx.

It is not among the packages of the tests: with numba and what else it brings it is larger than all
of these, and compiles for minutes when it is first used.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from annotator.actions.files.scores import score_files
from annotator.scoring.board import Board
from annotator.scoring.options import RULES, Like, ScoreOptions
from rubric import Measure

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    ranx: Any = pytest.importorskip("ranx")

SHARED = {
    "nDCG@10": "ndcg@10",
    "nDCG": "ndcg",
    "nDCG@5(gain=exponential)": "ndcg_burges@5",
    "DCG@5": "dcg@5",
    "P@5": "precision@5",
    "P@5(rel=2)": "precision@5-l2",
    "R@5": "recall@5",
    "R": "recall",
    "F@5": "f1@5",
    "F": "f1",
    "Hit@3": "hit_rate@3",
    "RR": "mrr",
    "RR@5": "mrr@5",
    "AP": "map",
    "AP@5": "map@5",
    "Rprec": "r-precision",
}
OPTIONS = ScoreOptions(
    **{**RULES[Like.RANX], "measures": tuple(Measure.parse(name) for name in SHARED)},
    like=Like.RANX,
)
Runs = dict[str, dict[str, float]]


def files(seed: int, documents: int, scores: int) -> tuple[dict[str, dict[str, int]], Runs]:
    """Judged documents and a run of ten queries, with that many different scores."""
    chosen = np.random.default_rng(seed)
    qrels, run = dict[str, dict[str, int]](), Runs()
    for query in range(10):
        names = [f"d{number}" for number in chosen.permutation(60).tolist()]
        grades = chosen.integers(0, 4, size=30).tolist()
        qrels[f"q{query}"] = dict(zip(names[::2], grades, strict=True)) | {"found": 1}
        values = np.sort(chosen.integers(0, scores, size=documents))[::-1] / 8
        run[f"q{query}"] = dict(zip(names[:documents], values.tolist(), strict=True))
    return qrels, run


def written(folder: Path, qrels: dict[str, dict[str, int]], run: Runs) -> tuple[Path, Path]:
    rows = [f"{q} 0 {d} {grade}\n" for q, of in qrels.items() for d, grade in of.items()]
    (folder / "qrels").write_text("".join(rows))
    rows = [
        f"{q} Q0 {d} {rank} {score} t\n"
        for q, of in run.items()
        for rank, (d, score) in enumerate(of.items(), start=1)
    ]
    (folder / "run").write_text("".join(rows))
    return folder / "qrels", folder / "run"


def differing(folder: Path, qrels: dict[str, dict[str, int]], run: Runs) -> tuple[set[str], str]:
    """The queries for which a measure differs, and what the command said."""
    with patch.object(Board, "estimate"):
        table, said = score_files(*_written_order(folder, qrels, run), OPTIONS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        judged, ranked = ranx.Qrels(qrels), ranx.Run(run)
        ranx.evaluate(judged, ranked, list(SHARED.values()))
    found = set()
    for score in table.systems[0].measures:
        theirs = ranked.scores[SHARED[score.measure]]
        for one in score.per_query:
            if one.zero_filled != pytest.approx(theirs[one.query], abs=1e-6):
                found.add(one.query)
    return found, " ".join(said)


def _written_order(
    folder: Path, qrels: dict[str, dict[str, int]], run: Runs
) -> tuple[Path, list[tuple[str, Path]]]:
    judged, ranked = written(folder, qrels, run)
    return judged, [("t", ranked)]


@pytest.mark.parametrize("seed", range(4))
def test_short_lists_agree_however_many_scores_tie(tmp_path: Path, seed: int) -> None:
    found, said = differing(tmp_path, *files(seed, documents=15, scores=4))
    assert found == set()
    assert "order of its own" not in said


@pytest.mark.parametrize("seed", range(3))
def test_long_lists_without_ties_agree(tmp_path: Path, seed: int) -> None:
    qrels, run = files(seed, documents=50, scores=4)
    run = {q: {d: 100.0 - at for at, d in enumerate(of)} for q, of in run.items()}
    found, said = differing(tmp_path, qrels, run)
    assert found == set()
    assert "order of its own" not in said


@pytest.mark.parametrize("seed", range(3))
def test_long_lists_with_ties_are_named_wherever_they_may_differ(tmp_path: Path, seed: int) -> None:
    qrels, run = files(seed, documents=50, scores=5)
    for query in ("q0", "q1", "q2"):  # these have no tie
        run[query] = {d: 100.0 - at for at, d in enumerate(run[query])}
    found, said = differing(tmp_path, qrels, run)
    assert found
    assert found <= {f"q{query}" for query in range(3, 10)}
    assert "t: 7 queries have tied scores in a list of more than 15 documents" in said
