"""Every file format that is read, and how a file finds its reader: by its content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from annotator.blocks.lines import Lines
from annotator.domain import Document, Qrel, Query
from annotator.errors import UsageError
from annotator.formats.documents.html import HTML_PAGE
from annotator.formats.documents.rows import DOCUMENT_JSON, DOCUMENT_TABLE
from annotator.formats.documents.sgml import TREC_DOCUMENTS
from annotator.formats.documents.solr import SOLR_XML
from annotator.formats.input.source import Head, Source
from annotator.formats.judgment_log import JUDGMENT_LOG, JudgmentLog
from annotator.formats.problems import Problems
from annotator.formats.qrels.beir import BEIR_QRELS
from annotator.formats.qrels.columns import NotPlainError, QrelLines, plain_lines
from annotator.formats.qrels.ltr import LTR_QRELS, LTR_QUERIES
from annotator.formats.qrels.rows import QRELS_JSON, QRELS_TABLE
from annotator.formats.qrels.trec import TREC_QRELS
from annotator.formats.qrels.variants import QRELS_VARIANTS
from annotator.formats.queries.cast import CAST_TOPICS
from annotator.formats.queries.rows import QUERY_JSON, QUERY_TABLE
from annotator.formats.queries.topics_sgml import SGML_TOPICS
from annotator.formats.queries.topics_xml import XML_TOPICS
from annotator.formats.queries.tsv import QUERY_TSV
from annotator.formats.reader import Kind, Reader
from annotator.formats.refusal import refusal
from annotator.formats.runs.rows import RUN_JSON, RUN_TABLE
from annotator.formats.runs.trec import TREC_RUN
from annotator.formats.tables.rows import is_json
from annotator.formats.tools.msmarco import (
    MSMARCO_COLLECTION,
    MSMARCO_RUN,
    TOP1000_DOCUMENTS,
    TOP1000_QUERIES,
    TOP1000_RUN,
)
from annotator.formats.tools.opensearch import OPENSEARCH_QRELS, OPENSEARCH_QUERIES
from annotator.formats.tools.quepid import QUEPID_DOCUMENTS, QUEPID_QRELS, QUEPID_QUERIES
from annotator.formats.tools.rank_eval import RANK_EVAL_QRELS, RANK_EVAL_QUERIES, RANK_EVAL_RUN
from annotator.formats.tools.ranx import RANX_QRELS, RANX_RUN
from annotator.formats.tools.rre import RRE_QRELS, RRE_QUERIES
from annotator.formats.tools.search_answers import PLACED_ANSWERS, SEARCH_ANSWERS

T = TypeVar("T")


# Of one kind, the first that recognises a file reads it.
QUERIES: Sequence[Reader[Iterator[Query]]] = (
    SGML_TOPICS,
    XML_TOPICS,
    CAST_TOPICS,
    QUEPID_QUERIES,
    RANK_EVAL_QUERIES,
    OPENSEARCH_QUERIES,
    RRE_QUERIES,
    LTR_QUERIES,
    QUERY_JSON,
    TOP1000_QUERIES,
    QUERY_TSV,
    QUERY_TABLE,
)
DOCUMENTS: Sequence[Reader[Iterator[Document]]] = (
    TREC_DOCUMENTS,
    SOLR_XML,
    HTML_PAGE,
    QUEPID_DOCUMENTS,
    DOCUMENT_JSON,
    DOCUMENT_TABLE,
    TOP1000_DOCUMENTS,
    MSMARCO_COLLECTION,
)
RUNS: Sequence[Reader[Iterator[Lines]]] = (
    TREC_RUN,
    RANK_EVAL_RUN,
    SEARCH_ANSWERS,
    PLACED_ANSWERS,
    RANX_RUN,
    RUN_JSON,
    RUN_TABLE,
    MSMARCO_RUN,
    TOP1000_RUN,
)
QRELS: Sequence[Reader[Iterator[Qrel]]] = (
    BEIR_QRELS,
    LTR_QRELS,
    QUEPID_QRELS,
    RANK_EVAL_QRELS,
    OPENSEARCH_QRELS,
    RRE_QRELS,
    RANX_QRELS,
    QRELS_JSON,
    QRELS_TABLE,
    TREC_QRELS,
    *QRELS_VARIANTS,
)
JUDGMENTS: Sequence[Reader[JudgmentLog]] = (JUDGMENT_LOG,)

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
    if hints.grades or _recognised(Kind.QRELS, QRELS, source) is not TREC_QRELS:
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
    raise refusal(kind, READERS, source, head)


def _shape(source: Source, head: Head) -> str:
    """The format of a file whose columns were named."""
    if not source.hints.columns or SOLR_XML.recognise(head):
        return ""
    return "jsonl" if is_json(head) else "csv"
