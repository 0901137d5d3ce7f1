"""Make the demo's Cranfield data from a directory that holds the whole collection.

Usage: python benchmarks/make_demo_data.py SOURCE_DIR [TARGET_DIR]

SOURCE_DIR holds ``topics.tsv``, ``docs.jsonl``, ``qrels.0-3.txt`` and ``runs/NAME.run``; the
target is ``annotator/demo/cranfield`` unless named. The same source gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from pathlib import Path

ESTABLISHED = ("bm25_lucene", "bm25plus_nostem", "tfidf_cosine", "ql_dirichlet")
NEW = "lsa_200"
QUERY_STEP = 5
QUERY_COUNT = 40
POOL_DEPTH = 10
RUN_DEPTH = 20
TARGET = Path(__file__).resolve().parent.parent / "annotator" / "demo" / "cranfield"

Pair = tuple[str, str]
RunLine = tuple[str, str, int, str]  # query, document, rank, the line itself


def read_lines(path: Path) -> list[str]:
    """Return the file's lines without their ends."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def choose_queries(source: Path) -> dict[str, str]:
    """Return every fifth topic, the first forty of them: its line by its number."""
    topics = read_lines(source / "topics.tsv")[QUERY_STEP - 1 :: QUERY_STEP]
    return {line.split("\t")[0]: line for line in topics[:QUERY_COUNT]}


def read_grades(source: Path) -> dict[Pair, int]:
    """Return the collection's own grades."""
    rows = (line.split() for line in read_lines(source / "qrels.0-3.txt"))
    return {(query, document): int(grade) for query, _, document, grade in rows}


def read_run(source: Path, system: str, queries: Iterable[str]) -> list[RunLine]:
    """Return the chosen queries' lines down to the depth that ships, as the run orders them."""
    wanted, kept = set(queries), []
    for line in read_lines(source / "runs" / f"{system}.run"):
        query, _, document, rank, _, _ = line.split()
        if query in wanted and int(rank) <= RUN_DEPTH:
            kept.append((query, document, int(rank), line))
    return kept


def top_pairs(run: Iterable[RunLine]) -> set[Pair]:
    """Return the pairs that a run puts into a pool: its ranks down to the pool's depth."""
    return {(query, document) for query, document, rank, _ in run if rank <= POOL_DEPTH}


def qrels_lines(pairs: Iterable[Pair], grades: dict[Pair, int]) -> list[str]:
    """Return TREC qrels lines in numeric order; a pair the collection does not list gets 0."""
    ordered = sorted(pairs, key=lambda pair: (int(pair[0]), int(pair[1])))
    return [f"{query} 0 {doc} {grades.get((query, doc), 0)}" for query, doc in ordered]


def write_lines(path: Path, lines: list[str]) -> None:
    """Write the lines as UTF-8 with line feeds on every platform, and say how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    print(f"{len(lines):6} {path.parent.name}/{path.name}")


def make_demo_data(source: Path, target: Path) -> None:
    """Write the queries, runs, both qrels and the documents they need to the target."""
    queries = choose_queries(source)
    grades = read_grades(source)
    runs = {system: read_run(source, system, queries) for system in (*ESTABLISHED, NEW)}
    pool = set().union(*(top_pairs(runs[system]) for system in ESTABLISHED))
    rest = top_pairs(runs[NEW]) - pool
    needed = {document for _, document in pool | rest}
    documents = read_lines(source / "docs.jsonl")

    write_lines(target / "queries.tsv", list(queries.values()))
    write_lines(target / "qrels.txt", qrels_lines(pool, grades))
    write_lines(target / "qrels.rest.txt", qrels_lines(rest, grades))
    for system, run in runs.items():
        write_lines(target / "runs" / f"{system}.run", [line for *_, line in run])
    kept = [line for line in documents if json.loads(line)["_id"] in needed]
    write_lines(target / "documents.jsonl", kept)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the demo's Cranfield data.")
    parser.add_argument("source", type=Path, metavar="SOURCE_DIR")
    parser.add_argument("target", type=Path, metavar="TARGET_DIR", nargs="?", default=TARGET)
    options = parser.parse_args()
    make_demo_data(options.source, options.target)
