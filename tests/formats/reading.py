"""Read a whole file, a stored one by its name; a line that cannot be read fails as in an import."""

from __future__ import annotations

from pathlib import Path

from annotator.blocks.run_table import run_table
from annotator.domain import Document, Qrel, Query
from annotator.formats import (
    Hints,
    Problems,
    Source,
    read_documents,
    read_qrels,
    read_queries,
    read_run,
)

FORMATS = Path(__file__).parents[1] / "data" / "formats"


def qrels(source: Source | str, grades: str = "") -> list[Qrel]:
    if isinstance(source, str):
        source = Source(FORMATS / source, Hints.parse(grades=grades))
    problems = Problems(source.name)
    rows = read_qrels(source, problems)
    problems.raise_if_any("qrels")
    return rows


def queries(source: Source | str) -> list[Query]:
    source = Source(FORMATS / source) if isinstance(source, str) else source
    problems = Problems(source.name)
    found = list(read_queries(source, problems))
    problems.raise_if_any("queries")
    return found


def documents(source: Source | str) -> list[Document]:
    source = Source(FORMATS / source) if isinstance(source, str) else source
    problems = Problems(source.name)
    found = list(read_documents(source, problems))
    problems.raise_if_any("documents")
    return found


def rows_of(run: str | Source) -> list[tuple[str, str, int, float]]:
    source = Source(FORMATS / run) if isinstance(run, str) else run
    problems = Problems(source.name)
    table = run_table(read_run(source, problems))
    problems.raise_if_any("a run")
    columns = (table.query, table.document, table.rank, table.score)
    docids = table.documents.names()
    return [
        (table.qids[query], docids[document], rank, score)
        for query, document, rank, score in zip(*(c.tolist() for c in columns), strict=True)
    ]
