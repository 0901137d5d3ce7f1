"""Queries, documents and runs into a project: all of a file or nothing of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from annotator.actions.found import Found, some
from annotator.actions.matching import known_queries, look_alikes
from annotator.errors import UsageError
from annotator.formats import Hints, read_documents, read_queries, read_run
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.ordering import OrderedRun, OrderRule, displayed
from annotator.records import Document, Int32Array, Query
from annotator.store import Project, Ranking, Stored

REMEMBERED = 100
"""How many ids of a file are looked at to tell why none of them is known."""


def import_queries(
    project: Project,
    path: Path,
    *,
    only: Collection[str] | None = None,
    hints: Hints | None = None,
) -> Found:
    """Store the queries of a file, or only those with the ids given.

    Raises
    ------
    InputError
        If a line of it is bad; nothing is stored then.
    """
    source = Source(path, hints)
    problems = Problems(source.name)
    return store_queries(project, read_queries(source, problems), problems, only=only)


def store_queries(
    project: Project,
    queries: Iterable[Query],
    problems: Problems,
    *,
    only: Collection[str] | None = None,
) -> Found:
    """Store queries, whatever they are read from."""
    found = Found(problems.source, "queries")
    wanted = (query for query in queries if only is None or query.qid in only)
    with project.file.writing():
        stored = project.queries.store(wanted)
        problems.raise_if_any("queries")
    _tell_stored(found, stored, "queries")
    return found


def import_documents(
    project: Project, path: Path, *, everything: bool = False, hints: Hints | None = None
) -> Found:
    """Store the texts of the pooled documents of a file, or of all of them.

    Before there is a pool every text is stored. The file is streamed.

    Raises
    ------
    InputError
        If a line of it is bad; nothing is stored then.
    """
    source = Source(path, hints)
    problems = Problems(source.name)
    return store_documents(
        project, read_documents(source, problems), problems, everything=everything
    )


def store_documents(
    project: Project, documents: Iterable[Document], problems: Problems, *, everything: bool = False
) -> Found:
    """Store documents, whatever they are read from."""
    found = Found(problems.source, "documents")
    first: list[str] = []
    with project.file.writing():
        pooled_only = bool(project.pool.makings()) and not everything
        wanted = project.documents.pooled() if pooled_only else None
        stored = project.documents.store(_remembering(documents, first), wanted)
        problems.raise_if_any("documents")
        found.note(
            project.documents.pooled_without_text(),
            "pooled documents still without text",
            "{count} pooled documents have no text yet: import the files that hold them",
        )
        judged = project.documents.judged(stored.kept)
    _tell_stored(found, stored, "documents")
    found.note(
        len(judged),
        "judged documents whose text differs now",
        "{count} documents were judged by another text than this file has; the text that was "
        f"judged was kept with its labels: {some(judged)}",
    )
    found.note(stored.skipped, "documents left out, since no pooled pair needs them")
    if wanted and stored.skipped and not (stored.added or stored.filled or stored.same):
        alike = look_alikes(first, wanted) or "are these the ids of another collection?"
        found.warnings.append(
            f"none of its documents ({some(first, 3)}) is pooled ({some(sorted(wanted), 3)}); "
            + alike
        )
    return found


def _remembering(documents: Iterable[Document], first: list[str]) -> Iterator[Document]:
    """Give the documents, and keep the first few ids."""
    for document in documents:
        if len(first) < REMEMBERED:
            first.append(document.docid)
        yield document


def import_run(
    project: Project,
    path: Path,
    *,
    name: str | None = None,
    replace: bool = False,
    hints: Hints | None = None,
) -> Found:
    """Store a run as a system, named after the file unless a name is given.

    Raises
    ------
    InputError
        If a line of it is bad; nothing is stored then.
    UsageError
        If the name is taken by another run, or no query of the run is in the project.
    """
    source = Source(path, hints)
    found = Found(source.name, "run")
    problems = Problems(source.name)
    if str(path) == "-" and not name:
        raise UsageError("a run from standard input has no file to be named after: give a --name")
    name = name or system_name(path)
    digest = source.digest()
    found.facts["system"] = name
    table = read_run(source, problems)
    problems.raise_if_any("a run")
    run = displayed(table)
    with project.file.writing():
        before = next((one for one in project.systems.all() if one.name == name), None)
        if before and before.file_hash == digest:
            found.warnings.append(f"system {name} has this very file already; nothing changed")
            return found
        if before and not replace:
            raise UsageError(
                f"{path}: a system {name} is stored from another file; give this one a --name, or "
                "--replace that run (its judgments are kept)"
            )
        known = known_queries(project, table.qids, found)
        numbers = np.array([known.get(qid, 0) for qid in table.qids], dtype=np.int32)
        documents = project.documents.ids(table.docids)
        findings = {**asdict(run.findings), "unknown queries": int(np.sum(numbers == 0))}
        rankings = _numbered(run, numbers, table.docids, documents)
        if before:
            _tell_replaced(found, project.systems.rankings(before.id), rankings)
        project.systems.add(
            name, digest, run.findings.order_rule, findings, rankings, project.now()
        )
        silent = len(project.queries.ids()) - int(np.sum(numbers > 0))
    _tell_run(found, run)
    found.note(silent, "queries of the project without a ranking")
    return found


def _tell_replaced(found: Found, old: Iterable[Ranking], new: Sequence[Ranking]) -> None:
    before = {one.query: one.documents.tolist() for one in old}
    after = {one.query: one.documents.tolist() for one in new}
    both = before.keys() & after.keys()
    found.note(sum(before[query] != after[query] for query in both), "rankings changed")
    found.note(len(after.keys() - both), "rankings new")
    found.note(len(before.keys() - both), "rankings gone")
    found.warnings.append(
        "the run was replaced; all judgments stay, and `annotator pool` adds what it returns now"
    )


def _numbered(
    run: OrderedRun, queries: Int32Array, docids: list[str], documents: dict[str, int]
) -> list[Ranking]:
    numbers = np.array([documents[docid] for docid in docids], dtype=np.int32)
    return [
        Ranking(int(queries[query]), numbers[document], score)
        for query, document, score in run.rankings()
        if queries[query]
    ]


def _tell_run(found: Found, run: OrderedRun) -> None:
    seen = run.findings
    found.facts |= {"rows": seen.rows, "queries": seen.queries, "documents": seen.documents}
    found.facts["order"] = str(seen.order_rule)
    if seen.order_rule is OrderRule.SCORE:
        found.warnings.append(
            "no rank tells the documents of a query apart, so they are ordered by score, and by "
            "file order where scores are equal"
        )
    found.note(
        seen.duplicates,
        "duplicate documents dropped",
        "{count} documents came twice in one ranking; the first place stays",
    )
    found.note(seen.ties, "rows with a tied score")
    found.note(
        seen.tied_at_cutoff,
        "queries with a tie across rank 10",
        "in {count} queries ranks 10 and 11 have one score: what is in the top 10 there is chance",
    )
    found.note(
        seen.contradictions,
        "places where rank and score disagree",
        "in {count} places a document is ranked above one with a higher score; the rank column "
        "counts here, the score with --ties trec",
    )


def _tell_stored(found: Found, stored: Stored, what: str) -> None:
    found.facts[f"{what} added"] = stored.added
    found.note(stored.filled, f"{what} known by id before, now with text")
    found.note(stored.same, f"{what} stored already")
    found.note(
        len(stored.kept),
        f"{what} that differ from what is stored",
        f"{{count}} {what} have another text in the project, which was kept: {some(stored.kept)}",
    )
