"""Qrels as JSON lines, as language models that judge write them: an object a label."""

from __future__ import annotations

from collections.abc import Iterator

from annotator.formats import json_lines
from annotator.formats.grades import grade_of
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Head, Source
from annotator.records import Qrel

QUERIES = ("qid", "query_id", "query-id", "topic", "query")
DOCUMENTS = ("docid", "doc_id", "docno", "corpus-id", "corpus_id", "pid", "passage_id", "document")
GRADES = ("grade", "judgment", "judgement", "label", "rating", "relevance", "rel", "score")
ASSESSORS = ("assessor", "judge", "rater", "annotator", "model")


def recognise(head: Head) -> bool:
    """The first line is an object with a query, a document and a grade, and no rank."""
    keys = set(json_lines.keys(head[0]))
    return bool(
        keys.intersection(QUERIES) and keys.intersection(DOCUMENTS) and keys.intersection(GRADES)
    ) and not keys & {"rank", "event"}


def read(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read the labels; what else a line holds (a prompt, an explanation) is left out."""
    for number, line in source.content_lines():
        try:
            record = source.hints.renamed(json_lines.record(line))
            present = [name for name in GRADES if name in record]
            if not present:
                raise ValueError(f"no grade: expected a key {' or '.join(GRADES)}")
            qid = json_lines.identifier(record, QUERIES)
            docid = json_lines.identifier(record, DOCUMENTS)
            grade = grade_of(record[present[0]], source.hints.grades)
            assessor = json_lines.text(record, ASSESSORS) or ""
        except ValueError as fault:
            problems.add(number, str(fault), line)
        else:
            yield Qrel(qid, docid, grade, number, assessor)


READER = Reader(
    name="jsonl",
    title="JSON lines with qid, docid and grade (or label, rating, …)",
    recognise=recognise,
    read=read,
)
