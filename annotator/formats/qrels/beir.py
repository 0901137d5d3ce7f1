"""BEIR qrels: three columns separated by tabs, below a heading."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.domain import Qrel
from annotator.formats.grades import Scale, grade
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.tables.cells import split, tab_cells

HEADINGS = (
    {"query-id", "query_id", "qid"},
    {"corpus-id", "corpus_id", "doc-id", "doc_id", "docid"},
    {"score", "grade", "relevance", "label", "rating"},
)


def recognise(head: Head) -> bool:
    """The first line is the heading."""
    cells = _cells(head[0])
    return len(cells) == 3 and all(
        cell.lower() in known for cell, known in zip(cells, HEADINGS, strict=True)
    )


def read(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the judgments below the heading."""
    lines = source.content_lines()
    next(lines)
    for number, line in lines:
        try:
            row = _qrel(line, number, source.hints.grades)
        except ValueError as fault:
            problems.add(number, str(fault), line)
        else:
            yield row


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in split(line, "\t")]


def _qrel(line: str, number: int, scale: Scale) -> Qrel:
    cells = tab_cells(line, 3, "(query, document, grade) with tabs")
    qid, docid, value = (cell.strip() for cell in cells)
    if not qid or not docid:
        raise ValueError("an id is empty")
    return Qrel(qid, docid, grade(value, scale), number)


BEIR_QRELS = Reader(
    name="beir",
    title="BEIR qrels (heading query-id, corpus-id, score; tabs)",
    recognise=recognise,
    read=read,
)
