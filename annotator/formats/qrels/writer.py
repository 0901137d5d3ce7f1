"""Qrels as they are written: TREC, BEIR, and CSV for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from annotator.domain import Query
from annotator.errors import UsageError
from annotator.formats.qrels import trec as qrels_trec
from annotator.text.csv_formulas import neutral
from annotator.text.safe import one_line

Rows: TypeAlias = Iterable[tuple[Query, str, int]]


def trec(rows: Rows) -> Iterator[str]:
    """Four columns: query, 0, document, grade."""
    return qrels_trec.write((query.qid, docid, grade) for query, docid, grade in rows)


def beir(rows: Rows) -> Iterator[str]:
    """Three columns with tabs below a heading; a quote in an id is written as its loader reads it.

    Raises
    ------
    UsageError
        If the format cannot hold an id.
    """
    yield "query-id\tcorpus-id\tscore"
    for query, docid, grade in rows:
        _check((query.qid, docid), without="\t", why="tabs, line ends or blanks at its ends")
        if query.qid.startswith("#"):
            raise UsageError(_unwritable(query.qid, "a # at its start"))
        yield _line([query.qid, docid, str(grade)], "\t")


def table(rows: Rows) -> Iterator[str]:
    """CSV with the query's text; no cell is a formula to a spreadsheet.

    Raises
    ------
    UsageError
        If the format cannot hold an id.
    """
    yield "qid,query,docid,rating"
    for query, docid, grade in rows:
        _check((query.qid, docid), without="", why="line ends or blanks at its ends")
        yield _line([*map(neutral, (query.qid, one_line(query.text), docid)), str(grade)])


def quepid(rows: Rows) -> Iterator[str]:
    """CSV with the heading that Quepid's import wants: the query is its text.

    Raises
    ------
    UsageError
        If the format cannot hold an id, or a query has no text.
    """
    yield "query,docid,rating"
    for query, docid, grade in rows:
        _check((docid,), without="", why="line ends or blanks at its ends")
        if not query.text.strip():
            raise UsageError(
                f"query {one_line(query.qid, width=60)} has no text, and Quepid knows "
                "queries by it: `annotator import queries FILE` adds it"
            )
        yield _line([*map(neutral, (one_line(query.text), docid)), str(grade)])


def _line(cells: Sequence[str], delimiter: str = ",") -> str:
    line = io.StringIO()
    csv.writer(line, delimiter=delimiter, lineterminator="").writerow(cells)
    return line.getvalue()


def _check(ids: Sequence[str], *, without: str, why: str) -> None:
    for name in ids:
        lines = name.splitlines()
        if name != name.strip() or len(lines) != 1 or not set(without).isdisjoint(name):
            raise UsageError(_unwritable(name, why))


def _unwritable(name: str, why: str) -> str:
    shown = one_line(name, width=60)
    return f"these qrels cannot hold an id with {why}: '{shown}'; export as judgments instead"


WRITERS: Mapping[str, Callable[[Rows], Iterator[str]]] = {
    "trec": trec,
    "beir": beir,
    "csv": table,
    "quepid": quepid,
}
