"""From a project to how far its assessors agree."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from annotator.errors import UsageError
from annotator.results.agreement import AgreementTable
from annotator.scoring.assessors import Ratings, compare_assessors
from annotator.store import Project


def agreement_of_project(
    project: Project,
    assessors: Sequence[str] | None = None,
    as_of: datetime | None = None,
    *,
    threshold: int | None = None,
    seed: int = 0,
) -> AgreementTable:
    """Compare the labels of a project's assessors, of all or of those named.

    Each assessor's own latest grade of a pair counts, whoever else judged it. Models are compared
    only if they are named.

    Raises
    ------
    UsageError
        If an assessor is not known, there are fewer than two, or no pair has two labels.
    """
    rubric = project.rubrics.active(as_of).rubric
    models = project.models.models()
    named = [models[name] for name in assessors or () if name in models]
    found = project.judgments.labels_by_assessor(project.rubrics.counted(as_of), as_of, named)
    if assessors:
        known = {one.assessor for one in found}
        if unknown := [name for name in assessors if name not in known]:
            raise UsageError(
                f"no labels of {', '.join(unknown)}; there are labels of "
                f"{', '.join(sorted(known)) or 'nobody yet'}"
            )
        found = [one for one in found if one.assessor in set(assessors)]
    names = {number: qid for qid, number in project.queries.ids().items()}
    qids = [names.get(number, "") for number in range(max(names, default=0) + 1)]
    ratings = [Ratings(*one) for one in found]
    return compare_assessors(
        ratings, qids, top=rubric.top, threshold=threshold or rubric.threshold, seed=seed
    )
