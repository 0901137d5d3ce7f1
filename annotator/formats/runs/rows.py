"""A run as a table or JSON: a row a place, or a row a query with the list of what it returned."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.blocks.lines import Lines
from annotator.formats.input.source import Head, Source
from annotator.formats.json.document_lists import documents_of
from annotator.formats.problems import Problems
from annotator.formats.qrels import beir as qrels_beir
from annotator.formats.reader import Kind, Reader
from annotator.formats.runs.columns import parquet_lines
from annotator.formats.runs.lines import Row, run_lines
from annotator.formats.tables.rows import Row as FileRow
from annotator.formats.tables.rows import columns_of, is_json, rows
from annotator.text.plural import counted


def _fits(head: Head) -> bool:
    """There is a query, a document, and a rank or score; or a query with a list."""
    columns, sample = columns_of(Kind.RUN, head)
    graded = columns_of(Kind.QRELS, head)[0]
    names = {path[-1] for path in sample.paths}
    ranked = "rank" in columns.places and sample.is_table
    of_grades = "grade" in graded.places and graded.places["grade"] != columns.places.get("score")
    return not columns.missing and (ranked or not (of_grades or "event" in names))


def recognise_table(head: Head) -> bool:
    """It is a table with such headings, and not one of BEIR's qrels."""
    return not is_json(head) and not qrels_beir.recognise(head) and _fits(head)


def recognise_json(head: Head) -> bool:
    """It has objects with such keys."""
    return is_json(head) and _fits(head)


def read(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read the ranking: by rank, else by score, else as it stands."""
    if source.is_parquet and (lines := parquet_lines(source, problems)):
        return lines
    return run_lines(_places(source, problems), problems)


def _places(source: Source, problems: Problems) -> Iterator[Row]:
    empty = 0
    for row in rows(source, problems, Kind.RUN):
        query = _stripped(row.values.get("query"))
        if row.columns.has("docids", "texts"):
            try:
                found = documents_of(row.values)
            except ValueError as fault:
                problems.add(row.line, str(fault), row.shown())
                continue
            empty += not found
            yield from (Row(query, docid, None, None, row.line) for docid in found)
        else:
            yield _place(row, query)
    if empty:
        lists = counted(empty, "list is empty", "lists are empty")
        problems.notes.append(
            f"{lists}: such a query returned nothing, and scores 0 once its text is imported too "
            "(`annotator import queries`)"
        )


def _place(row: FileRow, query: object) -> Row:
    values = row.values
    rank, score = (_stripped(values.get(name)) for name in ("rank", "score"))
    return Row(query, _stripped(values.get("docid")), rank, score, row.line)


def _stripped(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


RUN_TABLE = Reader(
    name="csv",
    title="a table with headings such as query, docid, rank, score (CSV or TSV)",
    recognise=recognise_table,
    read=read,
)
RUN_JSON = Reader(
    name="jsonl",
    title="JSON (lines or a list) of places (qid, docid, rank or score) or of ranked lists",
    recognise=recognise_json,
    read=read,
)
