"""From a project to how far its assessors agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from annotator.actions.scoring import board_data, board_of, load_labels, method, named_systems
from annotator.errors import UsageError
from annotator.results.agreement import AgreementTable
from annotator.results.disagreement import Disagreement
from annotator.scoring.assessors import Ratings, compare_assessors
from annotator.scoring.disagreement import disagreement
from annotator.scoring.options import ScoreOptions
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
    ratings = ratings_of(project, assessors, as_of)
    names = {number: qid for qid, number in project.queries.ids().items()}
    qids = [names.get(number, "") for number in range(max(names, default=0) + 1)]
    return compare_assessors(
        ratings, qids, top=rubric.top, threshold=threshold or rubric.threshold, seed=seed
    )


def ratings_of(
    project: Project, assessors: Sequence[str] | None = None, as_of: datetime | None = None
) -> list[Ratings]:
    """The labels of all assessors by themselves, or of those named, models only if named.

    Raises
    ------
    UsageError
        If an assessor is not known.
    """
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
    return [Ratings(*one) for one in found]


def disagreement_of_project(
    project: Project, options: ScoreOptions, *, seed: int = 0
) -> Disagreement:
    """Score the systems by each assessor's labels, and by every choice among the grades given.

    ``options.assessors`` names whose labels are looked at; None: everybody's. The first measure is
    taken.

    Raises
    ------
    UsageError
        If there are fewer than two assessors or systems, or a named one is not there.
    """
    measure = options.measures[0]
    [options] = replace(options, measures=(measure,)).by_order()
    ratings = ratings_of(project, options.assessors, options.as_of)
    if len(ratings) < 2:
        raise UsageError("disagreement takes the labels of at least two assessors")
    systems = list(named_systems(project, options.systems))
    if len(systems) < 2:
        raise UsageError(f"only {systems[0]} is there; a comparison needs two systems")
    options = replace(options, systems=None)
    labels = load_labels(project, options)
    return disagreement(
        board_data(project, options, labels),
        ratings,
        measure,
        partial(board_of, project=project, options=options),
        method(project, options, labels),
        systems,
        seed=seed,
    )
