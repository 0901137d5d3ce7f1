"""Qrels as a table: CSV, TSV or semicolons, one rating a row or a column for each rater."""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotator.formats.grades import UNJUDGED, grade
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.formats.tables import Table, fields, headings
from annotator.records import Qrel

RATER = re.compile(r"(.+)[ _-](?:rating|grade|label|judge?ment)", re.IGNORECASE)


def recognise(head: Head) -> bool:
    """The first line is a heading with a query, a document, and a rating or several."""
    cells = headings(head[0])
    known = fields(cells)
    return (
        ("qid" in known or "query" in known)
        and ("docid" in known or ("id" in known and "qid" in known))
        and ("grade" in known or "score" in known or any(map(RATER.fullmatch, cells)))
        and "rank" not in known
    )


def read(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the ratings; where there is no id of a query its text is the id.

    A column such as ``ann_rating`` is what the assessor ``ann`` says. A cell without a rating
    leaves the row unjudged.
    """
    table = Table(source, problems)
    query, document = _place_of_query(table, source), table.needed("docid", "id")
    assessor = table.place("assessor")
    columns = _ratings(table, source)
    for line, row in table.rows():
        qid, docid = row[query].strip(), row[document].strip()
        if not qid or not docid:
            problems.add(line, "an id is empty", ",".join(row))
            continue
        for place, rater in columns.items():
            value = row[place].strip()
            who = row[assessor].strip() if assessor is not None else rater
            if not value and len(columns) > 1:
                continue
            try:
                rating = grade(value, source.hints.grades) if value else UNJUDGED
            except ValueError as fault:
                problems.add(line, str(fault), ",".join(row))
            else:
                yield Qrel(qid, docid, rating, line, who)


def _place_of_query(table: Table, source: Source) -> int:
    names = ("query", "qid") if "query" in source.hints.columns else ("qid", "query")
    return table.needed(*names)


def _ratings(table: Table, source: Source) -> dict[int, str]:
    """Where the ratings stand, and whose each column is; empty if the file does not say."""
    named = source.hints.columns.get("grade", ())
    raters = {
        place: rater[1]
        for place, heading in enumerate(table.headings)
        if (rater := RATER.fullmatch(heading))
    }
    if len(named) > 1:
        return {place: raters.get(place, table.headings[place]) for place in table.fields["grade"]}
    if named or not raters:
        return {table.needed("grade", "score"): ""}
    return raters


READER = Reader(
    name="csv",
    title="a table with headings such as query, docid, rating (CSV or TSV, Quepid)",
    recognise=recognise,
    read=read,
)
