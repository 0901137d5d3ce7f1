"""Tables for papers: the best is bold, letters name who is surely worse, and it compiles."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def rows(text: str) -> list[list[str]]:
    """The cells of each row below the heading."""
    body = text.split("\\midrule\n")[1].split("\\bottomrule")[0]
    return [line.removesuffix(r" \\").split(" & ") for line in body.splitlines()]


def test_the_letters_are_those_of_systems_that_are_proved_or_credibly_worse(
    run: Run, demo: Path
) -> None:
    measures = ("nDCG@10", "P@5")
    found = rows(run("-p", demo, "score", "-m", ",".join(measures), "--format", "latex").out)
    letter = {name.replace("\\_", "_"): sign for sign, name, *_ in found}
    for at, measure in enumerate(measures, start=2):
        words = ("compare", "--all", "-m", measure, "--format", "json")
        pairs = json.loads(run("-p", demo, *words).out)["comparisons"]
        for _, name, *cells in found:
            system = name.replace("\\_", "_")
            worse = set()
            for one in pairs:
                ahead, behind = one["first"], one["second"]
                if one["estimate"] < 0:
                    ahead, behind = behind, ahead
                if ahead == system and one["verdict"] in ("proved", "credible"):
                    worse.add(letter[behind])
            letters = re.search(r"\\mathrm\{(\w+)\}", cells[at - 2])
            assert set(letters[1] if letters else "") == worse


def test_the_best_scores_are_bold_and_no_others(run: Run, demo: Path) -> None:
    found = rows(run("-p", demo, "score", "--format", "latex").out)
    scores = json.loads(run("-p", demo, "score", "--format", "json").out)["systems"]
    for at in range(2):
        points = {one["system"]: one["measures"][at]["expected"] for one in scores}
        best = max(points.values())
        for _, name, *cells in found:
            bold = cells[at].startswith("\\textbf{")
            assert bold == (points[name.replace("\\_", "_")] == best)


def test_comparisons_have_a_row_a_pair(run: Run, demo: Path) -> None:
    found = rows(run("-p", demo, "compare", "--all", "--format", "latex").out)
    assert len(found) == 10
    assert {len(row) for row in found} == {7}
    out = run("-p", demo, "compare", "lsa_200", "bm25_lucene", "--format", "latex").out
    assert [row[2] for row in rows(out)] == ["nDCG@3", "nDCG@10"]
    assert "adjusted (Holm)" not in out


def test_files_have_such_tables_too(run: Run, small: Path) -> None:
    words = ("--qrels", "labels.txt", "a.run", "b.run", "--format", "latex")
    assert len(rows(run("score", *words).out)) == 2
    assert len(rows(run("compare", *words).out)) == 2


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_the_tables_compile_whatever_systems_are_called(run: Run, small: Path) -> None:
    for name in ("a_b^c~d\\e", "100%&#$", "{x}[y]", "--"):
        assert run("import", "run", "a.run", "--name", name).code == 0
    Path("scores.tex").write_text(run("score", "--format", "latex").out)
    Path("pairs.tex").write_text(run("compare", "--all", "--format", "latex").out)
    Path("paper.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}"
        "\\input{scores}\\input{pairs}\\end{document}"
    )
    words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
