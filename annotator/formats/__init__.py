"""The file formats that are read, found by content: one module each, listed here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TypeVar

from annotator.errors import InputError
from annotator.formats import (
    documents_jsonl,
    judgments_jsonl,
    qrels_beir,
    qrels_trec,
    queries_jsonl,
    queries_tsv,
    run_trec,
    topics_sgml,
    topics_xml,
)
from annotator.formats.judgments_jsonl import JudgmentLog
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import Source
from annotator.records import Document, Qrel, Query, RunTable
from annotator.sanitise import one_line

__all__ = [
    "READERS",
    "JudgmentLog",
    "Kind",
    "Problems",
    "Reader",
    "Source",
    "read_documents",
    "read_judgments",
    "read_qrels",
    "read_queries",
    "read_run",
    "recognise",
]

T = TypeVar("T")


class Kind(StrEnum):
    """What a file is about; each is a subcommand of ``annotator import``."""

    QUERIES = "queries"
    DOCUMENTS = "documents"
    RUN = "run"
    QRELS = "qrels"
    JUDGMENTS = "judgments"


# Of one kind, the first that recognises a file reads it.
QUERIES: Sequence[Reader[Iterator[Query]]] = (
    topics_sgml.READER,
    topics_xml.READER,
    queries_jsonl.READER,
    queries_tsv.READER,
)
DOCUMENTS: Sequence[Reader[Iterator[Document]]] = (documents_jsonl.READER,)
RUNS: Sequence[Reader[RunTable]] = (run_trec.READER,)
QRELS: Sequence[Reader[list[Qrel]]] = (qrels_beir.READER, qrels_trec.READER)
JUDGMENTS: Sequence[Reader[JudgmentLog]] = (judgments_jsonl.READER,)

# The narrowest kind first: a file of the wrong kind is named by the first that fits.
READERS: Mapping[Kind, Sequence[Reader[object]]] = {
    Kind.JUDGMENTS: JUDGMENTS,
    Kind.RUN: RUNS,
    Kind.QRELS: QRELS,
    Kind.QUERIES: QUERIES,
    Kind.DOCUMENTS: DOCUMENTS,
}


def recognise(kind: Kind, source: Source) -> Reader[object]:
    """Find the reader of this kind for the file.

    Raises
    ------
    InputError
        If there is none: what the file looks like, how it begins, and what is read.
    """
    return _recognised(kind, READERS[kind], source)


def read_queries(source: Source, problems: Problems) -> Iterator[Query]:
    """Read queries of any format; bad lines are noted as the iterator is consumed."""
    return _recognised(Kind.QUERIES, QUERIES, source).read(source, problems)


def read_documents(source: Source, problems: Problems) -> Iterator[Document]:
    """Read documents of any format; bad lines are noted as the iterator is consumed."""
    return _recognised(Kind.DOCUMENTS, DOCUMENTS, source).read(source, problems)


def read_run(source: Source, problems: Problems) -> RunTable:
    """Read a run of any format, without its bad lines."""
    return _recognised(Kind.RUN, RUNS, source).read(source, problems)


def read_qrels(source: Source, problems: Problems) -> list[Qrel]:
    """Read qrels of any format, without their bad lines."""
    return _recognised(Kind.QRELS, QRELS, source).read(source, problems)


def read_judgments(source: Source, problems: Problems) -> JudgmentLog:
    """Read a judgment log; bad lines are noted as its events are consumed."""
    return _recognised(Kind.JUDGMENTS, JUDGMENTS, source).read(source, problems)


def _recognised(kind: Kind, readers: Sequence[Reader[T]], source: Source) -> Reader[T]:
    head = source.head()
    for reader in readers:
        if reader.recognise(head):
            return reader
    expected = "; ".join(reader.title for reader in readers)
    raise InputError(
        f"{source.name}: cannot be read as {kind}{_other_kind(head)}; "
        f"it begins: {one_line(head[0], width=60)}; expected: {expected}"
    )


def _other_kind(head: Sequence[str]) -> str:
    """Say what the file seems to be instead, if anything."""
    for kind, readers in READERS.items():
        for reader in readers:
            if reader.recognise(head):
                return f": it looks like {reader.title}, use `annotator import {kind}`"
    return ""
