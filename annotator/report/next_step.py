"""What to do next about two systems: one command, by what is known of them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from annotator.report.more_labels_text import about_more
from annotator.results.comparisons import Compared
from annotator.text.safe import one_line
from rubric import Verdict


class Step(NamedTuple):
    """What to type after ``annotator``, and what that does."""

    command: str
    does: str


def next_step(one: Compared, left: int, depth: int | None) -> Step | None:
    """The step for two systems of a project; None where nothing is left to do.

    ``left`` counts the pooled pairs that are left to judge, ``depth`` is that of the pool.
    """
    if is_open(one):
        return _to_labels(one, left, depth)
    if one.size in ("ahead", "behind") and one.new_queries == "no sign":
        return Step("import queries FILE", "more queries would show whether it holds for new ones")
    better_is_first = (one.known or 0) >= 0
    lost = one.largest(wins=not better_is_first)
    if not lost:
        return None
    names = one.first, one.second
    if not all(map(_can_be_typed, (*names, lost[0].query))):
        return None
    words = shlex.join(["diff", *names, "--query", lost[0].query])
    return Step(words, "where the better one loses most")


def next_of_files(pairs: Sequence[Compared]) -> Step | None:
    """The step where files were compared: what is missing can be graded in a project."""
    return Step("init", "a project, to grade what is missing") if any(map(is_open, pairs)) else None


def next_of_all(pairs: Sequence[Compared], left: int, depth: int | None) -> Step | None:
    """The step for all systems of a project."""
    open_ = [one for one in pairs if is_open(one)]
    if not open_:
        return None
    if left:
        return Step("grade --order rank", "ask first for what tells how they rank")
    return _to_labels(open_[0], left, depth)


def is_open(one: Compared) -> bool:
    """Whether labels are missing that could still change who is better."""
    return one.verdict is Verdict.OPEN


def _to_labels(one: Compared, left: int, depth: int | None) -> Step | None:
    if left:
        order = ["decide", one.first, one.second]
        if not all(map(_can_be_typed, order)):
            order = ["best"]
        does = "ask first for what tells most"
        return Step(
            shlex.join(["grade", "--order", *order]),
            does if one.more is None else f"{does}: {about_more(one.more)}",
        )
    if depth is None:
        return Step("pool", "choose the documents to judge")
    deeper = max(depth, one.result.measure.k or 2 * depth)
    return Step(f"pool --depth {deeper}", "all that is pooled is judged: choose more documents")


def _can_be_typed(name: str) -> bool:
    """Whether a name is what is shown of it, and no option."""
    return one_line(name) == name and not name.startswith("-")
