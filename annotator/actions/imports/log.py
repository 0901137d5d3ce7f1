"""The judgment log out of a project and into another, without loss."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from annotator.actions.imports.effects import counting_new, tell_labels, tell_twins
from annotator.actions.imports.grade_hints import advice_on
from annotator.actions.imports.ids import known_queries
from annotator.actions.imports.qrels import pair_numbers
from annotator.actions.imports.report import Found, note_reading
from annotator.actions.imports.transaction import Storing, import_one
from annotator.domain import AssessorKind, InForce, JudgmentEvent
from annotator.errors import InputError
from annotator.formats import Hints, JudgmentLog, judgment_log, model_answers, read_judgments
from annotator.formats.input.source import Source
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.store import Entry, Project, RubricVersion
from annotator.store.hash_chain import SAID
from annotator.store.staging.area import Staging
from annotator.text.plural import counted, some
from annotator.text.safe import one_line
from rubric import Rubric, RubricError

MOST_ENTRIES = 1_000_000
"""Of a log, whose entries speak of one another; each takes up to two kilobytes of memory."""


def import_judgments(project: Project, path: Path, **options: Any) -> Found:
    """Restore an exported judgment log at once; see `judgments_of`."""
    return import_one(project, partial(judgments_of, path=path, **options))


def judgments_of(
    project: Project,
    _staged: Staging,
    path: Path,
    *,
    hints: Hints | None = None,
    source: Source | None = None,
) -> Storing:
    """Read a judgment log; entries that are there already will not be stored twice.

    Into a project without judgments the log brings its rubric too. Entries that do not say so
    themselves are of an assessor named after the file, under the rubric in force, made now; such
    are known again without their time.

    Raises
    ------
    InputError
        If a line is bad; or, when it is stored, an entry does not fit its rubric or the entries
        before it.
    """
    source = source or Source(path, hints)
    problems = Problems(source.name)
    log = read_judgments(source, problems)
    own = (system_name(path), project.rubrics.active().fingerprint)
    numbered = list[tuple[int, JudgmentEvent]]()
    for event in log.events:
        numbered.append((problems.line, _completed(event, *own)))
        if len(numbered) > MOST_ENTRIES:
            raise InputError(
                f"{source.name}: has more than {MOST_ENTRIES:,} entries, and a log is held in "
                "memory; bring in its labels as qrels instead: `annotator export qrels` where it "
                "was made, `annotator import qrels` here"
            )
    if problems.count:
        problems.advice = advice_on(source, project.rubrics.active().rubric.top)
    return storing_log(project, log, numbered, problems)


def storing_log(
    project: Project,
    log: JudgmentLog,
    numbered: Sequence[tuple[int, JudgmentEvent]],
    problems: Problems,
) -> Storing:
    """Take entries with their lines, whatever they are read from."""
    rubric = project.rubrics.active().fingerprint
    complete = [(line, _completed(event, event.assessor, rubric)) for line, event in numbered]
    return lambda: _store(project, log, complete, problems)


def _store(
    project: Project,
    log: JudgmentLog,
    numbered: Sequence[tuple[int, JudgmentEvent]],
    problems: Problems,
) -> Found:
    found = Found(problems.source, "judgments")
    fresh = project.judgments.last_event() == 0
    for fingerprint, text in log.rubrics.items():
        project.rubrics.add(_rubric(found.source, fingerprint, text), project.now())
    versions = {version.fingerprint: version for version in project.rubrics.all()}
    events = _identified(project, numbered, versions, problems)
    problems.raise_if_any("judgments")
    note_reading(found, problems)
    _tell_changed(found, [event.identity for _, event in numbered], events)
    names = list(dict.fromkeys(event.assessor for event in events))
    found.facts["entries"] = len(events)
    found.facts["assessor" if len(names) == 1 else "assessors"] = some(names, 10)
    with counting_new(project, found):
        queries = known_queries(
            project, list(dict.fromkeys(event.qid for event in events)), found, labels=True
        )
        known = [event for event in events if event.qid in queries]
        numbers = {key: one.id for key, one in versions.items()}
        added = _restore(project, known, queries, numbers, found)
    if fresh and events:
        latest = [InForce(events[-1].rubric, False, project.now())]
        _put_in_force(project, log.in_force or latest, versions, found)
    found.facts["entries added"] = added
    tell_twins(project, found)
    found.note(len(known) - added, "entries stored already")
    found.unchanged(not added)
    return found


def _put_in_force(
    project: Project,
    in_force: Sequence[InForce],
    versions: Mapping[str, RubricVersion],
    found: Found,
) -> None:
    """Let the log's rubrics be in force, each since when it was where the log was written."""
    if unknown := [one.rubric for one in in_force if one.rubric not in versions]:
        raise InputError(f"{found.source}: rubric {unknown[0]} is in force but not in it")
    before = project.rubrics.active().fingerprint
    project.rubrics.restore(in_force)
    now = project.rubrics.active()
    if now.fingerprint != before:
        found.warn(f"the project now grades by rubric {now.rubric.name}")


def _completed(event: JudgmentEvent, assessor: str, rubric: str) -> JudgmentEvent:
    return replace(event, assessor=event.assessor or assessor, rubric=event.rubric or rubric)


