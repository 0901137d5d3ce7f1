"""From a project to near-duplicates and catalog coverage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from annotator import __version__
from annotator.actions.ranked import ranked_documents
from annotator.actions.scoring import named_systems
from annotator.scoring.companions import CompanionTable, SystemCompanions, Tally, sketch
from annotator.scoring.options import Ties
from annotator.store import Project


def find_companions(
    project: Project, cutoffs: Sequence[int], systems: Sequence[str] | None = None
) -> CompanionTable:
    """Count near-duplicates and distinct documents in each top k; texts come query by query.

    Raises
    ------
    UsageError
        If there is no system, or a named one is not there.
    """
    names = named_systems(project, systems)
    queries = np.array(list(project.queries.all()), dtype=np.int64)
    documents, _ = ranked_documents(project, list(names.values()), queries, Ties.DISPLAYED)
    tally = Tally(documents[:, :, : max(cutoffs)])
    for row in range(len(queries)):
        sketches = {
            number: sketch(f"{title}\n{text}")
            for number, title, text in project.documents.texts(tally.wanted(row))
            if title.strip() or text.strip()
        }
        tally.add(row, sketches)
    catalog = project.documents.count()
    return CompanionTable(
        queries=len(queries),
        tool=f"annotator {__version__}",
        systems=tuple(
            SystemCompanions(
                name, tuple(tally.companions(at, k, catalog) for k in dict.fromkeys(cutoffs))
            )
            for at, name in enumerate(names)
        ),
    )
