"""The files that the benchmark of imports reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

DEPTH = 1000
QUERIES = 500  # of each system of the projects
WORDS = 120  # of a document


def write_run(path: Path, rows: int, documents: int, seed: int, queries: int = 0) -> None:
    """Write a TREC run with queries of 1,000 places each."""
    chosen = np.random.default_rng(seed)
    with path.open("w") as file:
        for query in range(max(queries, rows // DEPTH)):
            drawn = chosen.choice(documents, DEPTH, replace=False).tolist()
            scores = (DEPTH - np.arange(DEPTH) + chosen.random(DEPTH)).tolist()
            file.writelines(
                f"q{query} Q0 msmarco_passage_{docid:08} {rank} {score:.6f} tag\n"
                for rank, (docid, score) in enumerate(zip(drawn, scores, strict=True), start=1)
            )


def write_corpus(path: Path, megabytes: int) -> int:
    """Write a BEIR corpus of this size; how many documents it has."""
    chosen = np.random.default_rng(0)
    texts = [" ".join(f"word{n}" for n in chosen.integers(0, 5000, WORDS)) for _ in range(500)]
    count = size = 0
    with path.open("w") as file:
        while size < megabytes * 1_000_000:
            text = texts[count % len(texts)]
            size += file.write(f'{{"_id": "d{count}", "title": "t{count}", "text": "{text}"}}\n')
            count += 1
    return count


def write_places(path: Path, system: int, depth: int) -> Path:
    """Write a run of 500 queries whose first documents are nearly those of other systems."""
    with path.open("w") as file:
        for query in range(QUERIES):
            file.writelines(
                f"q{query} Q0 d{query}x{place + 3 * system} {place + 1} {-place} t\n"
                for place in range(depth)
            )
    return path


def rows_of(path: Path) -> Iterator[tuple[str, str, int, float]]:
    """The rows of a run as they go into the bare table."""
    with path.open() as file:
        for line in file:
            qid, _, docid, rank, score, _ = line.split()
            yield qid, docid, int(rank), float(score)
