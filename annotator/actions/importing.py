"""Queries, documents and runs into a project: all of a file or nothing of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from annotator.actions.found import Found, some
from annotator.errors import UsageError
from annotator.formats import read_documents, read_queries, read_run
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.ordering import OrderedRun, OrderRule, displayed
from annotator.records import Int32Array, Query
from annotator.store import Project, Ranking, Stored


def import_queries(project: Project, path: Path) -> Found:
    """Store the queries of a file.

    Raises
    ------
    InputError
        If a line of it is bad; nothing is stored then.
    """
    source, found = Source(path), Found(str(path), "queries")
    problems = Problems(source.name)
    with project.file.writing():
        stored = project.queries.store(read_queries(source, problems))
        problems.raise_if_any("queries")
    _tell_stored(found, stored, "queries")
    return found


def import_documents(project: Project, path: Path, *, everything: bool = False) -> Found:
    """Store the texts of the pooled documents of a file, or of all of them.

    Before there is a pool every text is stored. The file is streamed.

    Raises
    ------
    InputError
        If a line of it is bad; nothing is stored then.
    """
    source, found = Source(path), Found(str(path), "documents")
    problems = Problems(source.name)
    with project.file.writing():
        pooled_only = bool(project.pool.makings()) and not everything
        wanted = project.documents.pooled() if pooled_only else None
        stored = project.documents.store(read_documents(source, problems), wanted)
        problems.raise_if_any("documents")
        found.note(
            project.documents.pooled_without_text(),
            "pooled documents still without text",
            "{count} pooled documents have no text yet: import the files that hold them",
        )
    _tell_stored(found, stored, "documents")
    found.note(stored.skipped, "documents left out, since no pooled pair needs them")
    return found


def import_run(
    project: Project, path: Path, *, name: str | None = None, replace: bool = False
) -> Found:
    """Store a run as a system, named after the file unless a name is given.

    Raises
    ------
    InputError
        If a line of it is bad; nothing is stored then.
    UsageError
        If the name is taken by another run, or no query of the run is in the project.
    """
    source, found = Source(path), Found(str(path), "run")
    problems = Problems(source.name)
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
        project.systems.add(
            name,
            digest,
            run.findings.order_rule,
            findings,
            _numbered(run, numbers, table.docids, documents),
            project.now(),
        )
        silent = len(project.queries.ids()) - int(np.sum(numbers > 0))
    _tell_run(found, run)
    found.note(silent, "queries of the project without a ranking")
    return found


def known_queries(project: Project, qids: Sequence[str], found: Found) -> dict[str, int]:
    """The number of each query of the project, which takes a file's ids while it has no texts.

    Once queries were imported they are the project's queries, and no run or qrels adds to them.

    Raises
    ------
    UsageError
        If none of the file's queries is known.
    """
    settled = project.queries.have_text()
    if not settled:
        project.queries.store(Query(qid, "") for qid in qids)
    known = project.queries.ids()
    unknown = [qid for qid in qids if qid not in known]
    if len(unknown) == len(qids):
        raise UsageError(
            f"{found.source}: none of its {len(qids)} queries ({some(unknown, 3)}) is in the "
            f"project ({some(list(known), 3)}); are these the ids of another query set?"
        )
    found.note(
        len(unknown),
        "unknown queries",
        f"{{count}} queries are not in the project and were left out: {some(unknown)}",
    )
    if not settled:
        found.warnings.append(
            f"no queries are imported yet, so their ids were taken from the {found.kind}: "
            "`annotator import queries FILE` adds their texts"
        )
    return known


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
            "the rank column says nothing (one value for all rows of a query), so documents are "
            "ordered by score, and by file order where scores are equal"
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
