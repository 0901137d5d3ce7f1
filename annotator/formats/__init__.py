"""The file formats that are read, found by content: one module each, listed here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from annotator.blocks.lines import Lines
from annotator.domain import Document, Qrel, Query
from annotator.errors import InputError, UsageError
from annotator.formats import judgment_log
from annotator.formats.documents import html as documents_html
from annotator.formats.documents import rows as documents_rows
from annotator.formats.documents import sgml as documents_sgml
from annotator.formats.hints import Hints
from annotator.formats.input.source import Head, Source
from annotator.formats.judgment_log import JudgmentLog
from annotator.formats.problems import Problems
from annotator.formats.qrels import beir as qrels_beir
from annotator.formats.qrels import ltr as qrels_ltr
from annotator.formats.qrels import rows as qrels_rows
from annotator.formats.qrels import trec as qrels_trec
from annotator.formats.qrels import variants as qrels_variants
from annotator.formats.qrels.columns import NotPlainError, QrelLines, plain_lines
from annotator.formats.queries import cast, topics_sgml, topics_xml
from annotator.formats.queries import rows as queries_rows
from annotator.formats.queries import tsv as queries_tsv
from annotator.formats.reader import Kind, Reader
from annotator.formats.runs import rows as run_rows
from annotator.formats.runs import trec as run_trec
from annotator.formats.tables import advice
from annotator.formats.tables.foreign import foreign, has_headings
from annotator.formats.tables.rows import columns_of, is_json
from annotator.formats.tools import msmarco, opensearch, rank_eval, ranx, rre, search_answers
from annotator.formats.tools import quepid as quepid_json
from annotator.text.safe import one_line

__all__ = [
    "READERS",
    "Hints",
    "JudgmentLog",
    "Kind",
    "NotPlainError",
    "Problems",
    "QrelLines",
    "Reader",
    "Source",
    "each_qrel",
    "qrel_columns",
    "read_documents",
    "read_judgments",
    "read_qrels",
    "read_queries",
    "read_run",
    "recognise",
]

T = TypeVar("T")


# Of one kind, the first that recognises a file reads it.
QUERIES: Sequence[Reader[Iterator[Query]]] = (
    topics_sgml.READER,
    topics_xml.READER,
    cast.READER,
    quepid_json.QUERIES,
    rank_eval.QUERIES,
    opensearch.QUERIES,
    rre.QUERIES,
    qrels_ltr.QUERIES,
    queries_rows.JSON,
    msmarco.CANDIDATE_QUERIES,
    queries_tsv.READER,
    queries_rows.TABLE,
)
DOCUMENTS: Sequence[Reader[Iterator[Document]]] = (
    documents_sgml.READER,
    documents_html.READER,
    quepid_json.DOCUMENTS,
    documents_rows.JSON,
    documents_rows.TABLE,
    msmarco.CANDIDATE_TEXTS,
    msmarco.DOCUMENTS,
)
RUNS: Sequence[Reader[Iterator[Lines]]] = (
    run_trec.READER,
    rank_eval.RUN,
    search_answers.READER,
    search_answers.PLACED,
    ranx.RUN,
    run_rows.JSON,
    run_rows.TABLE,
    msmarco.RUN,
    msmarco.CANDIDATES,
)
QRELS: Sequence[Reader[Iterator[Qrel]]] = (
    qrels_beir.READER,
    qrels_ltr.QRELS,
    quepid_json.QRELS,
    rank_eval.QRELS,
    opensearch.QRELS,
    rre.QRELS,
    ranx.QRELS,
    qrels_rows.JSON,
    qrels_rows.TABLE,
    qrels_trec.READER,
    *qrels_variants.READERS,
)
JUDGMENTS: Sequence[Reader[JudgmentLog]] = (judgment_log.READER,)

# The narrowest kind first: a file of the wrong kind is named by the first that fits.
READERS: Mapping[Kind, Sequence[Reader[object]]] = {
    Kind.JUDGMENTS: JUDGMENTS,
    Kind.RUN: RUNS,
    Kind.QRELS: QRELS,
    Kind.QUERIES: QUERIES,
    Kind.DOCUMENTS: DOCUMENTS,
}


def recognise(kind: Kind, source: Source) -> Reader[object]:
    """Find the reader of this kind for the file, or take the one it is to be read as.

    Raises
    ------
    InputError
        If there is none: what the file looks like, how it begins, and what is read.
    UsageError
        If no format of this kind has the name asked for.
    """
    return _recognised(kind, READERS[kind], source)


def read_queries(source: Source, problems: Problems) -> Iterator[Query]:
    """Read queries of any format; bad lines are noted as the iterator is consumed."""
    return _recognised(Kind.QUERIES, QUERIES, source).read(source, problems)


def read_documents(source: Source, problems: Problems) -> Iterator[Document]:
    """Read documents of any format; bad lines are noted as the iterator is consumed."""
    return _recognised(Kind.DOCUMENTS, DOCUMENTS, source).read(source, problems)


def read_run(source: Source, problems: Problems) -> Iterator[Lines]:
    """Read a run of any format, without its bad lines, which are noted as it is consumed."""
    return _recognised(Kind.RUN, RUNS, source).read(source, problems)


def each_qrel(source: Source, problems: Problems) -> Iterator[Qrel]:
    """Read qrels of any format, without their bad lines, which are noted as it is consumed."""
    return _recognised(Kind.QRELS, QRELS, source).read(source, problems)


def qrel_columns(source: Source) -> Iterator[QrelLines]:
    """Read qrels as columns, many times as fast as row by row.

    Raises
    ------
    NotPlainError
        If they are not plain TREC qrels throughout: then :func:`each_qrel` reads or refuses them.
    """
    hints = source.hints
    if hints.grades or _recognised(Kind.QRELS, QRELS, source) is not qrels_trec.READER:
        raise NotPlainError
    return plain_lines(source)


def read_qrels(source: Source, problems: Problems) -> list[Qrel]:
    """Read qrels of any format as a whole, without their bad lines."""
    return list(each_qrel(source, problems))


def read_judgments(source: Source, problems: Problems) -> JudgmentLog:
    """Read a judgment log; bad lines are noted as its events are consumed."""
    return _recognised(Kind.JUDGMENTS, JUDGMENTS, source).read(source, problems)


def _recognised(kind: Kind, readers: Sequence[Reader[T]], source: Source) -> Reader[T]:
    head = source.head()
    if name := source.hints.format or _shape(source, head):
        for reader in readers:
            if reader.name == name:
                return reader
        names = ", ".join(reader.name for reader in readers)
        raise UsageError(f"{source.name}: no format of {kind} is called {name}; there are: {names}")
    for reader in readers:
        if reader.recognise(head):
            return reader
    about = _other_kind(head)
    if not about and kind is not Kind.JUDGMENTS:
        _explain_columns(kind, source, head)
    about = about or foreign(head)
    expected = (f"  {reader.title} (--as {reader.name})" for reader in readers)
    raise InputError(
        f"{source.name}: cannot be read as {kind}{about and ': '}{about}; "
        f"it begins: {one_line(head[0], width=60)}",
        [] if about else ["expected one of:", *expected],
    )


def _explain_columns(kind: Kind, source: Source, head: Head) -> None:
    """Refuse what has columns or keys of unknown names by these, with a guess."""
    columns, sample = columns_of(kind, head)
    if len(sample.paths) > 1 and sample.records and (not sample.is_table or has_headings(head)):
        raise advice.unknown(source, columns, sample)


def _shape(source: Source, head: Head) -> str:
    """The format of a file whose columns were named."""
    if not source.hints.columns:
        return ""
    return "jsonl" if is_json(head) else "csv"


def _other_kind(head: Head) -> str:
    """Say what the file seems to be instead, if anything."""
    for kind, readers in READERS.items():
        for reader in readers:
            if reader.recognise(head):
                option = {Kind.RUN: " or --run", Kind.QRELS: " or --qrels"}.get(kind, "")
                return f"it looks like {reader.title}, use `annotator import {kind}`{option}"
    return ""
