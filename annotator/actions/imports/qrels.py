"""Labels made elsewhere into a project, and a project's labels out again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from annotator.actions.imports.effects import counting_new, tell_labels, tell_twins
from annotator.actions.imports.grade_hints import advice_on, note_faults
from annotator.actions.imports.ids import REMEMBERED, known_queries
from annotator.actions.imports.look_alikes import strangers
from annotator.actions.imports.report import Found, note_reading
from annotator.actions.imports.transaction import Storing, import_one
from annotator.actions.scoring import of_earlier_text
from annotator.domain import AssessorKind, JudgmentEvent, Mark, Qrel
from annotator.errors import UsageError
from annotator.formats import Hints, each_qrel
from annotator.formats.input.source import Source
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.formats.qrels import writer as qrels_written
from annotator.store import Project
from annotator.store.staging.area import Staging
from annotator.store.staging.grades import StagedGrades
from annotator.text.plural import counted, some


def import_qrels(project: Project, path: Path, **options: Any) -> Found:
    """Store the grades of a qrels file at once; see `qrels_of`."""
    return import_one(project, partial(qrels_of, path=path, **options))


def qrels_of(
    project: Project,
    staged: Staging,
    path: Path,
    *,
    assessor: str | None = None,
    hints: Hints | None = None,
) -> Storing:
    """Read the grades of a qrels file, to be the judgments of those whom it names.

    Where it names nobody they are of one assessor, named after the file.

    Raises
    ------
    InputError
        If a line is bad; or, when they are stored, a grade is above the rubric's, or one pair has
        two grades of one assessor.
    UsageError
        If, when they are stored, no query of the file is known, or the assessor is a person.
    """
    source = Source(path, hints)
    problems = Problems(source.name)
    rows = each_qrel(source, problems)
    name = system_name(path)
    storing = storing_qrels(project, staged, rows, problems, assessor, name)
    if problems.count:
        problems.advice = advice_on(source, project.rubrics.active().rubric.top)
    return storing


def storing_qrels(
    project: Project,
    staged: Staging,
    rows: Iterable[Qrel],
    problems: Problems,
    assessor: str | None = None,
    name: str = "",
) -> Storing:
    """Take grades, whatever they are read from; ``name`` gave those of which nothing else says."""
    grades = staged.grades()
    grades.add(rows)
    named = [one for one in grades.assessors if one]
    if assessor and named:
        raise UsageError(
            f"{problems.source}: names its assessors itself ({some(named, 3)}); leave out "
            "--assessor"
        )
    return lambda: _store_qrels(project, grades, problems, assessor or name)


def _store_qrels(project: Project, grades: StagedGrades, problems: Problems, name: str) -> Found:
    found = Found(problems.source, "qrels")
    note_reading(found, problems)
    version = project.rubrics.active()
    note_faults(grades, version.rubric.top, f"the rubric {version.rubric.name}", problems)
    problems.raise_if_any("qrels")
    found.note(
        grades.negative,
        "negative grades, left unjudged",
        '{count:row has|rows have} no grade or one below 0. In TREC qrels that says "pooled, not '
        'judged", so they are in the pool now; if this file means grades, map them with --grades',
    )
    found.note(grades.repeated(), "repeated rows")
    names = list(dict.fromkeys(one or name for one in grades.assessors))
    found.facts |= {"rows": grades.rows, "queries": len(grades.qids)}
    found.facts["assessor" if len(names) == 1 else "assessors"] = some(names, 10)
    now = project.now()
    strange = bool(project.systems.all()) and not grades.knows_any_document()
    with counting_new(project, found, alike=not strange):
        queries = known_queries(project, list(grades.qids), found, labels=True)
        if strange:
            returned = sorted(project.documents.names().values())
            found.warn(strangers(grades.docids(REMEMBERED), returned))
        if grades.negative:
            pairs = [(*pair, 0, ()) for pair in grades.unjudged(queries)]
            found.note(project.pool.extend("qrels", 0, 0, (), pairs, now), "pairs pooled")
        for one in names:
            project.judgments.assessor(one, AssessorKind.IMPORTED)
        stored = grades.store(queries, name, version.id, project.rubrics.counted(), now)
    found.facts["judgments added"] = stored.added
    found.note(stored.same, "judgments stored already")
    found.unchanged(bool(stored.same) and not stored.added)
    tell_labels(found, stored.changes, now)
    tell_twins(project, found)
    return found


def pair_numbers(
    project: Project,
    rows: Iterable[Qrel | JudgmentEvent],
    queries: Mapping[str, int] | None = None,
) -> list[int]:
    """The number of each row's pair; its query must be known, its document need not."""
    rows = list(rows)
    queries = project.queries.ids() if queries is None else queries
    documents = project.documents.ids(list(dict.fromkeys(row.docid for row in rows)))
    return project.judgments.pairs([(queries[row.qid], documents[row.docid]) for row in rows])


def export_qrels(
    project: Project,
    *,
    assessors: list[int] | None = None,
    form: str = "trec",
    unjudged: int | None = None,
    as_of: datetime | None = None,
) -> Iterator[str]:
    """The labels that hold (then) as lines of qrels: TREC, BEIR or CSV.

    A pair without a label has no line, or with ``unjudged`` a line with that grade if it is
    pooled.
    """
    queries = project.queries.all()
    documents = project.documents.names()
    return qrels_written.WRITERS[form](
        (queries[query], documents[document], grade)
        for query, document, grade in _exported(project, assessors, unjudged, as_of)
    )


def _exported(
    project: Project,
    assessors: list[int] | None,
    unjudged: int | None,
    as_of: datetime | None,
) -> list[tuple[int, int, int]]:
    labels = project.judgments.labels(project.rubrics.counted(as_of), assessors, as_of)
    columns = (labels.query.tolist(), labels.document.tolist(), labels.grade.tolist())
    rows = list(zip(*columns, strict=True))
    if unjudged is not None:
        judged = {row[:2] for row in rows}
        pooled = set(zip(*(column.tolist() for column in project.pool.pairs()), strict=True))
        rows = sorted([*rows, *((*pair, unjudged) for pair in pooled - judged)])
    return rows


def export_losses(
    project: Project,
    *,
    assessors: list[int] | None = None,
    unjudged: int | None = None,
    as_of: datetime | None = None,
) -> list[str]:
    """What qrels do not say of the project (then), in sentences."""
    labels = project.judgments.labels(project.rubrics.counted(as_of), assessors, as_of)
    judged = set(zip(labels.query.tolist(), labels.document.tolist(), strict=True))
    pooled = set(zip(*(column.tolist() for column in project.pool.pairs()), strict=True))
    cannot = {
        (query, document)
        for query, document, mark in project.judgments.marks(as_of)
        if mark is Mark.CANNOT
    }
    left, earlier = len(pooled - judged), of_earlier_text(project, labels)
    what = "no line" if unjudged is None else f"grade {unjudged}"
    has, disputed = ("pair has", "pairs have"), counted(labels.disputed, "pair is", "pairs are")
    missing = counted(left, "unlabelled pooled pair has", "unlabelled pooled pairs have")
    said = [
        (left, f"{missing} {what}"),
        (len(cannot - judged), f"{len(cannot - judged):,} of these cannot be judged"),
        (labels.disputed, f"{disputed} disputed: the latest label is written"),
        (earlier, f"{counted(earlier, 'label is', 'labels are')} of an earlier text of a document"),
        (labels.outdated, f"{counted(labels.outdated, *has)} labels of an earlier rubric only"),
    ]
    return [sentence for count, sentence in said if count]
