"""Whole test collections into a project: a BEIR folder, a data set of ir_datasets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from annotator.actions.imports.qrels import qrels_of, storing_qrels
from annotator.actions.imports.texts import (
    documents_of,
    queries_of,
    storing_documents,
    storing_queries,
    wanted_texts,
)
from annotator.actions.imports.transaction import Reading, Storing
from annotator.domain import Document, Metadata, Qrel, Query
from annotator.errors import InputError, UsageError
from annotator.formats import each_qrel
from annotator.formats.blindness import Fields
from annotator.formats.grades import grade_of
from annotator.formats.input.source import Source
from annotator.formats.metadata import metadata
from annotator.formats.problems import Problems
from annotator.store import Project
from annotator.store.staging.area import Staging
from annotator.text.safe import one_line

COMPRESSED = ("", ".gz", ".bz2", ".xz", ".zst")
QUERY_TEXTS = ("text", "title", "query", "raw_utterance")
DETAILS = ("description", "narrative")
DOCUMENT_TEXTS = ("text", "body", "abstract", "contents")


def beir_imports(folder: Path, split: str = "") -> list[Reading]:
    """What is to be imported of a BEIR folder, in order: queries with qrels, qrels, documents.

    Raises
    ------
    InputError
        If it has no queries, or no qrels of the split.
    """
    if not folder.is_dir():
        what = "is a file: unpack it first" if folder.exists() else "there is no such folder"
        raise InputError(f"{folder}: {what}; expected queries.jsonl and qrels/*.tsv in a folder")
    queries, corpus = _file(folder, "queries.jsonl"), _file(folder, "corpus.jsonl")
    if queries is None:
        raise InputError(f"{folder}: is no BEIR folder: it has no queries.jsonl")
    qrels = _split(folder, split)
    source = Source(qrels)
    judged, documents = set[str](), set[str]()
    for row in each_qrel(source, Problems(source.name)):
        judged.add(row.qid)
        documents.add(row.docid)
    imports: list[Reading] = [
        partial(queries_of, path=queries, only=judged),
        partial(qrels_of, path=qrels, assessor=f"{folder.resolve().name} {_stem(qrels)}"),
    ]
    if corpus is not None:
        imports.append(partial(documents_of, path=corpus, also=documents))
    return imports


def _file(folder: Path, name: str) -> Path | None:
    places = (folder / f"{name}{suffix}" for suffix in COMPRESSED)
    return next((path for path in places if path.is_file()), None)


def _stem(path: Path) -> str:
    return path.name.partition(".tsv")[0]


def _split(folder: Path, split: str) -> Path:
    """The qrels of a split: of the one named, of test, or the only ones."""
    found = {_stem(path): path for path in sorted(folder.glob("qrels/*.tsv*"))}
    name = split or ("test" if "test" in found or len(found) != 1 else next(iter(found)))
    if name not in found:
        there = ", ".join(found) or "none"
        raise InputError(f"{folder}: has no qrels/{name}.tsv; splits: {there}")
    return found[name]


def dataset_imports(name: str, *, texts: bool = True) -> list[Reading]:
    """What is to be imported of a data set of ir_datasets, in order.

    Raises
    ------
    UsageError
        If the library is not installed, or knows no such data set.
    """
    try:
        import ir_datasets
    except ImportError:
        raise UsageError(
            "ir_datasets is not installed: pip install 'pool-annotator[ir-datasets]'"
        ) from None
    try:
        dataset = ir_datasets.load(name)
    except KeyError:
        raise UsageError(f"ir_datasets knows no data set {one_line(name, 60)}") from None
    imports: list[Reading] = []
    if dataset.has_queries():
        imports.append(partial(_queries, name=name, dataset=dataset))
    if dataset.has_qrels():
        imports.append(partial(_qrels, name=name, dataset=dataset))
    if texts and dataset.has_docs():
        imports.append(partial(_documents, name=name, dataset=dataset))
    if not imports:
        raise UsageError(f"data set {name} has no queries, qrels or documents")
    return imports


def _queries(project: Project, staged: Staging, *, name: str, dataset: Any) -> Storing:
    with _told(name):
        judged = {row.query_id for row in dataset.qrels_iter()} if dataset.has_qrels() else None
        queries = (
            Query(
                one.query_id,
                _text(one, QUERY_TEXTS),
                *(_text(one, (detail,)) for detail in DETAILS),
            )
            for one in dataset.queries_iter()
        )
        return storing_queries(project, staged, queries, Problems(name), only=judged)


def _qrels(project: Project, staged: Staging, *, name: str, dataset: Any) -> Storing:
    with _told(name):
        rows = (
            Qrel(row.query_id, row.doc_id, grade_of(row.relevance), number)
            for number, row in enumerate(dataset.qrels_iter(), start=1)
        )
        return storing_qrels(project, staged, rows, Problems(name), name)


def _documents(project: Project, staged: Staging, *, name: str, dataset: Any) -> Storing:
    with _told(name):
        problems = Problems(name)
        problems.fields = Fields(systems=[one.name for one in project.systems.all()])
        documents = (
            Document(
                one.doc_id,
                _text(one, ("title",)),
                _text(one, DOCUMENT_TEXTS),
                _text(one, ("url",)),
                _fields(one, problems.fields),
            )
            for one in dataset.docs_iter()
        )
        judged = {row.doc_id for row in dataset.qrels_iter()} if dataset.has_qrels() else set()
        wanted = wanted_texts(project, judged)
        return storing_documents(project, documents, problems, staged.texts(wanted), wanted)


def _text(record: object, names: tuple[str, ...]) -> str:
    """The first of the attributes that is a text, or what the library itself shows."""
    for name in names:
        if isinstance(value := getattr(record, name, None), str) and value:
            return value
    shown = getattr(record, "default_text", None) if len(names) > 1 else None
    return str(shown()) if shown else ""


def _fields(record: Any, fields: Fields) -> Metadata:
    """What a document has beside what is read as its title, text and url, of texts."""
    used = {"doc_id", "title", "url", *DOCUMENT_TEXTS}
    values = record._asdict() if hasattr(record, "_asdict") else {}
    return metadata(
        {name: one for name, one in values.items() if isinstance(one, str)}, fields, used
    )


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Tell in one line why a data set cannot be had."""
    try:
        yield
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"data set {name}: cannot be read: {one_line(str(error), 120)}") from None
