"""A run as a table with headings: CSV, TSV or semicolons."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats import qrels_beir
from annotator.formats.blocks.lines import Lines
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.run_rows import Row, run_lines
from annotator.formats.source import Head, Source
from annotator.formats.tables import Table, fields, headings


def recognise(head: Head) -> bool:
    """The first line is a heading with a query, a document, and a rank or score."""
    known = fields(headings(head[0])).keys()
    return (
        not qrels_beir.recognise(head)
        and bool({"qid", "query"} & known)
        and bool({"docid", "id"} & known)
        and ("rank" in known or ("score" in known and "grade" not in known))
    )


def read(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the ranking; where there is no id of a query its text is the id."""
    return run_lines(_rows(Table(source, problems), source), problems)


def _rows(table: Table, source: Source) -> Iterator[Row]:
    names = ("query", "qid") if "query" in source.hints.columns else ("qid", "query")
    query, document = table.needed(*names), table.needed("docid", "id")
    rank, score = table.place("rank"), table.place("score")
    if rank is None and score is None:
        table.needed("rank", "score")
    for line, row in table.rows():
        place, points = (None if at is None else row[at].strip() for at in (rank, score))
        yield Row(row[query].strip(), row[document].strip(), place, points, line)


READER = Reader(
    name="csv",
    title="a table with headings such as query, docid, rank, score (CSV or TSV)",
    recognise=recognise,
    read=read,
)
