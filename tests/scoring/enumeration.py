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
    ranking: Sequence[int], grades: dict[int, int], k: int, gains: Sequence[float]
) -> float | None:
    """Normalised DCG of a fully judged query, None without a relevant document."""
    ideal = plain_dcg(sorted((gains[g] for g in grades.values()), reverse=True)[:k])
    found = plain_dcg([gains[grades[d]] for d in ranking[:k]])
    return found / ideal if ideal > 0 else None
