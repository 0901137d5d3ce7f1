"""Queries, systems and labels out of a project, and back: the log and the files' content stay."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np

from annotator.actions.imports.effects import tell_labels
from annotator.actions.imports.look_alikes import quoted
from annotator.actions.imports.report import Found
from annotator.actions.imports.transaction import all_or_nothing
from annotator.actions.scoring import named_systems
from annotator.errors import UsageError
from annotator.store import Project
from annotator.store.removals import LABELS, QUERY, SYSTEM, Removal
from annotator.text.plural import counted, some
from annotator.text.times import stored

ALWAYS = ("", "A")
"""Before and after every time as it is stored."""


def remove_queries(project: Project, qids: Sequence[str], *, dry_run: bool = False) -> Found:
    """Take queries out of pool, scores, coverage and exports.

    Raises
    ------
    UsageError
        If one is not in the project.
    """
    found = Found(str(project.file.path), "removed")
    with all_or_nothing(project, dry_run=dry_run):
        ids = project.queries.ids()
        if unknown := [qid for qid in qids if qid not in ids]:
            raise UsageError(f"no query {quoted(unknown[0])}; there are: {some(list(ids))}")
        numbers = sorted({ids[qid] for qid in qids})
        labels = project.judgments.labels(project.rubrics.counted())
        pairs = [pair for number in numbers for pair in project.pool.pairs_of(number)]
        found.facts |= {
            "queries": len(numbers),
            "pooled pairs": len(pairs),
            "labels": int(np.isin(labels.query, numbers).sum()),
        }
        said = f"{counted(len(numbers), 'query', 'queries')}: {some([quoted(one) for one in qids])}"
        project.removals.add(QUERY, numbers, pairs, said, project.now())
    return found


def remove_systems(project: Project, names: Sequence[str], *, dry_run: bool = False) -> Found:
    """Take systems out of scores and pool; what was judged or is another's stays pooled.

    Raises
    ------
    UsageError
        If one is not in the project.
    """
    found = Found(str(project.file.path), "removed")
    with all_or_nothing(project, dry_run=dry_run):
        gone = named_systems(project, list(dict.fromkeys(names)))
        out = {*gone, *project.systems.taken_out()}
        depth = max((making.depth for making in project.pool.makings()), default=0)
        kept: set[tuple[int, int]] = set()
        for system in project.systems.all():
            if system.name not in out:
                for top in project.systems.tops(system.id, depth):
                    kept |= {(top.query, document) for document in top.documents.tolist()}
        alone = project.pool.unjudged_of(out)
        pairs = [pair for pair, *places in alone if tuple(places) not in kept]
        found.facts |= {"systems": len(gone), "pooled pairs without labels": len(pairs)}
        said = f"{counted(len(gone), 'system')}: {some([quoted(name) for name in gone])}"
        project.removals.add(SYSTEM, sorted(gone.values()), pairs, said, project.now())
    return found


def remove_labels(
    project: Project,
    *,
    assessor: str | None = None,
    query: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    dry_run: bool = False,
) -> Found:
    """Withdraw the labels that fit, each by a new entry of the log.

    Raises
    ------
    UsageError
        If no assessor or query has that name, or no label fits.
    """
    found = Found(str(project.file.path), "removed")
    with project.staging(), all_or_nothing(project, dry_run=dry_run):
        who, number = _number(project, assessor, query)
        times = (since and stored(since)) or ALWAYS[0], (until and stored(until)) or ALWAYS[1]
        labels = project.judgments.labels_of(who, number, *times)
        if not labels:
            raise UsageError("no label is of that: `annotator history` shows who said what, when")
        changes = project.judgments.changes([pair for pair, _ in labels], project.rubrics.counted())
        now = project.now()
        entries = project.judgments.withdraw(labels, project.rubrics.active().id, now)
        found.facts["labels withdrawn"] = len(labels)
        tell_labels(found, changes.found(now), now)
        said = counted(len(labels), "label")
        for what, name in (("of", assessor), ("of query", query)):
            said += f" {what} {quoted(name)}" if name is not None else ""
        project.removals.add(LABELS, entries, [], said, now)
    return found


def _number(
    project: Project, assessor: str | None, query: str | None
) -> tuple[int | None, int | None]:
    people, queries = project.judgments.assessors(), project.queries.ids()
    if assessor is not None and assessor not in people:
        there = some(list(people)) or "none yet"
        raise UsageError(f"no assessor {quoted(assessor)}; there are: {there}")
    if query is not None and query not in queries:
        raise UsageError(f"no query {quoted(query)}; there are: {some(list(queries))}")
    who = None if assessor is None else people[assessor]
    return who, None if query is None else queries[query]


def removals(project: Project) -> list[Removal]:
    """What is out of the project now, oldest first."""
    return project.removals.active()


def undo_removal(project: Project, number: int | None = None, *, dry_run: bool = False) -> Found:
    """Put back what a removal took out, by default the last one.

    Raises
    ------
    UsageError
        If nothing is out, or no such removal.
    """
    found = Found(str(project.file.path), "put back")
    with project.staging(), all_or_nothing(project, dry_run=dry_run):
        active = {one.id: one for one in project.removals.active()}
        if not active:
            raise UsageError("nothing is removed")
        if number is not None and number not in active:
            raise UsageError(f"no removal {number}; there are: {', '.join(map(str, active))}")
        removal, now = active[max(active) if number is None else number], project.now()
        if removal.kind == LABELS:
            versions = project.rubrics.counted()
            pairs = [pair for pair, _ in project.judgments.labelled_by(*removal.items[:2])]
            changes = project.judgments.changes(pairs, versions)
            first, last = removal.items
            project.judgments.give_back(first, last, now)
            tell_labels(found, changes.found(now), now)
        project.removals.put_back(removal, now)
        found.facts = {"put back": removal.said, "pooled pairs": len(removal.pooled), **found.facts}
    return found
