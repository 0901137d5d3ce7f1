"""From a project to all that a report shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from annotator.actions.agreement import agreement_of_project, disagreement_of_project
from annotator.actions.catalogs import find_companions
from annotator.actions.comparisons import compare_all, find_ceilings
from annotator.actions.history import heads
from annotator.actions.model_audits import audit_models
from annotator.actions.moves import moves_of
from annotator.actions.pool_bias import pool_bias
from annotator.actions.scoring import score
from annotator.actions.status import MOST_RANKINGS, status
from annotator.errors import UsageError
from annotator.results.agreement import AgreementTable
from annotator.results.comparisons import Compared
from annotator.results.disagreement import Disagreement
from annotator.results.model_audits import ModelAuditTable
from annotator.results.pool_bias import PoolBias
from annotator.results.reports import Choice, Judging, LabelsOfDay, Report
from annotator.scoring.options import ScoreOptions
from annotator.scoring.reports import best_first, cutoffs, of_ceilings
from annotator.store import Project

Watch = Callable[[int, int], object]
TRIES = 3


def report_on(
    project: Project, options: ScoreOptions, choice: Choice, watch: Watch | None = None
) -> Report:
    """Gather what a report shows, of one state of the project.

    ``watch`` is called with the pairs of systems done and those in all.

    Raises
    ------
    UsageError
        As the single commands do; or if others go on grading while it is made.
    """
    for _ in range(TRIES):
        before = project.file.version()
        report = _report(project, options, choice, watch)
        if project.file.version() == before:
            return report
    raise UsageError(
        f"{project.file.path}: others went on grading while the report was made; make a copy by "
        "`annotator backup COPY`, then `annotator -p COPY report …`"
    )


def _report(project: Project, options: ScoreOptions, choice: Choice, watch: Watch | None) -> Report:
    scores = score(project, replace(options, systems=choice.names or None))
    names = choice.names or best_first(scores)
    named = replace(options, systems=names)
    comparisons = None
    if len(names) > 1:
        comparisons = compare_all(project, named, watch).with_margin(choice.margin)
    chosen = choice.chosen(comparisons)
    moves = [
        table
        for one in chosen
        for table in moves_of(
            project, (one.second, one.first), choice.differing(one), options, choice.depth
        )
    ]
    ceiling = of_ceilings(named, choice.candidates)
    return Report(
        subject=project.file.path.name,
        scores=scores,
        comparisons=comparisons,
        chosen=chosen,
        moves=tuple(moves),
        ceilings=None if ceiling is None else find_ceilings(project, ceiling, choice.candidates),
        companions=find_companions(project, cutoffs(options), names),
        rubric=project.rubrics.active(options.as_of).rubric,
        judging=_judging(project, named, chosen),
    )


def _judging(project: Project, options: ScoreOptions, chosen: Sequence[Compared]) -> Judging:
    """What is known of the labels, and what they do to systems; to few of them in much detail."""
    small = len(options.systems or ()) * project.queries.count() <= MOST_RANKINGS
    agreement = _agreement(project, options)
    days, last = _days(project, options.as_of)
    return Judging(
        coverage=status(project, cutoffs(options), options.as_of),
        days=days,
        heads=tuple(heads(project)),
        last=last,
        agreement=agreement,
        disagreement=_disagreement(project, options, chosen) if agreement and small else None,
        pool_bias=_pool_bias(project, options) if small else None,
        models=_models(project, options),
    )


def _days(project: Project, as_of: datetime | None) -> tuple[tuple[LabelsOfDay, ...], str]:
    """The grades by day and person, and the time of the latest entry; notes and undoing are none.

    Times are written so that their texts sort as the times do.
    """
    then = [
        event
        for event in project.judgments.events()
        if as_of is None or datetime.fromisoformat(event.at) <= as_of
    ]
    counts = Counter(
        (event.at[:10], event.assessor, str(event.assessor_kind))
        for event in then
        if event.grade is not None and event.undoes is None and event.restates is None
    )
    days = tuple(LabelsOfDay(*key, count) for key, count in sorted(counts.items()))
    return days, max((event.at for event in then), default="")


def _agreement(project: Project, options: ScoreOptions) -> AgreementTable | None:
    """None where no pair has grades of two assessors, of which the command makes an error."""
    try:
        return agreement_of_project(
            project, options.assessors, options.as_of, threshold=options.threshold
        )
    except UsageError:
        return None


def _disagreement(
    project: Project, options: ScoreOptions, chosen: Sequence[Compared]
) -> Disagreement | None:
    """On the systems of the chosen pairs; None where there is no pair, or one assessor."""
    if not chosen:
        return None
    systems = dict.fromkeys(name for one in chosen for name in (one.first, one.second))
    try:
        return disagreement_of_project(project, replace(options, systems=tuple(systems)))
    except UsageError:
        return None


def _models(project: Project, options: ScoreOptions) -> ModelAuditTable | None:
    """None of the past, and where there is nothing to compare, which is an error elsewhere."""
    if options.as_of is not None:
        return None
    try:
        return audit_models(project, threshold=options.threshold)
    except UsageError:
        return None


def _pool_bias(project: Project, options: ScoreOptions) -> PoolBias | None:
    """None of one system alone, and of the past."""
    if len(options.systems or ()) < 2 or options.as_of is not None:
        return None
    return pool_bias(project, options.measures[0])
