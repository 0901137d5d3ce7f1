"""Another project into this one: people who worked apart bring their logs together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from annotator.actions.imports.effects import counting_new, tell_labels
from annotator.actions.imports.log import MOST_ENTRIES, Known
from annotator.actions.imports.qrels import pair_numbers
from annotator.actions.imports.report import Found
from annotator.actions.imports.transaction import Storing
from annotator.actions.imports.weights import put_in_force
from annotator.domain import Int32Array, JudgmentEvent, Query, Ranking
from annotator.errors import InputError, UsageError
from annotator.store import Entry, Placed, Pooled, Project, RubricVersion, System
from annotator.store.checks import damage
from annotator.store.hash_chain import SAID
from annotator.store.staging.area import Staging
from annotator.store.weights import StoredWeights
from annotator.text.plural import counted, some
from annotator.text.safe import one_line

SHOWN = 5


@dataclass(frozen=True)
class _Other:
    """All of another project but its texts, which are staged."""

    rubrics: list[RubricVersion]
    queries: dict[int, Query]
    weights: StoredWeights | None
    docids: dict[int, str]
    systems: list[tuple[System, list[Ranking]]]
    pools: list[Pooled]
    sight: list[tuple[str, str, str]]
    log: list[Placed]


def project_of(
    project: Project,
    staged: Staging,
    path: Path,
    *,
    keep_mine: bool = False,
    any_rubric: bool = False,
) -> Storing:
    """Read another project; what this one has already will not be stored twice.

    With ``keep_mine`` this project's query or run stays where the other has another under the same
    id or name, with ``any_rubric`` its labels are taken whatever rubric it grades by.

    Raises
    ------
    ProjectError
        If it is no project.
    InputError
        If it is damaged, or its log too long to be held in memory.
    UsageError
        If it is this project's own file, or contradicts it.
    """
    if path.exists() and path.samefile(project.file.path):
        raise UsageError(f"{path}: is this project itself; name the other one")
    with closing(Project.open(path)) as other:
        if fault := damage(other.file):
            raise InputError(f"{path}: is damaged ({one_line(fault)}); see `annotator doctor`")
        if not any_rubric:
            _check_rubrics(project, other, path)
        texts = staged.texts()
        texts.add(other.documents.stored())
        read = _Other(
            rubrics=other.rubrics.all(),
            queries=other.queries.all(),
            weights=other.weights.in_force(),
            docids=other.documents.names(),
            systems=[(one, list(other.systems.rankings(one.id))) for one in other.systems.all()],
            pools=other.pool.entries(),
            sight=other.sight.all(),
            log=list(other.judgments.placed()),
        )
    if len(read.log) > MOST_ENTRIES:
        raise InputError(
            f"{path}: has more than {MOST_ENTRIES:,} entries, and they are compared in memory"
        )

    def store() -> Found:
        found = Found(str(path), "project")
        with counting_new(project, found):
            _store_queries(project, read, found, keep_mine=keep_mine)
            _store_weights(project, read, found)
            stored = texts.store()
            found.note(stored.added + stored.filled, "texts new")
            found.note(
                len(stored.kept),
                "texts that differ",
                "{count:document has|documents have} another text here, which stays; labels given "
                f"to the other one are marked as of an earlier text: {some(stored.kept, SHOWN)}",
            )
            _store_systems(project, read, found, keep_mine=keep_mine)
            _store_pool(project, read, found)
            _store_log(project, read, found)
        return found

    return store


def _check_rubrics(project: Project, other: Project, path: Path) -> None:
    mine, theirs = project.rubrics.active().rubric, other.rubrics.active().rubric
    if mine.fingerprint != theirs.fingerprint:
        raise UsageError(
            f"{path}: grades by {one_line(theirs.name)} v{theirs.version}, this project by "
            f"{one_line(mine.name)} v{mine.version}: the grades may mean different things; "
            "--any-rubric takes them under their own rubric, where they do not count in scores "
            "unless that rubric counts here"
        )


def _store_queries(project: Project, read: _Other, found: Found, *, keep_mine: bool) -> None:
    before = {query.qid: query for query in project.queries.all().values()}
    gone = project.queries.taken_out()
    brought = [
        query
        for query in read.queries.values()
        if query.qid not in gone and (query.text or query.qid not in before)
    ]
    stored = project.queries.store(brought)
    if stored.kept and not keep_mine:
        shown = [
            f"{one_line(query.qid, 30)}: {one_line(before[query.qid].text, 60)} / "
            f"{one_line(query.text, 60)}"
            for query in brought
            if query.qid in set(stored.kept[:SHOWN])
        ]
        raise InputError(
            f"{found.source}: {counted(len(stored.kept), 'query has', 'queries have')} another "
            "text here; --keep-mine keeps those of this project",
            shown,
        )
    found.note(stored.added, "queries added")
    found.note(len(stored.kept), "queries that differ, kept as they are here")


def _store_weights(project: Project, read: _Other, found: Found) -> None:
    mine, theirs = project.weights.in_force(), read.weights
    if theirs is None or (mine is not None and mine.weights == theirs.weights):
        return
    if mine is None:
        put_in_force(project, found, theirs.source, theirs.weights)
    else:
        found.warn(
            f"its queries weigh otherwise; the weights of {one_line(mine.source)} stay: "
            "`annotator import weights FILE` gives others"
        )


def _store_systems(project: Project, read: _Other, found: Found, *, keep_mine: bool) -> None:
    mine = {one.name: one for one in project.systems.all()}
    gone = project.systems.taken_out()
    to_queries = project.queries.ids()
    to_documents = _renumbered(project, read.docids)
    added, differing = list[str](), list[str]()
    for system, rankings in read.systems:
        renumbered = [
            Ranking(to_queries[qid], to_documents[one.documents], one.scores)
            for one in rankings
            if (qid := read.queries[one.query].qid) in to_queries
        ]
        if system.name in gone:
            continue
        if known := mine.get(system.name):
            if not _equal(list(project.systems.rankings(known.id)), renumbered):
                differing.append(system.name)
            continue
        project.systems.add(
            system.name, system.file_hash, system.order_rule, system.findings, renumbered,
            system.created,
        )  # fmt: skip
        added.append(system.name)
    if differing and not keep_mine:
        raise InputError(
            f"{found.source}: {counted(len(differing), 'system has', 'systems have')} other "
            f"rankings here ({some(differing, SHOWN)}); --keep-mine keeps those of this project"
        )
    found.note(len(added), "systems added")
    found.note(len(differing), "systems that differ, kept as they are here")


def _renumbered(project: Project, docids: dict[int, str]) -> Int32Array:
    """The number that each document has here, by the number that it has there."""
    numbers = project.documents.ids(list(docids.values()))
    there = np.zeros(max(docids, default=0) + 1, dtype=np.int32)
    for number, docid in docids.items():
        there[number] = numbers[docid]
    return there


def _equal(mine: Sequence[Ranking], theirs: Sequence[Ranking]) -> bool:
    def by_query(rankings: Sequence[Ranking]) -> dict[int, tuple[bytes, bytes]]:
        return {
            one.query: (one.documents.astype("<i4").tobytes(), one.scores.astype("<f8").tobytes())
            for one in rankings
        }

    return by_query(mine) == by_query(theirs)


def _store_pool(project: Project, read: _Other, found: Found) -> None:
    queries = project.queries.ids()
    documents = project.documents.ids(list(read.docids.values()))
    added = 0
    for pool, entries in read.pools:
        pairs = [
            (queries[qid], documents[read.docids[document]], rank, names)
            for query, document, rank, names in entries
            if query in read.queries and (qid := read.queries[query].qid) in queries
        ]
        added += project.pool.extend(
            pool.method, pool.depth, pool.seed, pool.systems, pairs, pool.created
        )
    found.note(added, "pairs pooled")


def _store_log(project: Project, read: _Other, found: Found) -> None:
    for version in read.rubrics:
        project.rubrics.add(version.rubric, project.now())
    queries = project.queries.ids()
    there = [one for one in read.log if one.event.qid in queries]
    found.facts["entries"] = len(read.log)
    found.note(len(read.log) - len(there), "entries of queries that were removed, left out")
    events = [one.event for one in there]
    assessors = _assessors(project, events)
    for name, qid, since in read.sight:
        if qid in queries:
            project.sight.add(assessors[name], queries[qid], since)
    versions = {one.fingerprint: one.id for one in project.rubrics.all()}
    pairs = pair_numbers(project, events, queries)
    changes = project.judgments.changes(pairs, project.rubrics.counted())
    known, added = Known(project, events), list[tuple[Entry, Placed]]()
    for placed, pair in zip(there, pairs, strict=True):
        event = placed.event
        if known.has(event):
            continue
        entry = Entry(
            pair=pair,
            assessor=assessors[event.assessor],
            rubric_version=versions[event.rubric],
            undoes=known.number(event.undoes),
            restates=known.number(event.restates),
            **{name: getattr(event, name) for name in SAID},
        )
        added.append((entry, placed))
    project.judgments.unite(added)
    found.facts["entries added"] = len(added)
    tell_labels(found, changes.found(now := project.now()), now)
    found.unchanged(not added)


def _assessors(project: Project, events: Sequence[JudgmentEvent]) -> dict[str, int]:
    kinds = {event.assessor: event.assessor_kind for event in events}
    return {name: project.judgments.assessor(name, kind) for name, kind in kinds.items()}