def _identified(
    project: Project,
    numbered: Sequence[tuple[int, JudgmentEvent]],
    versions: Mapping[str, RubricVersion],
    problems: Problems,
) -> list[JudgmentEvent]:
    """The entries under the identities that they have by what they say now."""
    named = dict[str, JudgmentEvent]()  # by what they are called in the file
    for line, event in numbered:
        version = versions.get(event.rubric)
        if fault := _fault(event, version.rubric if version else None, named):
            problems.add(line, fault)
            continue
        undoes, restates = (
            None if one is None else named[one].identity for one in (event.undoes, event.restates)
        )
        event = replace(event, undoes=undoes, restates=restates)
        identity = project.judgments.identity(event).hex()
        named[event.identity or identity] = replace(event, identity=identity)
    return list(named.values())


def _fault(event: JudgmentEvent, rubric: Rubric | None, before: Mapping[str, JudgmentEvent]) -> str:
    """Why an entry cannot follow the entries before it; empty if it can."""
    if rubric is None:
        return f"rubric {event.rubric} is not known to the project"
    if event.grade is not None and not 0 <= event.grade <= rubric.top:
        return f"grade {event.grade} is outside the rubric {rubric.name} (0 to {rubric.top})"
    if fault := _fault_of_model(event):
        return fault
    for called in (event.undoes, event.restates):
        earlier = called is not None and before.get(called)
        if earlier is not False and not (earlier and _about(earlier) == _about(event)):
            return (
                f"it speaks of entry {one_line(called or '', 16)}, and none before it in the file "
                "is this entry of the same assessor, query and document"
            )
    return ""


def _fault_of_model(event: JudgmentEvent) -> str:
    """Why an entry is none that a model can have made; empty if it can, or a person made it."""
    is_model = event.assessor_kind is AssessorKind.MODEL
    if event.answer is not None:
        try:
            model_answers.loads(event.answer)
        except ValueError as fault:
            return str(fault)
        return "" if is_model else "only an assessor of the kind model has an answer"
    said = event.grade is not None or event.mark is not None
    return (
        "a label of a model needs the model and the hash of its prompt: bring it in with "
        "`annotator import judgments FILE --model NAME --prompt FILE`"
        if is_model and said
        else ""
    )


def _about(event: JudgmentEvent) -> tuple[str, str, str]:
    return event.assessor, event.qid, event.docid


def _tell_changed(found: Found, called: Sequence[str], events: Sequence[JudgmentEvent]) -> None:
    """Say how many entries are not those that were exported under their identities."""
    stands = {event.identity for event in events}
    if changed := sum(one not in stands for one in called if one):
        found.warn(
            f"{counted(changed, 'entry was', 'entries were')} changed since the export, or speaks "
            "of one that was: taken as new"
        )


def _rubric(source: str, fingerprint: str, text: str) -> Rubric:
    try:
        rubric = Rubric.from_dict(json.loads(text))
    except (ValueError, AttributeError, RubricError) as error:
        raise InputError(f"{source}: a rubric in it is damaged: {one_line(str(error))}") from error
    if rubric.fingerprint != fingerprint:
        raise InputError(f"{source}: rubric {rubric.name} does not fit its fingerprint")
    return rubric


def _restore(
    project: Project,
    events: Sequence[JudgmentEvent],
    queries: Mapping[str, int],
    versions: Mapping[str, int],
    found: Found,
) -> int:
    """Append those entries that are not there yet, and say what that changes; how many."""
    kinds = {event.assessor: event.assessor_kind for event in reversed(events)}
    assessors = {name: project.judgments.assessor(name, kinds[name]) for name in reversed(kinds)}
    stored = Known(project, events)
    pairs = pair_numbers(project, events, queries)
    changes = project.judgments.changes(pairs, project.rubrics.counted())
    added = list[Entry]()
    for event, pair in zip(events, pairs, strict=True):
        if stored.has(event):
            continue
        said = {name: getattr(event, name) for name in SAID}
        added.append(
            Entry(
                pair=pair,
                assessor=assessors[event.assessor],
                rubric_version=versions[event.rubric],
                undoes=stored.number(event.undoes),
                restates=stored.number(event.restates),
                **said,
            )
        )
    now = project.now()
    project.judgments.restore(added, now)
    tell_labels(found, changes.found(now), now)
    return len(added)


class Known:
    """The entries that the project has, and those that are about to be added, by identity."""

    def __init__(self, project: Project, events: Sequence[JudgmentEvent]) -> None:
        self._judgments = project.judgments
        self._numbers = self._judgments.identities()
        self._next = self._judgments.next_event()
        has_times = all(event.at for event in events)
        self._timeless = {} if has_times else self._judgments.timeless_identities()

    def has(self, event: JudgmentEvent) -> bool:
        """Whether an entry is there; if not it is added under the next number.

        One without a time is there if one is that says the same at any time.
        """
        identity = bytes.fromhex(event.identity)
        if identity not in self._numbers and (same := self._timeless.get(identity, [])):
            self._numbers[identity] = same.pop(0)
        if identity in self._numbers:
            return True
        self._numbers[identity] = self._next
        self._next += 1
        return False

    def number(self, identity: str | None) -> int | None:
        """The number of an entry that another speaks of."""
        return None if identity is None else self._numbers[bytes.fromhex(identity)]


def export_judgments(project: Project) -> Iterator[str]:
    """The whole judgment log as lines of text, with the rubrics it names.

    Raises
    ------
    ProjectError
        If it is not as it was stored.
    """
    project.judgments.check()
    rubrics = {one.fingerprint: one.rubric.canonical() for one in project.rubrics.all()}
    yield judgment_log.header(rubrics, project.rubrics.history())
    for event in project.judgments.events():
        yield judgment_log.dumps(event)
