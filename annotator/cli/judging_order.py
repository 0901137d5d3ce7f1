"""The order of judging that a command was asked for."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from annotator.cli import completion
from annotator.cli.options import opened
from annotator.errors import UsageError
from annotator.judging import Order
from annotator.store import Project

if TYPE_CHECKING:  # these take long to load
    from annotator.results.standings import Standing
    from rubric import Measure

ORDERS = ("depth", "random", "mtf", "decide", "best", "rank")
"""The orders by name; depth, query by query, needs nothing chosen."""
GOALS = ("decide", "best", "rank")
"""Those that are for a verdict, and not for the whole pool."""

OrderLoader = Callable[[Project, Project], Order | None]
"""Reads the first project for an order over the second, which is the same one."""

measure_option = click.option(
    "-m", "--measure", metavar="MEASURE", shell_complete=completion.measures,
    help="The measure to be decided on, such as nDCG@3, P@5 or RR@10. [default: nDCG@10]",
)  # fmt: skip


def chosen_measure(measure: str | None) -> Measure:
    """The measure that was asked for, or the usual one; UsageError if it is none."""
    from annotator.actions.judged_pool import MEASURE
    from rubric import Measure, RubricError

    try:
        return MEASURE if measure is None else Measure.parse(measure)
    except RubricError as error:
        raise UsageError(str(error)) from error


class JudgingOrder(NamedTuple):
    """An order by name, the two systems of ``decide``, the measure and whether to stay."""

    name: str = ORDERS[0]
    systems: Sequence[str] = ()
    measure: str | None = None
    stay: bool = False

    @property
    def has_goal(self) -> bool:
        """Whether it is for a verdict."""
        return self.name in GOALS

    def again(self, *, plain: bool = False) -> str:
        """The command that goes on in it."""
        words = [] if self.name == ORDERS[0] else ["--order", self.name, *self.systems]
        words += [] if self.measure is None else ["-m", self.measure]
        return shlex.join(["grade", *["--plain"] * plain, *words, *["--stay"] * self.stay])

    def check(self, project: Project) -> None:
        """Refuse what does not go together, before anything is opened.

        Raises
        ------
        UsageError
            If an option does not go with the order, or systems or measure are none for it.
        """
        if self.stay and self.name == ORDERS[0]:
            raise UsageError(
                "--stay goes with another order: depth stays with every query to its end"
            )
        if self.measure is not None and not self.has_goal:
            raise UsageError(f"-m goes with an order that decides something: {', '.join(GOALS)}")
        if self.name == ORDERS[0] and not self.systems:
            return
        from annotator.actions.judged_pool import target_of
        from annotator.actions.orders import strategy_of

        strategy_of(project, self.name, self.systems)
        target_of(project, chosen_measure(self.measure))

    def loader(self, assessor: str) -> OrderLoader | None:
        """What finds the order for somebody; None: query by query."""
        if self.name == ORDERS[0]:
            return None
        from annotator.actions.orders import load_order

        return lambda read, used: load_order(
            read,
            assessor,
            self.name,
            self.systems,
            measure=chosen_measure(self.measure),
            stay=self.stay,
            log=used.judgments,
        )

    def standing(self, path: Path) -> Standing:
        """What is known so far of what it is for."""
        from annotator.actions.standing import load_standing

        with opened(path) as project:
            return load_standing(project, self.name, self.systems, chosen_measure(self.measure))


BY_QUERY = JudgingOrder()
"""Nothing was asked for."""
