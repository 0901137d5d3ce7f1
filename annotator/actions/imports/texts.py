"""Queries, documents and runs into a project: all of a file or nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from annotator.actions.imports.effects import tell_alike, tell_lost, tell_twins
from annotator.actions.imports.ids import REMEMBERED
from annotator.actions.imports.look_alikes import Sought, bare, look_alikes, quoted, spelling
from annotator.actions.imports.report import Found, note_reading
from annotator.actions.imports.runs import run_of
from annotator.actions.imports.transaction import Storing, import_one
from annotator.actions.imports.weights import put_in_force, tell_weightless
from annotator.domain import Document, Query
from annotator.errors import InputError
from annotator.formats import Hints, read_documents, read_queries
from annotator.formats.blindness import Fields
from annotator.formats.fields import plain
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.formats.queries.weights import WEIGHT, read_weights
from annotator.store import Project, StagedTexts, Stored
from annotator.store.staging.area import Staging
from annotator.text.plural import counted, some
from annotator.text.safe import one_line

SHOWN = 20


def import_queries(project: Project, path: Path, **options: Any) -> Found:
    """Store the queries of a file at once; see `queries_of`."""
    return import_one(project, partial(queries_of, path=path, **options))


def import_documents(project: Project, path: Path, **options: Any) -> Found:
    """Store the documents of a file at once; see `documents_of`."""
    return import_one(project, partial(documents_of, path=path, **options))


def import_run(project: Project, path: Path, **options: Any) -> Found:
    """Store a run at once; see `run_of`."""
    return import_one(project, partial(run_of, path=path, **options))


def queries_of(
    project: Project,
    staged: Staging,
    path: Path,
    *,
    only: Collection[str] | None = None,
    keep_first: bool = False,
    hints: Hints | None = None,
) -> Storing:
    """Read the queries of a file, or only those with the ids given. The file is streamed.

    Raises
    ------
    InputError
        If a line of it is bad, or an id comes with two texts and not the first is to be kept.
    """
    source = Source(path, hints)
    problems = Problems(source.name)
    queries = read_queries(source, problems)
    store = storing_queries(project, staged, queries, problems, only=only, keep_first=keep_first)
    weights = read_weights(source) if WEIGHT in map(plain, problems.unused) else None
    problems.unused = [one for one in problems.unused if plain(one) != WEIGHT]

    def with_weights() -> Found:
        found = store()
        if weights is not None:
            put_in_force(project, found, Path(source.name).name, weights)
        elif kept := project.weights.in_force():
            tell_weightless(project, found, kept.weights)
        return found

    return with_weights


def storing_queries(
    project: Project,
    staged: Staging,
    queries: Iterable[Query],
    problems: Problems,
    *,
    only: Collection[str] | None = None,
    keep_first: bool = False,
) -> Storing:
    """Take queries, whatever they are read from.

    Raises
    ------
    InputError
        If a line was bad, or an id comes with two texts and not the first is to be kept.
    """
    wanted = staged.queries()
    wanted.add(query for query in queries if only is None or query.qid in only)
    problems.raise_if_any("queries")
    contradictions = wanted.contradictions()
    if contradictions and not keep_first:
        raise _two_texts(problems.source, contradictions)

    def store() -> Found:
        found = Found(problems.source, "queries")
        note_reading(found, problems)
        before, with_text = project.queries.ids(), project.queries.have_text()
        stored = project.queries.store(wanted)
        _tell_stored(found, stored, "queries")
        new = [qid for qid in project.queries.ids() if qid not in before]
        others = bool(before) and len(new) == stored.added and not (with_text or stored.filled)
        if alike := look_alikes(new, before, bare if others else spelling):
            found.warn(alike)
        elif others and new:
            found.warn(
                f"none of its queries ({some(new, 3)}) is in a run or in labels so far "
                f"({some(list(before), 3)}): are these the ids of another query set?"
            )
        if shared := wanted.sharing():
            groups = some([", ".join(map(quoted, qids[:5])) for qids in shared], 3)
            found.note(
                sum(map(len, shared)),
                "queries that share their text",
                f"{{count:query has|queries have}} the text of another: {groups}",
            )
        return found

    return store


def _two_texts(source: str, found: Sequence[tuple[str, str, str]]) -> InputError:
    shown = [
        f"{quoted(qid)}: {one_line(first, 60)} / {one_line(second, 60)}"
        for qid, first, second in found[:SHOWN]
    ]
    rest = len(found) - len(shown)
    what = counted(len(found), "id has two texts", "ids have two texts")
    return InputError(
        f"{source}: {what}: give each query an id of its own (--columns may name the right ones), "
        "or --keep-first",
        [*shown, *([f"… and {rest:,} more"] if rest else [])],
    )


def documents_of(
    project: Project,
    staged: Staging,
    path: Path,
    *,
    everything: bool = False,
    replace: bool = False,
    also: Collection[str] = (),
    hints: Hints | None = None,
) -> Storing:
    """Read the texts of the pooled documents of a file and of those in ``also``, or of all.

    Before there is a pool every text is stored. The file is streamed. Another text than the project
    has is stored only with ``replace``.

    Raises
    ------
    InputError
        If a line of it is bad.
    """
    source = Source(path, hints)
    problems = Problems(source.name)
    problems.fields = Fields(systems=[one.name for one in project.systems.all()])
    documents = read_documents(source, problems)
    wanted = None if everything else wanted_texts(project, also)
    chosen = source.hints.fields is not None or bool(source.hints.hide)
    texts = staged.texts(wanted, replace=replace, fields=chosen)
    return storing_documents(project, documents, problems, texts, wanted)


def wanted_texts(project: Project, also: Collection[str] = ()) -> set[str] | None:
    """The documents whose texts are needed: those pooled and these; all (None) before pooling."""
    return project.documents.pooled().union(also) if project.pool.depth() else None


def storing_documents(
    project: Project,
    documents: Iterable[Document],
    problems: Problems,
    texts: StagedTexts,
    wanted: Collection[str] | None,
) -> Storing:
    """Take documents, whatever they are read from."""
    first, sought = list[str](), Sought(wanted or ())
    texts.add(_remembering(documents, first, sought))
    problems.raise_if_any("documents")

    def store() -> Found:
        found = Found(problems.source, "documents")
        note_reading(found, problems)
        _tell_fields(found, problems.fields)
        newest = project.documents.newest()
        stored = texts.store()
        _tell_stored(found, stored, "documents")
        tell_alike(project, found, newest)
        found.note(
            project.documents.pooled_without_text(),
            "pooled documents still without text",
            "{count:pooled document has|pooled documents have} no text yet: import the files that "
            "hold them",
        )
        tell_lost(project, found)
        tell_twins(project, found)
        _tell_judged(found, project, stored)
        found.note(stored.skipped, "documents left out, since no pooled pair needs them")
        if wanted and stored.skipped and not (stored.added or stored.filled or stored.same):
            alike = look_alikes(first, wanted) or "are these the ids of another collection?"
            found.warn(
                f"none of its documents ({some(first, 3)}) is pooled ({some(sorted(wanted), 3)}); "
                + alike
            )
        elif wanted and (alike := sought.sentence()):
            found.warn(f"documents: {alike}")
        return found

    return store


def _tell_fields(found: Found, fields: Fields) -> None:
    """Say which fields are shown below a document's title, and which an assessor will not see."""
    shown = [name for name in fields.shown if name not in fields.held_back and "." not in name]
    if shown:
        found.facts["fields shown"] = one_line(some(shown, 40), 600)
    if fields.held_back:
        found.facts["fields held back"] = one_line(some([*fields.held_back], 40), 600)
        found.warn(
            "fields that may tell of ranks, scores, systems or labels are not stored or shown; "
            "--fields NAME,… names all that are to be, --hide NAME,… more that are not"
        )


