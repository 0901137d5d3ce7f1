"""Learning-to-rank judgments: ``3 qid:1 # document``, features between them or none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotator.domain import Qrel, Query
from annotator.formats.grades import grade
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader

TITLE = "learning-to-rank judgments (grade qid:… # docid)"
ROW = re.compile(r"\s*(\S+)\s+qid:(\S+)\s+(?:[^#\s]\S*\s+)*#\s*(?:docid\s*=\s*)?(\S+)")
QUERY = re.compile(r"#\s*qid:(\S+):\s+(.*?)(?:\*[0-9.]+)?\s*")


def recognise(head: Head) -> bool:
    """Most lines have a grade, a query and a document as this format has them."""
    return sum(ROW.match(line) is not None for line in head) * 2 > len(head)


def read_qrels(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the judgments; features are left out."""
    for number, line in source.content_lines():
        row = ROW.match(line)
        try:
            if row is None:
                raise ValueError("expected a grade, qid:QUERY, and # DOCUMENT")
            judged = Qrel(row[2], row[3], grade(row[1], source.hints.grades), number)
        except ValueError as fault:
            problems.add(number, str(fault), line)
        else:
            yield judged


def _has_queries(head: Head) -> bool:
    return recognise(head) and any(map(QUERY.fullmatch, head.text.splitlines()))


def read_queries(source: Source, _problems: Problems) -> Iterator[Query]:
    """Read the queries that comments such as ``# qid:1: rambo*1`` name."""
    for _, line in source.lines():
        if (query := QUERY.fullmatch(line)) and query[2]:
            yield Query(query[1], query[2])


LTR_QRELS = Reader(name="ltr", title=TITLE, recognise=recognise, read=read_qrels)
LTR_QUERIES = Reader(
    name="ltr", title=f"{TITLE} with # qid:1: text", recognise=_has_queries, read=read_queries
)
