"""Labels made elsewhere into a project, and a project's labels out again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from annotator.actions.found import Found
from annotator.actions.importing import known_queries
from annotator.formats import qrels_trec, read_qrels
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.records import AssessorKind, JudgmentEvent, Qrel
from annotator.store import Entry, Project
from rubric import Rubric


def import_qrels(project: Project, path: Path, *, assessor: str | None = None) -> Found:
    """Store the grades of a qrels file as the judgments of one assessor, named after the file.

    Raises
    ------
    InputError
        If a line is bad, a grade is above the rubric's, or one pair has two grades; nothing is
        stored then.
    UsageError
        If no query of the file is in the project, or the assessor is a person.
    """
    source, found = Source(path), Found(str(path), "qrels")
    problems = Problems(source.name)
    rows = read_qrels(source, problems)
    version = project.rubrics.active()
    chosen = _chosen(rows, version.rubric, problems, found)
    problems.raise_if_any("qrels")
    name = assessor or system_name(path)
    with project.file.writing():
        queries = known_queries(project, list(dict.fromkeys(row.qid for row in rows)), found)
        known = [row for row in chosen if row.qid in queries]
        who = project.judgments.assessor(name, AssessorKind.IMPORTED)
        entries = [
            Entry(pair, who, version.id, row.grade, None, "", project.now(), blind=False)
            for row, pair in zip(known, pair_numbers(project, known), strict=True)
        ]
        added = project.judgments.add_new_grades(entries)
    found.facts |= {"rows": len(rows), "queries": len({row.qid for row in rows})}
    found.facts |= {"assessor": name, "judgments added": added}
    found.note(len(entries) - added, "judgments stored already")
    return found


def _chosen(rows: list[Qrel], rubric: Rubric, problems: Problems, found: Found) -> list[Qrel]:
    """The rows that are judgments, each pair once."""
    by_pair: dict[tuple[str, str], Qrel] = {}
    negative = repeated = 0
    for row in rows:
        first = by_pair.setdefault((row.qid, row.docid), row)
        if row.grade < 0:
            negative += 1
        elif row.grade > rubric.top:
            problems.add(
                row.line,
                f"grade {row.grade} is outside the rubric {rubric.name} (0 to {rubric.top})",
                f"{row.qid} {row.docid}",
            )
        if first is not row and first.grade != row.grade:
            problems.add(
                row.line,
                f"grade {row.grade} for a pair that line {first.line} gives {first.grade}",
                f"{row.qid} {row.docid}",
            )
        repeated += first is not row
    found.note(
        negative,
        "negative grades, left unjudged",
        '{count} rows have a grade below 0. In TREC qrels that says "pooled, not judged", and so '
        "they are left unjudged; if these are grades in this file, map them and import again",
    )
    found.note(repeated, "repeated rows")
    return [row for row in by_pair.values() if row.grade >= 0]


def pair_numbers(project: Project, rows: Iterable[Qrel | JudgmentEvent]) -> list[int]:
    """The number of each row's pair; its query must be known, its document need not."""
    rows = list(rows)
    queries = project.queries.ids()
    documents = project.documents.ids(list(dict.fromkeys(row.docid for row in rows)))
    return project.judgments.pairs([(queries[row.qid], documents[row.docid]) for row in rows])


def export_qrels(project: Project, *, assessors: list[int] | None = None) -> Iterator[str]:
    """The labels that hold as lines of TREC qrels; a pair without a label has no line."""
    labels = project.judgments.labels(project.rubrics.counted(), assessors)
    queries = {number: query.qid for number, query in project.queries.all().items()}
    documents = project.documents.names()
    return qrels_trec.write(
        (queries[query], documents[document], grade)
        for query, document, grade in zip(
            labels.query.tolist(), labels.document.tolist(), labels.grade.tolist(), strict=True
        )
    )
