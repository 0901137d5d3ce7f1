"""A campaign of judging from here to the end, with something other than a person to answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rubric.choose.chooser import Chooser, checkpoints
from rubric.choose.survey import DRAWS, Survey, survey
from rubric.choose.target import Target
from rubric.model.grade_model import GradeModel

Answer = Callable[[int, int], int]
"""The grade of the pair in a row and column."""


def campaign(
    chooser: Chooser,
    model: GradeModel,
    target: Target,
    answer: Answer,
    *,
    at: Sequence[int] | None = None,
    seed: int = 0,
    draws: int | None = DRAWS,
    time_is_up: Callable[[], bool] = lambda: False,
) -> Iterator[Survey]:
    """Judge pair after pair until none is left; a survey now and at each checkpoint.

    Parameters
    ----------
    at
        Numbers of labels at which to survey and choose anew, rising. None: as is usual.
    draws
        How many each survey makes; None: as is usual while a person judges.
    time_is_up
        Asked before each pair; once it says so, nothing more is judged.
    """

    def look() -> Survey:
        found = survey(
            model,
            chooser.grades,
            target,
            by_eye=chooser.by_eye,
            foreign=chooser.foreign,
            seed=seed,
            draws=draws,
        )
        chooser.adopt(found)
        return found

    yield look()
    due = checkpoints(chooser.labels, int(chooser.pooled.known.sum())) if at is None else at
    for stop in due:
        while chooser.labels < stop and (pair := chooser.next()) is not None:
            if time_is_up():
                return
            chooser.tell(*pair, answer(*pair))
        yield look()
