"""Labels made elsewhere into a project, and a project's labels out again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from annotator.actions.found import Found, some
from annotator.actions.intake import Storing, import_one
from annotator.actions.matching import known_queries
from annotator.actions.scoring import of_earlier_text
from annotator.errors import UsageError
from annotator.formats import Hints, qrels_written, read_qrels
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.records import AssessorKind, JudgmentEvent, Mark, Qrel
from annotator.store import Entry, Project
from annotator.store.staging import Staging
from rubric import Rubric


def import_qrels(project: Project, path: Path, **options: Any) -> Found:
    """Store the grades of a qrels file at once; see `qrels_of`."""
    return import_one(project, partial(qrels_of, path=path, **options))


def qrels_of(
    project: Project,
    _staged: Staging,
    path: Path,
    *,
    assessor: str | None = None,
    kind: AssessorKind = AssessorKind.IMPORTED,
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
    rows = read_qrels(source, problems)
    if assessor and any(row.assessor for row in rows):
        names = list(dict.fromkeys(row.assessor for row in rows if row.assessor))
        raise UsageError(
            f"{source.name}: names its assessors itself ({some(names, 3)}); leave out --assessor"
        )
    name = assessor or system_name(path)
    return lambda: _store_qrels(project, rows, problems, name, kind)


def storing_qrels(project: Project, rows: list[Qrel], name: str) -> Storing:
    """Take the grades of a data set, whatever they are read from."""
    kind = AssessorKind.IMPORTED
    return lambda: _store_qrels(project, rows, Problems(name), name, kind)


def _store_qrels(
    project: Project, rows: list[Qrel], problems: Problems, assessor: str, kind: AssessorKind
) -> Found:
    """Store grades; ``assessor`` gave those that do not say."""
    found = Found(problems.source, "qrels")
    version = project.rubrics.active()
    chosen = _chosen(rows, version.rubric, problems, found)
    problems.raise_if_any("qrels")
    queries = known_queries(project, list(dict.fromkeys(row.qid for row in rows)), found)
    known = [row for row in chosen if row.qid in queries]
    names = list(dict.fromkeys(row.assessor or assessor for row in known)) or [assessor]
    numbers = {name: project.judgments.assessor(name, kind) for name in names}
    pairs = pair_numbers(project, known, queries)
    held = _labels_by_pair(project)
    entries = [
        Entry(
            pair,
            numbers[row.assessor or assessor],
            version.id,
            row.grade,
            None,
            "",
            project.now(),
            blind=False,
        )
        for row, pair in zip(known, pairs, strict=True)
    ]
    added = project.judgments.add_new_grades(entries)
    changed = {pair for pair, grade in _labels_by_pair(project).items() if pair in held
               and held[pair] != grade}  # fmt: skip
    found.facts |= {"rows": len(rows), "queries": len({row.qid for row in rows})}
    found.facts["assessor" if len(names) == 1 else "assessors"] = some(names, 10)
    found.facts["judgments added"] = added
    found.note(len(entries) - added, "judgments stored already")
    found.unchanged(bool(entries) and not added)
    found.note(
        len(changed),
        "labels changed",
        "{count} pairs had another label; the latest holds, so these changed",
    )
    return found


def _labels_by_pair(project: Project) -> dict[tuple[int, int], int]:
    labels = project.judgments.labels(project.rubrics.counted())
    columns = (labels.query.tolist(), labels.document.tolist(), labels.grade.tolist())
    return {(query, document): grade for query, document, grade in zip(*columns, strict=True)}


def _chosen(rows: list[Qrel], rubric: Rubric, problems: Problems, found: Found) -> list[Qrel]:
    """The rows that are judgments, each pair once for each assessor."""
    by_pair: dict[tuple[str, str, str], Qrel] = {}
    negative = repeated = 0
    for row in rows:
        first = by_pair.setdefault((row.qid, row.docid, row.assessor), row)
        said = f"{row.qid} {row.docid}"
        if row.grade < 0:
            negative += 1
        elif row.grade > rubric.top:
            problems.add(
                row.line,
                f"grade {row.grade} is outside the rubric {rubric.name} (0 to {rubric.top}); "
                "--grades says what it is there",
                said,
            )
        if first is not row and first.grade != row.grade:
            problems.add(
                row.line,
                f"grade {row.grade} for a pair that {problems.unit} {first.line} gives "
                f"{first.grade}",
                said,
            )
        repeated += first is not row
    found.note(
        negative,
        "negative grades, left unjudged",
        '{count} rows have no grade or one below 0. In TREC qrels that says "pooled, not judged", '
        "and so they are left unjudged; if these are grades in this file, map them with --grades",
    )
    found.note(repeated, "repeated rows")
    return [row for row in by_pair.values() if row.grade >= 0]


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
    what = "have no line" if unjudged is None else f"have grade {unjudged}"
    said = [
        (left, f"{left:,} pooled pairs without a label {what}"),
        (len(cannot - judged), f"{len(cannot - judged):,} of these cannot be judged"),
        (labels.disputed, f"{labels.disputed:,} pairs are disputed: the latest label is written"),
        (earlier, f"{earlier:,} labels are of an earlier text of the document"),
        (labels.outdated, f"{labels.outdated:,} pairs have labels of an earlier rubric only"),
    ]
    return [sentence for count, sentence in said if count]
