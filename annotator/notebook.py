"""A project's numbers in a notebook: they show themselves as tables, and give columns and frames.

>>> from annotator import notebook
>>> scores = notebook.scores("judgments.db", "nDCG@10")  # doctest: +SKIP
>>> scores.frame()  # doctest: +SKIP
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from annotator.actions.comparisons import compare_all, compare_two
from annotator.actions.scoring import score
from annotator.errors import UsageError
from annotator.report.comparison_text import comparison_records, write_comparison
from annotator.report.matrix import write_matrix
from annotator.report.scoreboard_text import score_records, write_scoreboard
from annotator.report.tables import Cell, Format
from annotator.results.comparisons import ComparisonTable
from annotator.results.scores import ScoreTable
from annotator.scoring.options import ScoreOptions
from annotator.store import Project
from annotator.text.markup import element
from rubric import Measure
from rubric.frames import frame


@dataclass(frozen=True)
class Shown:
    """Results that a notebook shows as HTML: ``table`` are the numbers, ``html`` how they look.

    ``rows`` are those of ``--format csv --per-query``: one a query, with full numbers.
    """

    table: ScoreTable | ComparisonTable
    html: str
    rows: list[dict[str, Cell]]

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return self.html + element("p", f"Method: {self.table.line()}")

    def columns(self) -> dict[str, list[Cell]]:
        """The rows as columns, by name."""
        names = self.rows[0] if self.rows else {}
        return {name: [row[name] for row in self.rows] for name in names}

    def frame(self) -> Any:
        """The columns as a frame of pandas or polars.

        Raises
        ------
        RubricError
            If neither is installed.
        """
        return frame(self.columns())


def scores(
    project: str | Path, measures: str = "nDCG@10", options: ScoreOptions | None = None
) -> Shown:
    """Score a project's systems, as ``annotator score`` does.

    Raises
    ------
    AnnotatorError
        If the project cannot be read or scored.
    RubricError
        If a measure is not known.
    """
    with closing(Project.open(Path(project))) as opened:
        table = score(opened, _options(measures, options))
    return Shown(table, write_scoreboard(table, Format.HTML), score_records(table, per_query=True))


def compare(
    project: str | Path,
    *systems: str,
    measures: str = "nDCG@10",
    options: ScoreOptions | None = None,
) -> Shown:
    """Compare two systems, as ``annotator compare`` does; without names each with every other.

    Raises
    ------
    AnnotatorError
        If the project cannot be read, or it is not two systems that are named.
    RubricError
        If a measure is not known.
    """
    wanted = _options(measures, options)
    with closing(Project.open(Path(project))) as opened:
        if systems:
            first, second = _two(systems)
            table = compare_two(opened, first, second, wanted)
        else:
            table = compare_all(opened, wanted)
    write = write_comparison if systems else write_matrix
    return Shown(table, write(table, Format.HTML), comparison_records(table, per_query=True))


def _two(systems: tuple[str, ...]) -> tuple[str, str]:
    """The two that are compared.

    Raises
    ------
    UsageError
        If it is another number.
    """
    if len(systems) != 2:
        raise UsageError(f"a comparison is of two systems, or of all; not of {len(systems)}")
    return systems[0], systems[1]


def _options(measures: str, options: ScoreOptions | None) -> ScoreOptions:
    """These options, on these measures, which commas set apart."""
    return replace(options or ScoreOptions(), measures=tuple(Measure.parse_all(measures)))
