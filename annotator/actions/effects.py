"""What an import did to a project, in counts and sentences: what is new or changed, by whom."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from annotator.actions.found import Found, some
from annotator.sanitise import one_line
from annotator.store import Project
from annotator.store.changes import Change, Changes


@contextmanager
def counting_new(project: Project, found: Found) -> Iterator[None]:
    """Count the queries and documents that come into the project meanwhile."""
    queries, documents = project.queries.count(), project.documents.newest()
    yield
    found.note(project.queries.count() - queries, "queries new")
    found.note(project.documents.newest() - documents, "documents new")


def tell_labels(found: Found, changes: Changes, now: str) -> None:
    """Say what became of the labels that hold."""
    who = [f"{one_line(name, 40)} {count:,}" for name, count in changes.entries.items()]
    if len(who) > 1:
        found.facts["added by"] = some(who, 10)
    found.note(changes.new, "labels new")
    shown = [*map(_change, changes.examples), *[""] * (changes.changed - len(changes.examples))]
    found.note(
        changes.changed,
        "labels changed",
        "{count:pair|pairs} had another label; the latest holds, so these changed: "
        + some(shown, len(changes.examples)),
    )
    found.note(changes.gone, "labels gone", "{count:pair has|pairs have} no label any more")
    found.note(
        changes.older,
        "labels older than what holds",
        "{count:label is|labels are} older than what the same assessor said of the pair since: "
        "stored, but the newer ones hold",
    )
    found.note(
        changes.future,
        "entries from the future",
        f"{{count:entry says it was|entries say they were}} made later than now ({now}): is that "
        "the time of another zone, or a clock that was wrong?",
    )


def _change(one: Change) -> str:
    pair = f"{one_line(one.qid, 20)} {one_line(one.docid, 30)}"
    return f"{pair} from {one.before} to {one.after} by {one_line(one.assessor, 30)}"
