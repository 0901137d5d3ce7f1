"""How a build learns whether its rules hold: exit codes, lines on stderr, JUnit XML."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import click

from annotator.atomic_write import write_lines
from annotator.cli import output
from annotator.errors import ExitCode, UsageError
from annotator.report.rules_text import junit, sentence
from annotator.results.rules import Outcome, Ruling
from annotator.results.scores import ScoreTable
from annotator.scoring.options import ScoreOptions
from annotator.scoring.rules import at_least
from rubric import Measure, RubricError

junit_option = click.option(
    "--junit", type=click.Path(path_type=Path), metavar="FILE",
    help="Also write the rules and how they came out to this file, as JUnit XML.",
)  # fmt: skip

Limits = dict[Measure, float]


def limits(_ctx: click.Context, _param: click.Parameter, typed: Sequence[str]) -> Limits:
    """Read ``nDCG@10=0.45`` and the like.

    Raises
    ------
    UsageError
        If one is not of that form.
    """
    found = {}
    for one in typed:
        name, _, value = one.rpartition("=")
        try:
            found[Measure.parse(name)] = _finite(value)
        except (RubricError, ValueError) as error:
            raise UsageError(
                f"--fail-under {one}: expected a measure and a number, such as nDCG@10=0.45"
            ) from error
    return found


def _finite(text: str) -> float:
    """A number.

    Raises
    ------
    ValueError
        If it is none, or not finite.
    """
    if not math.isfinite(number := float(text)):
        raise ValueError(text)
    return number


def high_enough(table: ScoreTable, least: Limits) -> list[Ruling]:
    """A ruling for each system and limit."""
    wanted = {str(measure): value for measure, value in least.items()}
    return [
        at_least(system.system, score, wanted[score.measure], table.method)
        for system in table.systems
        for score in system.measures
        if score.measure in wanted
    ]


def by_people(options: ScoreOptions, rule: str, *, asked: bool) -> None:
    """Let no rule that goes by estimates rest on labels of language models.

    Raises
    ------
    UsageError
        If such labels are to help to say what is expected.
    """
    if asked and options.models:
        raise UsageError(f"{rule} goes by labels of people alone: leave --models or {rule} out")


def enforce(rulings: Sequence[Ruling], suite: str, file: Path | None) -> None:
    """Say what does not hold, write the file, and leave with 1, or with 5 if it is not known.

    Raises
    ------
    UsageError
        If a file is asked for and there is no rule.
    """
    if file is not None:
        if not rulings:
            raise UsageError("--junit is for rules: add --fail-under, --fail-if-worse, …")
        lines = junit(suite, rulings).removesuffix("\n").split("\n")
        write_lines(file, lines, force=_is_junit(file))
    outcomes = {one.outcome for one in rulings}
    for one in rulings:
        if one.outcome is not Outcome.PASSED:
            output.note(sentence(one))
    if Outcome.FAILED in outcomes:
        click.get_current_context().exit(ExitCode.NO)
    if Outcome.UNKNOWN in outcomes:
        click.get_current_context().exit(ExitCode.UNKNOWN)


def _is_junit(file: Path) -> bool:
    """Whether a file is an earlier one of these, which may go."""
    try:
        return "<testsuites><testsuite" in file.read_text("utf-8")[:200]
    except (OSError, UnicodeDecodeError):
        return False
