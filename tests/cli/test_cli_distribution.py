"""Histograms and percentiles on the command line."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.projects import ROOT


def test_each_measure_has_its_histograms(run: Run, demo: Path) -> None:
    words = ("-p", demo, "score", "-m", "nDCG@3,P@5")
    out = run(*words, "--histogram").out
    assert out.count("0 to 1") == 2
    assert out.count("▇") >= 10
    assert max(map(len, out.splitlines())) <= 100
    assert "▇" not in run(*words).out


def test_a_terminal_without_unicode_gets_plain_bars(demo: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "annotator", "-p", demo, "score", "-m", "P@5", "--histogram"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=True,
    )
    out = done.stdout.decode("utf-8")
    assert "▇" not in out
    assert "0.00-0.10  #" in out


@pytest.mark.parametrize("form", ["json", "csv", "tsv"])
def test_programs_get_percentiles_not_drawings(run: Run, demo: Path, form: str) -> None:
    result = run("-p", demo, "score", "--histogram", "--format", form)
    assert (result.code, result.out) == (2, "")
    assert "p10, p25, median and p75" in result.err


def test_csv_has_every_percentile(run: Run, demo: Path) -> None:
    rows = csv.DictReader(run("-p", demo, "score", "--format", "csv").out.splitlines())
    for row in rows:
        spread = [float(row[key]) for key in ("p10", "p25", "median", "p75")]
        assert spread == sorted(spread)
