"""How fast exact bounds are: all queries at once, against a plain loop that tries every count.

    python benchmarks/bounds.py [QUERIES]

The plain loop is the fastest exact method known before: for each query, every way of saying how
many unjudged documents reach each grade, high grades on the best ranks for the greatest value and
on the worst for the least.
"""

from __future__ import annotations

import sys
import time
from itertools import combinations_with_replacement

import numpy as np

from rubric import UNJUDGED, JudgedRankings, Measure, evaluate
from rubric.measures.ndcg import discounts

K, OPEN, TOP = 10, 5, 3
GAINS = np.array([0.0, 1.0, 3.0, 7.0])
REPEATS = 5


def make(queries: int, seed: int = 0) -> JudgedRankings:
    """Rankings of ten documents, five of them unjudged, with five more judged outside."""
    rng = np.random.default_rng(seed)
    grades = rng.choice([0, 0, 1, 2, 3], (queries, K)).astype(np.int8)
    holes = np.argsort(rng.random((queries, K)), axis=1)[:, :OPEN]
    np.put_along_axis(grades, holes, np.int8(UNJUDGED), axis=1)
    counts = [(grades == grade).sum(axis=1) for grade in range(TOP + 1)]
    judged = np.stack(counts, axis=1) + np.array([2, 1, 1, 1])
    return JudgedRankings(grades, judged, np.full(queries, OPEN))


def plain(rankings: JudgedRankings) -> list[tuple[float, float]]:
    """The same bounds, one query and one count after the other."""
    discount = discounts(K)
    ways = list(combinations_with_replacement(range(TOP + 1), OPEN))
    found = []
    for grades, judged in zip(rankings.grades, rankings.judged, strict=True):
        known = sum(GAINS[g] * d for g, d in zip(grades, discount, strict=True) if g >= 0)
        weights = sorted(d for g, d in zip(grades, discount, strict=True) if g < 0)
        values = []
        for way in ways:
            every = np.repeat(GAINS, judged + np.bincount(way, minlength=TOP + 1))
            ideal = float(np.sort(every)[::-1][:K] @ discount[: len(every)])
            best = known + sum(GAINS[g] * w for g, w in zip(way, weights, strict=True))
            worst = known + sum(GAINS[g] * w for g, w in zip(way, weights[::-1], strict=True))
            values += [best / ideal, worst / ideal]
        found.append((min(values), max(values)))
    return found


def main() -> None:
    """Print seconds and the ratio, and check that both agree."""
    queries = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rankings = make(queries)
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        scores = evaluate(Measure("nDCG", K), rankings)
        seconds.append(time.perf_counter() - start)
    sample = min(queries, 200)
    start = time.perf_counter()
    reference = plain(make(sample)) if sample == queries else plain(_first(rankings, sample))
    loop = (time.perf_counter() - start) * queries / sample
    found = np.stack([scores.lower, scores.upper], axis=1)[:sample]
    assert np.allclose(found, reference, atol=1e-12)
    best = min(seconds)
    print(f"{queries} queries, k = {K}, {OPEN} unjudged each: bounds and scores of nDCG@{K}")
    print(f"all at once       {best * 1000:9.1f} ms   {best / queries * 1e6:7.1f} us a query")
    print(f"plain loop        {loop * 1000:9.1f} ms   {loop / queries * 1e6:7.1f} us a query")
    print(f"ratio             {best / loop:9.4f}      (bounds equal to 1e-12 on {sample} queries)")


def _first(rankings: JudgedRankings, count: int) -> JudgedRankings:
    return JudgedRankings(
        rankings.grades[:count], rankings.judged[:count], rankings.unjudged[:count]
    )


if __name__ == "__main__":
    main()
