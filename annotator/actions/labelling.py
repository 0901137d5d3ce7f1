"""Labels made elsewhere into a project, and a project's labels out again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from annotator.actions.found import Found
from annotator.actions.importing import known_queries, system_name
from annotator.errors import InputError
from annotator.formats import judgments_jsonl, qrels_trec, read_judgments, read_qrels
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.records import AssessorKind, JudgmentEvent, Qrel, Query
from annotator.sanitise import one_line
from annotator.store import Entry, Project
from rubric import Rubric, RubricError


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
            for row, pair in zip(known, _pairs(project, known), strict=True)
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


def _pairs(project: Project, rows: Iterable[Qrel | JudgmentEvent]) -> list[int]:
    rows = list(rows)
    queries = project.queries.ids()
    documents = project.documents.ids(list(dict.fromkeys(row.docid for row in rows)))
    return project.judgments.pairs([(queries[row.qid], documents[row.docid]) for row in rows])


def import_judgments(project: Project, path: Path) -> Found:
    """Restore an exported judgment log; entries that are there already are not stored twice.

    Into a project without judgments the log brings its rubric too. Entries that do not say so
    themselves are of an assessor named after the file, under the rubric in force, made now.

    Raises
    ------
    InputError
        If a line is bad, or an entry does not fit its rubric or the entries before it; nothing is
        stored then.
    """
    source, found = _LogSource(path), Found(str(path), "judgments")
    problems = Problems(source.name)
    log = read_judgments(source, problems)
    own = (system_name(path), project.rubrics.active().fingerprint, project.now())
    numbered = [(source.line, _completed(event, *own)) for event in log.events]
    events = [event for _, event in numbered]
    with project.file.writing():
        fresh = project.judgments.last_event() == 0
        for fingerprint, text in log.rubrics.items():
            project.rubrics.add(_rubric(source.name, fingerprint, text), project.now())
        versions = {version.fingerprint: version for version in project.rubrics.all()}
        before: set[int] = set()
        for line, event in numbered:
            version = versions.get(event.rubric)
            if fault := _fault(event, version.rubric if version else None, before):
                problems.add(line, fault)
            before.add(event.event)
        problems.raise_if_any("judgments")
        added = _restore(project, events, {key: one.id for key, one in versions.items()})
        newest = versions[events[-1].rubric] if events else None
        if fresh and newest and not newest.in_force:
            project.rubrics.put_in_force(newest.id, project.now())
            found.warnings.append(f"the project now grades by rubric {newest.rubric.name}")
    found.facts |= {"entries": len(events), "entries added": added}
    found.note(len(events) - added, "entries stored already")
    return found


def _completed(event: JudgmentEvent, assessor: str, rubric: str, now: str) -> JudgmentEvent:
    return event._replace(
        assessor=event.assessor or assessor, rubric=event.rubric or rubric, at=event.at or now
    )


class _LogSource(Source):
    """A log's file that knows the line it is at: the entries are read one by one."""

    line = 0

    def content_lines(self) -> Iterator[tuple[int, str]]:
        for self.line, text in super().content_lines():
            yield self.line, text


def _fault(event: JudgmentEvent, rubric: Rubric | None, before: set[int]) -> str:
    """Why an entry cannot follow the entries before it; empty if it can."""
    if rubric is None:
        return f"rubric {event.rubric} is not known to the project"
    if event.grade is not None and not 0 <= event.grade <= rubric.top:
        return f"grade {event.grade} is outside the rubric {rubric.name} (0 to {rubric.top})"
    if event.event in before:
        return f"entry {event.event} is there twice"
    if event.undoes is not None and event.undoes not in before:
        return f"it takes back entry {event.undoes}, which is not before it in the file"
    return ""


def _rubric(source: str, fingerprint: str, text: str) -> Rubric:
    try:
        rubric = Rubric.from_dict(json.loads(text))
    except (ValueError, AttributeError, RubricError) as error:
        raise InputError(f"{source}: a rubric in it is damaged: {one_line(str(error))}") from error
    if rubric.fingerprint != fingerprint:
        raise InputError(f"{source}: rubric {rubric.name} does not fit its fingerprint")
    return rubric


def _restore(project: Project, events: list[JudgmentEvent], versions: dict[str, int]) -> int:
    new = dict.fromkeys(event.qid for event in events)
    known = project.queries.ids()
    project.queries.store(Query(qid, "") for qid in new if qid not in known)
    assessors = {
        event.assessor: project.judgments.assessor(event.assessor, event.assessor_kind)
        for event in events
    }
    stored = project.judgments.identities()
    numbers: dict[int, int] = {}
    added = 0
    for event, pair in zip(events, _pairs(project, events), strict=True):
        entry = Entry(
            pair,
            assessors[event.assessor],
            versions[event.rubric],
            *event[6:13],
            undoes=numbers.get(event.undoes) if event.undoes is not None else None,
        )
        if same := stored.get(entry):
            numbers[event.event] = same.pop(0)
        else:
            numbers[event.event] = project.judgments.add(entry)
            added += 1
    return added


def export_judgments(project: Project) -> Iterator[str]:
    """The whole judgment log as lines of text, with the rubrics it names."""
    rubrics = {one.fingerprint: one.rubric.canonical() for one in project.rubrics.all()}
    yield judgments_jsonl.header(rubrics)
    for event in project.judgments.events():
        yield judgments_jsonl.dumps(event)


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
