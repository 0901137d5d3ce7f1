"""Texts of queries and documents out of files, where there is no project that keeps them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from annotator.domain import Document
from annotator.errors import InputError
from annotator.formats import read_documents, read_queries
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.text.plural import some


def query_texts(path: Path | None, qids: Sequence[str]) -> dict[str, str]:
    """The texts of these queries, as far as the file has them; nothing without a file.

    Raises
    ------
    InputError
        If the file is bad, or has none of these queries.
    """
    if path is None:
        return {}
    source = Source(path, imported=False)
    problems = Problems(source.name)
    found = {query.qid: query.text for query in read_queries(source, problems)}
    problems.raise_if_any("queries")
    return {qid: found[qid] for qid in _shared(source.name, "queries", qids, found) if found[qid]}


def document_texts(path: Path | None, docids: Collection[str]) -> dict[str, Document]:
    """Those of these documents that the file has; nothing without a file.

    Raises
    ------
    InputError
        If the file is bad, or has none of these documents.
    """
    if path is None:
        return {}
    source, wanted = Source(path, imported=False), set(docids)
    problems = Problems(source.name)
    found, first = dict[str, Document](), list[str]()
    for document in read_documents(source, problems):
        if document.docid in wanted:
            found[document.docid] = document
        elif not first:
            first.append(document.docid)
    problems.raise_if_any("documents")
    _shared(source.name, "documents", sorted(wanted), found or dict.fromkeys(first, None))
    return found


def _shared(name: str, what: str, wanted: Sequence[str], found: Mapping[str, object]) -> list[str]:
    shared = [one for one in wanted if one in found]
    if wanted and not shared:
        raise InputError(
            f"{name}: none of its {what} ({some(list(found), 3)}) is among those that are scored "
            f"({some(wanted, 3)})"
        )
    return shared
