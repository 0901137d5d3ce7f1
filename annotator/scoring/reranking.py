"""What the best order of the first candidates would score: the ceiling of a reranker."""

from __future__ import annotations

import numpy as np

from annotator.domain import BoolArray
from annotator.errors import UsageError
from annotator.results.ceilings import CeilingScore, CeilingTable, SystemCeiling
from annotator.results.method import Method
from annotator.scoring.board import Board
from annotator.scoring.options import ScoreOptions
from rubric.weights import mean


def check_ceiling(options: ScoreOptions, n: int) -> None:
    """Refuse measures that have no ceiling.

    Raises
    ------
    UsageError
        If one is no nDCG with a cutoff up to ``n``.
    """
    unfit = [
        str(one)
        for one in options.measures
        if not one.kind.full_ideal or one.k is None or one.k > n
    ]
    if unfit:
        raise UsageError(
            f"measure {unfit[0]}: a ceiling needs nDCG with a cutoff of at most the {n} candidates "
            f"that can be reranked, such as nDCG@{min(n, 10)}"
        )


def ceilings(board: Board, n: int, method: Method) -> CeilingTable:
    """Split every system's score on every measure of a board."""
    judged, places = board.coverage(n)
    found = []
    for system, name in enumerate(board.systems):
        counted = board.counted(system)
        candidates = int(places[system][counted].sum())
        unjudged = candidates - int(judged[system][counted].sum())
        scores, weights = [], board.weights(np.flatnonzero(counted))
        for measure in board.measures:
            split = board.ceiling(system, measure, n)
            defined: BoolArray = ~np.isnan(split.score)
            held = None if weights is None else weights[defined]
            scores.append(
                CeilingScore(
                    measure=str(measure),
                    score=mean(split.score[defined], held),
                    ceiling=mean(split.ceiling[defined], held),
                    never_found=mean(split.never_found[defined], held),
                    ranked_low=mean(split.ranked_low[defined], held),
                    unjudged=unjudged,
                    candidates=candidates,
                    open=bool(split.open.any()),
                    scored=int(defined.sum()),
                    undefined=int((~defined).sum()),
                )
            )
        found.append(SystemCeiling(name, tuple(scores)))
    return CeilingTable(method, n, int(places.max(initial=0)), tuple(found))
