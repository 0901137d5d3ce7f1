"""What an import did to a project, in counts and sentences: what is new or changed, by whom."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from annotator.actions.imports.look_alikes import MOST_HELD, look_alikes, quoted, spelling
from annotator.actions.imports.report import Found
from annotator.store import Project
from annotator.store.changes import Change, Changes
from annotator.text.plural import some
from annotator.text.safe import one_line

MOST_COMPARED = 50_000
"""With more entries than this only `doctor` compares the texts that were judged: it takes long."""


@contextmanager
def counting_new(project: Project, found: Found, *, alike: bool = True) -> Iterator[None]:
    """Count the queries and documents that come into the project meanwhile.

    ``alike``: also say which ids of these documents look like those of earlier ones.
    """
    queries, documents = project.queries.count(), project.documents.newest()
    yield
    found.note(project.queries.count() - queries, "queries new")
    found.note(project.documents.newest() - documents, "documents new")
    if alike:
        tell_alike(project, found, documents)


def tell_alike(project: Project, found: Found, newest: int) -> None:
    """Say which documents that came after this one have ids that look like those before it."""
    since = project.documents.newest() - newest
    if not newest or not since or min(newest, since) > MOST_HELD:
        return
    before, after = project.documents.called(1, newest), project.documents.called(newest + 1)
    fewer, others = (after, before) if since <= newest else (before, after)
    if said := look_alikes([*fewer], others, spelling):
        found.warn(f"documents: {said}")


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


def tell_lost(project: Project, found: Found) -> None:
    """Say which relevant documents no file of documents has."""
    lost = project.documents.relevant_without_text()
    found.note(
        len(lost),
        "relevant documents that no file has",
        "{count:document with a label above 0 is|documents with a label above 0 are} neither "
        "pooled nor in a file of documents so far; where the corpus lacks them no system can find "
        "them, and each lowers every recall: " + some(lost),
    )


def tell_twins(project: Project, found: Found) -> None:
    """Say which documents of one text have different labels for one query."""
    if project.judgments.last_event() > MOST_COMPARED:
        return
    twins = project.documents.twins_told_apart()
    shown = [f"{quoted(qid)}: {', '.join(map(quoted, docids[:4]))}" for qid, docids in twins[:5]]
    found.note(
        len(twins),
        "equal texts graded differently",
        "{count:text has|texts have} different grades under several ids: "
        + some(shown + [""] * (len(twins) - len(shown)), 5),
    )


def _change(one: Change) -> str:
    pair = f"{one_line(one.qid, 20)} {one_line(one.docid, 30)}"
    return f"{pair} from {one.before} to {one.after} by {one_line(one.assessor, 30)}"
