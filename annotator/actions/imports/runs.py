"""Runs into a project, each as a system."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from annotator.actions.imports.effects import counting_new
from annotator.actions.imports.ids import known_queries
from annotator.actions.imports.report import FIRST_PLACES, Found, note_own, note_reading, note_run
from annotator.actions.imports.transaction import Storing
from annotator.errors import UsageError
from annotator.formats import Hints, read_run
from annotator.formats.input.source import Source
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.store import Project
from annotator.store.staging.area import Staging


def run_of(
    project: Project,
    staged: Staging,
    path: Path,
    *,
    name: str | None = None,
    replace: bool = False,
    hints: Hints | None = None,
) -> Storing:
    """Read a run that is to be a system, named after the file unless a name is given.

    Raises
    ------
    InputError
        If a line of it is bad.
    UsageError
        If the name is taken by another run, or (when it is stored) no query of it is known.
    """
    if str(path) == "-" and not name:
        raise UsageError("a run from standard input has no file to be named after: give a --name")
    source = Source(path, hints)
    name = name or system_name(path)
    digest = source.digest()
    if known := _known_run(project, source, name, digest, replace):
        return lambda: known
    problems = Problems(source.name)
    run = staged.run()
    for lines in read_run(source, problems):
        if not problems.count:  # else only the other bad lines are wanted
            run.add(lines)
    problems.raise_if_any("a run")
    rule, counts = run.ordered()

    def store() -> Found:
        if known := _known_run(project, source, name, digest, replace):
            return known
        found = Found(source.name, "run", {"system": name})
        note_reading(found, problems)
        before = project.systems.named(name)
        old = project.systems.fingerprints(before.id) if before else {}
        with counting_new(project, found):
            queries = known_queries(project, run.qids(), found)
            seen = {**asdict(counts), "documents": run.documents(), "order_rule": rule}
            unknown = counts.queries - len(queries)
            number = project.systems.add(
                name, digest, rule, {**seen, "unknown queries": unknown}, run.rankings(queries),
                project.now(),
            )  # fmt: skip
            found.facts |= {"rows": counts.rows, "queries": counts.queries}
            found.facts |= {"documents": seen["documents"], "order": str(rule)}
            note_run(found, counts, rule)
            note_own(found, _own(project, number), len(queries))
        if before:
            _tell_replaced(found, old, project.systems.fingerprints(number))
        silent = len(project.queries.ids()) - len(set(queries.values()))
        found.note(silent, "queries of the project without a ranking")
        return found

    return store


def _own(project: Project, system: int) -> int:
    """How many queries have a document of their own id among the first."""
    qids = {number: qid for qid, number in project.queries.ids().items()}
    documents = project.documents.known([*qids.values()])
    numbers = {query: documents[qid] for query, qid in qids.items() if qid in documents}
    tops = project.systems.tops(system, FIRST_PLACES) if numbers else ()
    return sum(numbers.get(top.query, 0) in top.documents for top in tops)


def _known_run(
    project: Project, source: Source, name: str, digest: str, replace: bool
) -> Found | None:
    """What there is to say where this very file is stored already; None where it is not.

    Raises
    ------
    UsageError
        If another file is, and is not to be replaced.
    """
    if name in project.systems.taken_out():
        raise UsageError(
            f"{source.name}: the system {name} was removed: put it back (`annotator remove "
            "undo`), or give this one another --name"
        )
    before = project.systems.named(name)
    if before and before.file_hash == digest:
        said = f"system {name} has this very file already; nothing changed"
        found = Found(source.name, "run", {"system": name})
        found.warn(said)
        return found
    if before and not replace:
        raise UsageError(
            f"{source.name}: a system {name} is stored from another file; give this one a --name, "
            "or --replace that run (its judgments are kept)"
        )
    return None


def _tell_replaced(found: Found, before: dict[int, bytes], after: dict[int, bytes]) -> None:
    both = before.keys() & after.keys()
    found.note(sum(before[query] != after[query] for query in both), "rankings changed")
    found.note(len(after.keys() - both), "rankings new")
    found.note(len(before.keys() - both), "rankings gone")
    found.warn(
        "the run was replaced; all judgments stay, and `annotator pool` adds what it returns now"
    )
