"""From a project to comparisons of its systems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from annotator.actions.scoring import load_board, load_labels, method, named_systems
from annotator.errors import UsageError
from annotator.results.ceilings import CeilingTable
from annotator.results.comparisons import Compared, ComparisonTable
from annotator.results.method import Method
from annotator.scoring.options import ScoreOptions
from annotator.scoring.paired_systems import adjusted, compared, compared_all, in_every_order
from annotator.scoring.reranking import ceilings, check_ceiling
from annotator.store import Project

SEED = 0


def check_two(first: str, second: str) -> None:
    """Refuse to compare a system with itself.

    Raises
    ------
    UsageError
        If both names are one.
    """
    if first == second:
        raise UsageError(f"{first} cannot be compared with itself; name two systems")


def compare_two(
    project: Project, first: str, second: str, options: ScoreOptions
) -> ComparisonTable:
    """Compare two systems on each measure.

    All systems of the project are on the board, so that the same documents may count as in its
    scores.

    Raises
    ------
    UsageError
        If they are one system, or one of them is not there.
    """
    check_two(first, second)
    named_systems(project, (first, second))
    labels = load_labels(project, options)

    def compared_in(options: ScoreOptions) -> tuple[Method, list[Compared]]:
        board = load_board(project, options, labels)
        board.estimate()
        one, two = (board.systems.index(name) for name in (first, second))
        pairs = [compared(board, one, two, measure, seed=SEED) for measure in options.measures]
        return replace(method(project, options, labels), expected=board.basis), pairs

    made, pairs = in_every_order(options, compared_in)
    return ComparisonTable(made, SEED, tuple(pairs))


def compare_all(
    project: Project, options: ScoreOptions, watch: Callable[[int, int], object] | None = None
) -> ComparisonTable:
    """Compare every two systems on the first measure, p values adjusted for all of them.

    ``watch`` is called with the pairs done and the pairs in all.

    Raises
    ------
    UsageError
        If there are fewer than two systems, or a named one is not there.
    """
    measure = options.measures[0]
    [options] = replace(options, measures=(measure,)).by_order()
    labels = load_labels(project, options)
    named = list(named_systems(project, options.systems))
    if len(named) < 2:
        raise UsageError(f"only {named[0]} is there; a comparison needs two systems")
    board = load_board(project, replace(options, systems=None), labels)
    board.estimate()
    places = [board.systems.index(name) for name in named]
    pairs = compared_all(board, list(combinations(places, 2)), measure, seed=SEED, watch=watch)
    made = replace(method(project, options, labels), expected=board.basis)
    return ComparisonTable(made, SEED, adjusted(pairs))


def find_ceilings(project: Project, options: ScoreOptions, n: int) -> CeilingTable:
    """How good each system's first ``n`` candidates could be ranked, on each measure.

    Raises
    ------
    UsageError
        If a measure is no nDCG with a cutoff up to ``n``, or a named system is not there.
    """
    check_ceiling(options, n)
    labels = load_labels(project, options)
    board = load_board(project, options, labels)
    return ceilings(board, n, method(project, options, labels))
