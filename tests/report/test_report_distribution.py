"""Histograms of the scores of queries."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from annotator.report.distribution import Bars, write_distribution
from annotator.report.scoreboard_text import write_scoreboard
from annotator.report.tables import Format
from annotator.results.scores import MeasureScore, QueryScore, ScoreTable, SystemScore
from rubric import Summary
from tests.report.test_report_scoreboard import METHOD


def measured(points: Sequence[float | None], *, settled: bool = True) -> MeasureScore:
    queries = tuple(
        QueryScore(str(at), point if settled else None, point, point, None, point, point, 0, "yes")
        for at, point in enumerate(points)
    )
    value = 0.5 if settled else None
    summary = Summary(value, 0.0, 1.0, 0.5, 0.5, 0.1, 0.2, 0.3, 0.4, None, 1.0, 0, len(points), 0)
    return MeasureScore("nDCG@10", summary, 0, queries)


def drawn(points: Sequence[float | None], bars: Bars = Bars.BLOCKS, *, settled: bool = True) -> str:
    return write_distribution([("sys", measured(points, settled=settled))], Format.TABLE, bars)


def test_each_bin_has_a_bar_as_high_as_its_share() -> None:
    points = [0.05] * 5 + [0.15] * 3 + [0.95] + [1.0] * 4
    assert "▇▃·······▇" in drawn(points)
    assert "0 to 1" in drawn(points)


def test_the_undefined_has_no_bar_and_no_system_falls_out() -> None:
    text = drawn([None, None])
    assert "··········" in text
    assert text.splitlines()[-1].split()[2:] == ["—", "0.1000", "0.2000", "0.3000", "0.4000", "—"]


def test_ends_and_percentiles_stand_beside_it_marked_where_open() -> None:
    row = drawn([0.25, 0.75]).splitlines()[-1].split()
    assert row[2:] == ["0.2500", "0.1000", "0.2000", "0.3000", "0.4000", "0.7500"]
    assert drawn([0.25, 0.75], settled=False).count("°") == 6


def test_a_measure_above_one_has_a_wider_scale() -> None:
    text = drawn([0.0, 12.5])
    assert "0 to 12.5" in text
    assert "▇········▇" in text


def test_plain_bars_are_ascii_with_counts() -> None:
    text = drawn([0.05, 0.05, 0.95], Bars.PLAIN)
    assert text.isascii()
    assert f"0.00-0.10  {'#' * 40} 2" in text
    assert f"0.90-1.00  {'#' * 20} 1" in text


@pytest.mark.parametrize("form", [Format.TABLE, Format.MARKDOWN])
def test_a_scoreboard_has_them_only_when_asked(form: Format) -> None:
    table = ScoreTable(METHOD, (SystemScore("sys", (measured([0.5]),)),))
    assert "▇" in write_scoreboard(table, form, bars=Bars.BLOCKS)
    assert "▇" not in write_scoreboard(table, form)
