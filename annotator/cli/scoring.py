"""The options that define a score, and a scoreboard from them; several commands need both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from annotator.cli import completion, output
from annotator.cli.options import Command, as_of_option
from annotator.errors import UsageError
from annotator.results.scores import ScoreTable
from annotator.scoring.options import (
    DEFAULT_MEASURES,
    RULES,
    EmptyIdeal,
    Like,
    MissingQueries,
    ScoreOptions,
    Ties,
    Unlisted,
)
from annotator.scoring.query_weights import ALIKE, QueryWeights
from rubric import Gain, Measure, Rubric, RubricError
from rubric.evaluation.measure import HIGHEST

if TYPE_CHECKING:
    from annotator.store import Project


def score_options(command: Command) -> Command:
    """Add the options of :func:`options_from`."""
    return some_score_options(*_OPTIONS)(command)


def some_score_options(*names: str) -> Callable[[Command], Command]:
    """Add only these options of :func:`options_from`."""

    def add(command: Command) -> Command:
        for name in reversed(names):
            command = _OPTIONS[name](command)
        return command

    return add


def _rule(name: str, default: StrEnum, says: str) -> Callable[[Command], Command]:
    values = [one.value for one in type(default)]
    return click.option(
        name, type=click.Choice(values), default=default.value, show_default=True, help=says
    )


_OPTIONS = {
    "measures": click.option(
        "-m", "--measure", "measures", multiple=True, metavar="MEASURE",
        shell_complete=completion.measures,
        help="Such as nDCG@10, P@5(rel=2); repeat it or separate by commas. `annotator rubric "
        f"measures` lists them. [default: {', '.join(map(str, DEFAULT_MEASURES))}]",
    ),
    "like": click.option(
        "--like", type=click.Choice([one.value for one in Like]),
        help="Follow every rule of this tool: gain, order, ideal, empty and missing queries. What "
        "it would print is the column zero-filled. Not together with another rule.",
    ),
    "gain": click.option(
        "--gain", metavar="GAIN",
        help="exponential, linear, or the gain of each grade as 0:1:3:7. [default: the rubric's]",
    ),
    "threshold": click.option(
        "--threshold", type=click.IntRange(1, HIGHEST), metavar="GRADE",
        help="The least grade that counts as relevant. [default: the rubric's]",
    ),
    "ties": _rule(
        "--ties", Ties.DISPLAYED,
        "Which order is scored: the displayed one, that of descending score (ties as displayed), "
        "of trec_eval, of MS MARCO (ties by rising id), or the average over tied scores.",
    ),
    "empty_ideal": _rule(
        "--empty-ideal", EmptyIdeal.EXCLUDE,
        "How a query without a relevant judged document counts."
    ),
    "missing_queries": _rule(
        "--missing-queries", MissingQueries.ZERO,
        "How a query counts for which a system returned nothing."
    ),
    "unlisted": _rule(
        "--unlisted", Unlisted.UNJUDGED,
        "How a document without a label counts, for a query that has labels. `zero` is for a "
        "collection that is judged completely and lists what is relevant.",
    ),
    "weights": click.option(
        "--weights", type=click.Path(path_type=Path), metavar="FILE",
        help="How much each query counts: a query id and a number of 0 or more on each line, or a "
        "table or JSON lines with a weight, such as a queries file. `none`: all alike. [default: "
        "the weights that the project keeps, else all alike]",
    ),
    "systems": click.option("--system", "systems", multiple=True, metavar="NAME",
                 shell_complete=completion.systems,
                 help="Only these systems (repeat it)."),
    "as_of": as_of_option(
        "With the labels and the rubric as they were then (UTC): a date, with all of that day, or "
        "a date and time. Pool and rankings are those of now."
    ),
    "assessors": click.option("--assessor", "assessors", multiple=True, metavar="NAME",
                 shell_complete=completion.assessors,
                 help="Only labels of these assessors (repeat it)."),
    "models": click.option("--models", is_flag=True,
                 help="Let labels of language models help to say what is expected; they never "
                 "count as judgments. A claim says what it would be without them."),
}  # fmt: skip


def options_from(
    *,
    measures: Sequence[str] = (),
    like: str | None = None,
    gain: str | None = None,
    threshold: int | None = None,
    ties: str = Ties.DISPLAYED,
    empty_ideal: str = EmptyIdeal.EXCLUDE,
    missing_queries: str = MissingQueries.ZERO,
    unlisted: str = Unlisted.UNJUDGED,
    systems: Sequence[str] = (),
    assessors: Sequence[str] = (),
    as_of: datetime | None = None,
    weights: Path | None = None,
    models: bool = False,
) -> ScoreOptions:
    """Read the options as typed; a command that lacks one takes its default.

    Raises
    ------
    UsageError
        If a measure or gain is not valid.
    InputError
        If the file of weights is bad.
    """
    try:
        options = ScoreOptions(
            measures=_measures(measures) or DEFAULT_MEASURES,
            gain=None if gain is None else Gain.parse(gain),
            threshold=threshold,
            ties=Ties(ties),
            empty_ideal=EmptyIdeal(empty_ideal),
            missing_queries=MissingQueries(missing_queries),
            unlisted=Unlisted(unlisted),
            systems=tuple(dict.fromkeys(systems)) or None,
            assessors=tuple(dict.fromkeys(assessors)) or None,
            as_of=as_of,
            models=models,
            weights=None if weights is None else _weights(weights),
        )
    except RubricError as error:
        raise UsageError(str(error)) from error
    return options if like is None else _following(Like(like), options)


def _weights(path: Path) -> QueryWeights:
    if str(path) == ALIKE.name:
        return ALIKE
    from annotator.formats.input.source import Source
    from annotator.formats.queries.weights import read_weights

    return QueryWeights(path.name, read_weights(Source(path)))


def _following(tool: Like, options: ScoreOptions) -> ScoreOptions:
    default = ScoreOptions()
    for rule in RULES[tool]:
        if getattr(options, rule) != getattr(default, rule):
            name = rule.replace("_", "-")
            raise UsageError(f"--like {tool} sets every rule: leave --{name} out, or --like")
    return replace(options, like=tool, **RULES[tool])


def scored(project: Project, options: ScoreOptions) -> ScoreTable:
    """Score, once measures and options fit the rubric.

    Raises
    ------
    UsageError
        If they do not, or there is nothing to score.
    """
    from annotator.actions.scoring import score  # brings in SQLite, which files do without

    with fitting(project.rubrics.active(options.as_of).rubric, options):
        table = score(project, options)
    tell_likeness(project, options)
    return table


def tell_likeness(project: Project, options: ScoreOptions) -> None:
    """Say where the numbers are not those of the tool whose rules are followed."""
    from annotator.actions.scoring import like_notes

    for note in like_notes(project, options):
        output.note(note)


@contextmanager
def fitting(rubric: Rubric | None, options: ScoreOptions) -> Iterator[None]:
    """Compute something only if measures and options fit the rubric.

    Raises
    ------
    UsageError
        If they do not.
    """
    if rubric is not None:
        options.check_grades(rubric.top, f"the rubric {rubric.name}")
    try:
        yield
    except RubricError as error:
        raise UsageError(str(error)) from error


def _measures(spellings: Sequence[str]) -> tuple[Measure, ...]:
    """Every measure once, all in one spelling."""
    measures = Measure.parse_all(",".join(spellings))
    if spellings and not measures:
        raise UsageError("-m: no measure is named; `annotator rubric measures` lists them")
    return tuple(measures)
