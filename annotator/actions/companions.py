"""From a project to near-duplicates and catalog coverage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator.actions.catalogs import DeclaredCatalog
from annotator.actions.rankings import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.scoring.companions import Catalog, CompanionTable, count_companions
from annotator.scoring.options import Ties
from annotator.store import Project


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
