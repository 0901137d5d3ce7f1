"""Tiny random retrieval problems, and the truth about them by trying every grading."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from rubric import EMPTY, UNJUDGED, JudgedRankings

TOP = 3


@dataclass(frozen=True)
class Problem:
    """One query: a ranking of document numbers, the judged grades, and the unjudged documents."""

    ranking: tuple[int, ...]
    judged: dict[int, int]
    unjudged: tuple[int, ...]

    def gradings(self) -> Iterator[dict[int, int]]:
        """Every way the unjudged documents could be graded, with the judged ones."""
        for grades in itertools.product(range(TOP + 1), repeat=len(self.unjudged)):
            yield self.judged | dict(zip(self.unjudged, grades, strict=True))


@st.composite
def problems(draw: st.DrawFn, max_documents: int = 8, max_unjudged: int = 4) -> Problem:
    """Draw a query with a handful of documents, some unjudged, some not retrieved."""
    documents = draw(st.permutations(range(draw(st.integers(1, max_documents)))))
    unjudged = tuple(documents[: draw(st.integers(0, max_unjudged))])
    judged = {d: draw(st.sampled_from([0, 0, 1, 2, 3])) for d in documents if d not in unjudged}
    ranking = draw(st.permutations(documents))
    return Problem(tuple(ranking[: draw(st.integers(0, len(ranking)))]), judged, unjudged)


def as_arrays(problems_: Sequence[Problem], depth: int = 8) -> JudgedRankings:
    """The problems as the arrays that the library scores."""
    grades = np.full((len(problems_), depth), EMPTY, dtype=np.int8)
    judged = np.zeros((len(problems_), TOP + 1), dtype=np.int64)
    for row, problem in enumerate(problems_):
        for rank, document in enumerate(problem.ranking):
            grades[row, rank] = problem.judged.get(document, UNJUDGED)
        for grade in problem.judged.values():
            judged[row, grade] += 1
    unjudged = np.array([len(problem.unjudged) for problem in problems_])
    return JudgedRankings(grades, judged, unjudged)


def extremes(
    problem: Problem, score: Callable[[Sequence[int], dict[int, int]], float | None]
) -> tuple[float, float, bool]:
    """Least and greatest score over all gradings, and whether some leave it undefined."""
    values = [score(problem.ranking, grading) for grading in problem.gradings()]
    defined = [value for value in values if value is not None]
    if not defined:
        return math.nan, math.nan, False
    return min(defined), max(defined), len(defined) < len(values)


def plain_dcg(gains: Sequence[float]) -> float:
    """DCG as the textbook writes it."""
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def plain_ndcg(
    ranking: Sequence[int], grades: dict[int, int], k: int | None, gains: Sequence[float]
) -> float | None:
    """Normalised DCG of a fully judged query, None without a relevant document."""
    ideal = plain_dcg(sorted((gains[g] for g in grades.values()), reverse=True)[:k])
    found = plain_dcg([gains[grades[d]] for d in ranking[:k]])
    return found / ideal if ideal > 0 else None


def plain_score(
    name: str, ranking: Sequence[int], grades: dict[int, int], k: int | None, rel: int
) -> float | None:
    """Any measure but nDCG of a fully judged query, written as plainly as can be."""
    relevant = sum(grade >= rel for grade in grades.values())
    top = list(ranking[:k])
    hits = [grades[document] >= rel for document in top]
    gains = [2 ** grades[document] - 1 for document in top]
    size = k or len(top)
    by_formula: dict[str, Callable[[], float]] = {
        "DCG": lambda: plain_dcg(gains),
        "P": lambda: sum(hits) / size,
        "Hit": lambda: float(any(hits)),
        "RR": lambda: 1 / (hits.index(True) + 1) if any(hits) else 0.0,
        "RBP": lambda: sum(0.2 * 0.8**at for at, hit in enumerate(hits) if hit),
        "ERR": lambda: _plain_err(gains),
        "R": lambda: sum(hits) / relevant,
        "AP": lambda: (
            sum(sum(hits[: at + 1]) / (at + 1) for at, hit in enumerate(hits) if hit) / relevant
        ),
        "F": lambda: 2 * sum(hits) / (relevant + size),
        "Rprec": lambda: sum(hits[:relevant]) / relevant,
        "infAP": lambda: _plain_inf_ap(hits) / relevant,
        "bpref": lambda: _plain_bpref(hits, relevant, len(grades) - relevant) / relevant,
    }
    if not relevant and name in ("R", "AP", "F", "Rprec", "infAP", "bpref"):
        return None
    return by_formula[name]()


def _plain_err(gains: Sequence[int]) -> float:
    total, going = 0.0, 1.0
    for rank, gain in enumerate(gains, start=1):
        total += going * gain / 8 / rank
        going *= 1 - gain / 8
    return total


def _plain_inf_ap(hits: Sequence[bool]) -> float:
    """Of a pool that is judged completely: only the smoothing differs from AP."""
    total, smoothing = 0.0, 0.00001
    for above, hit in enumerate(hits):
        share = (sum(hits[:above]) + smoothing) / (above + 2 * smoothing)
        total += hit * (1 + above * share) / (above + 1)
    return total


def _plain_bpref(hits: Sequence[bool], relevant: int, nonrelevant: int) -> float:
    above = [at - sum(hits[:at]) for at in range(len(hits))]
    least = max(1, min(relevant, nonrelevant))
    return sum(
        1.0 if not wrong else 1 - min(wrong, relevant) / least
        for wrong, hit in zip(above, hits, strict=True)
        if hit
    )