def _remembering(
    documents: Iterable[Document], first: list[str], sought: Sought
) -> Iterator[Document]:
    """Give the documents, keep the first few ids, and look for those that are sought."""
    for document in documents:
        if len(first) < REMEMBERED:
            first.append(document.docid)
        sought.see(document.docid)
        yield document


def _tell_stored(found: Found, stored: Stored, what: str) -> None:
    one = {"queries": "query"}.get(what, what.removesuffix("s"))
    found.facts[f"{what} added"] = stored.added
    found.note(stored.filled, f"{what} known by id before, now with text")
    found.note(stored.same, f"{what} stored already")
    found.note(
        len(stored.kept),
        f"{what} that differ from what is stored",
        f"{{count:{one} has|{what} have}} another text in the project, which was kept: "
        f"{some(stored.kept)}",
    )
    found.note(
        len(stored.repeated),
        f"{what} that come again with another text",
        f"{{count:{one} comes|{what} come}} more than once with different texts; the first was "
        f"taken: {some(stored.repeated)}",
    )
    found.note(len(stored.replaced), f"{what} replaced by another text")
    found.note(stored.refreshed, f"{what} of the same text with other fields now")
    changed = stored.added or stored.filled or stored.replaced or stored.refreshed
    found.unchanged(not changed)


def _tell_judged(found: Found, project: Project, stored: Stored) -> None:
    """Say which labels are of another text than the file has."""
    judged = project.documents.judged(stored.kept)
    found.note(
        len(judged),
        "judged documents whose text differs now",
        "{count:document was|documents were} judged by another text than this file has; the text "
        f"that was judged was kept with its labels: {some(judged)}; --replace takes the new text",
    )
    outdated = project.documents.judged(stored.replaced)
    found.note(
        len(outdated),
        "judged documents with another text now",
        "{count:document was|documents were} judged by the text that was replaced; the labels "
        f"count, marked as labels of an earlier text: {some(outdated)}",
    )
