"""What systems show of a catalog: near-duplicates, and coverage of the catalog that is declared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from annotator.actions.rankings import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.errors import InputError, UsageError
from annotator.formats import Kind, read_documents, recognise
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.results.companions import CompanionTable
from annotator.scoring.near_duplicates import Catalog, count_companions
from annotator.scoring.options import Ties
from annotator.store import Project
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


def find_companions(
    project: Project,
    cutoffs: Sequence[int],
    systems: Sequence[str] | None = None,
    declared: DeclaredCatalog | None = None,
) -> CompanionTable:
    """Count near-duplicates and distinct documents in each top k; texts come query by query.

    Raises
    ------
    UsageError
        If there is no system, a named one is not there, or the catalog is too small.
    """
    names = named_systems(project, systems)
    queries = np.array(list(project.queries.all()), dtype=np.int64)
    documents, _ = ranked_documents(project, list(names.values()), queries, Ties.DISPLAYED)
    if declared is None:
        catalog = Catalog(project.documents.count(), "every document known to the project")
    else:
        known = project.documents.names()
        numbers = range(max(known, default=0) + 1)
        catalog = declared.of([known.get(number, "") for number in numbers])
    return count_companions(documents, list(names), cutoffs, catalog, project.documents.texts)
