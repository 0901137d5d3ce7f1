"""The catalog that coverage is a share of, as a person declares it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from annotator.errors import InputError, UsageError
from annotator.formats import Kind, read_documents, recognise
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.scoring.companions import Catalog
from annotator.text.plural import counted


class DeclaredCatalog:
    """A number of documents, or a file of their ids, or a file of documents.

    Raises
    ------
    UsageError
        If the number is 0.
    InputError
        If the file cannot be read as either.
    """

    def __init__(self, typed: str) -> None:
        self._ids: set[str] | None = None
        if typed.isascii() and typed.isdecimal():
            self._size, self._says = int(typed), f"{counted(int(typed), 'document')}, as declared"
        else:
            source = Source(Path(typed))
            self._ids = _ids(source)
            self._size = len(self._ids)
            self._says = f"the {counted(self._size, 'document')} of {Path(typed).name}"
        if not self._size:
            raise UsageError("--catalog: a catalog has at least one document")

    def of(self, names: list[str]) -> Catalog:
        """The catalog for documents that have these names by number, the first being none."""
        if self._ids is None:
            return Catalog(self._size, self._says)
        holds = np.array([name in self._ids for name in names], dtype=np.bool_)
        return Catalog(self._size, self._says, holds)


def _ids(source: Source) -> set[str]:
    """The ids of a file of documents, or of one that has an id on each line."""
    problems = Problems(source.name)
    try:
        recognise(Kind.DOCUMENTS, source)
    except InputError:
        return _listed(source, problems)
    ids = {document.docid for document in read_documents(source, problems)}
    problems.raise_if_any("documents")
    return ids


def _listed(source: Source, problems: Problems) -> set[str]:
    def one(line: str) -> str:
        docid = line.strip()
        if not docid or len(docid.split()) > 1:
            raise ValueError("expected one document id on each line, or a file of documents")
        return docid

    ids = set(problems.good(source.content_lines(), one))
    problems.raise_if_any("a catalog")
    return ids
