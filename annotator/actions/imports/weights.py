"""Weights of queries into a project, and out of use again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from annotator.actions.imports.look_alikes import look_alikes
from annotator.actions.imports.report import Found
from annotator.actions.imports.transaction import Storing
from annotator.errors import UsageError
from annotator.formats import Hints
from annotator.formats.input.source import Source
from annotator.formats.queries.weights import read_weights
from annotator.store import Project
from annotator.store.staging.area import Staging
from annotator.text.plural import some


def weights_of(
    project: Project, _staged: Staging, path: Path, *, hints: Hints | None = None
) -> Storing:
    """Read the weight of each query; they take the place of earlier ones.

    Raises
    ------
    InputError
        If a line is bad, a query has two weights, or all are 0.
    UsageError
        If no query of the project has one (when they are stored).
    """
    source = Source(path, hints)
    weights = read_weights(source)

    def store() -> Found:
        found = Found(source.name, "query weights")
        put_in_force(project, found, Path(source.name).name, weights)
        return found

    return store


def put_in_force(project: Project, found: Found, name: str, weights: Mapping[str, float]) -> None:
    """Let weights hold, and say what they are of.

    Raises
    ------
    UsageError
        If no query of the project has one of more than 0.
    """
    known = project.queries.ids()
    if known and not any(weights.get(qid) for qid in known):
        alike = look_alikes(list(weights), known)
        raise UsageError(
            f"{found.source}: no query of the project has a weight here above 0 (the project has "
            f"{some(list(known), 3)}; here are {some(list(weights), 3)})"
            + (f"; {alike}" if alike else "")
        )
    before = project.weights.in_force()
    found.facts["weights"] = len(weights)
    found.note(sum(not one for one in weights.values()), "queries of weight 0, left out of scores")
    tell_weightless(project, found, weights)
    others = [qid for qid in weights if qid not in known]
    found.note(len(others) if known else 0, "weights of other queries")
    if before is not None and before.weights == weights:
        found.unchanged(True)
        return
    if before is not None:
        found.warn(f"they take the place of the weights of {before.source}")
    project.weights.put_in_force(name, weights, project.now())


def tell_weightless(project: Project, found: Found, weights: Mapping[str, float]) -> None:
    """Say which queries of the project have no weight."""
    without = [qid for qid in project.queries.ids() if qid not in weights]
    found.note(
        len(without),
        "queries without a weight",
        f"{{count:query has|queries have}} no weight, so scores leave them out: {some(without)}",
    )


def remove_weights(project: Project) -> bool:
    """Let all queries count alike from now on; whether any weights held."""
    if project.weights.in_force() is None:
        return False
    project.weights.put_in_force("", {}, project.now())
    return True
