"""Scoring files without a project, and following other tools."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.actions.demo import write_files
from tests.cli.conftest import Run


@pytest.fixture
def files(folder: Path) -> Path:
    """The demo's files in a folder of their own."""
    write_files(folder / "data")
    return Path("data")


def test_files_are_scored_without_a_project(run: Run, files: Path) -> None:
    runs = [files / "runs" / f"{name}.run" for name in ("bm25_lucene", "lsa_200")]
    result = run("score", "--qrels", files / "qrels.txt", "--run", *runs, "--format", "json")
    assert result.code == 0
    table = json.loads(result.out)
    assert [one["system"] for one in table["systems"]] == ["bm25_lucene", "lsa_200"]
    assert table["method"]["rubric"]["name"] == "none, grades 0 to 3 of the qrels"
    assert not list(Path().glob("*.db"))


def test_the_same_files_give_the_same_numbers_in_a_project(
    run: Run, demo: Path, files: Path
) -> None:
    rules = ("-m", "nDCG@10,AP,P@5", "--like", "trec_eval", "--format", "json")
    names = ("bm25_lucene", "bm25plus_nostem", "tfidf_cosine", "ql_dirichlet", "lsa_200")
    runs = [files / "runs" / f"{name}.run" for name in names]
    here = json.loads(run("score", "--qrels", files / "qrels.txt", "--run", *runs, *rules).out)
    there = json.loads(run("-p", demo, "score", *rules).out)
    numbers = [
        {
            (system["system"], one["measure"]): (one["zero_filled"], one["condensed"])
            for system in table["systems"]
            for one in system["measures"]
        }
        for table in (here, there)
    ]
    assert numbers[0].keys() == numbers[1].keys()
    for key, value in numbers[0].items():
        assert value == pytest.approx(numbers[1][key], abs=1e-12)


@pytest.mark.parametrize(
    ("tool", "order"),
    [("trec_eval", "trec"), ("ranx", "score"), ("sklearn", "average"), ("ir_measures", "trec")],
)
def test_one_switch_sets_every_rule(run: Run, files: Path, tool: str, order: str) -> None:
    result = run("score", "--qrels", files / "qrels.txt", "--run", files / "runs/lsa_200.run",
                 "-m", "nDCG@10", "--like", tool, "--format", "json")  # fmt: skip
    method = json.loads(result.out)["method"]
    assert method["gain"] == "linear"
    assert method["ties"] == order
    assert method["empty_ideal"] == method["missing_queries"] == "zero"
    assert ("flatters" in method["ideal"]) == (tool == "sklearn")


def test_measures_that_a_tool_scores_in_another_order_say_so(run: Run, demo: Path) -> None:
    result = run(
        "-p", demo, "score", "--like", "ir_measures", "-m", "RBP(p=0.9),AP", "--format", "json"
    )
    table = json.loads(result.out)
    assert [one["measure"] for one in table["systems"][0]["measures"]] == ["RBP(p=0.9)", "AP"]
    assert table["method"]["ties"] == "score for RBP(p=0.9); trec for AP"
    assert table["systems"][0]["measures"][0]["residual"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--qrels", "data/qrels.txt"], "needs at least one --run"),
        (["--run", "data/runs/lsa_200.run"], "with --qrels FILE"),
        (["--qrels", "no", "--run", "data/runs/lsa_200.run"], "no: there is no such file"),
        (["--qrels", "data/qrels.txt", "--run", "data/queries.tsv"], "data/queries.tsv"),
        (["--like", "trec_eval", "--ties", "score"], "leave --ties out"),
        (["--like", "trec_evil"], "is not one of"),
        (["--qrels", "data/qrels.txt", "--run", "data/runs/lsa_200.run", "--system", "x"],
         "files have none"),
        (["--qrels", "data/qrels.txt", "--run", "data/runs/lsa_200.run", "-m", "AP",
          "--ties", "average"], "ties can be averaged for"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said_in_one_line(
    run: Run, files: Path, words: list[str], said: str
) -> None:
    assert files.is_dir()
    result = run("score", *words)
    assert result.code in (2, 3)
    assert result.out == ""
    assert said in result.err
    assert "Traceback" not in result.err


def test_scoring_files_loads_neither_sqlite_nor_the_screens(files: Path) -> None:
    program = (
        "import sys; from annotator.cli import main; "
        f"main(['score', '--qrels', '{files}/qrels.txt', '--run', '{files}/runs/lsa_200.run']); "
        "print([name for name in ('sqlite3', 'sqlite_utils', 'textual', 'rich') "
        "if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr.strip().splitlines()[-1] == "[]"


def test_run_files_are_compared_and_a_build_may_hang_on_it(run: Run, files: Path) -> None:
    runs = [files / "runs" / f"{name}.run" for name in ("ql_dirichlet", "lsa_200", "bm25_lucene")]
    given = "compare", "--qrels", files / "qrels.txt"
    two = run(*given, *runs[:2], "-m", "nDCG@10")
    assert two.code == 0
    assert "expected" in two.out
    assert run(*given, "--run", *runs[:2], "-m", "nDCG@10").out == two.out
    assert run(*given, runs[0], runs[1], "--fail-unless", "proved").code == 1
    every = run(*given, "--all", *runs, "--format", "json")
    assert len(json.loads(every.out)["comparisons"]) == 3
    assert not list(Path().glob("*.db"))


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["a.run"], "two runs, not 1"),
        (["a.run", "b.run", "c.run"], "two runs, not 3"),
        (["a.run", "b.run", "--system", "a"], "files have none"),
    ],
)
def test_what_makes_no_comparison_of_files_is_refused(
    run: Run, files: Path, arguments: list[str], why: str
) -> None:
    result = run("compare", "--qrels", files / "qrels.txt", *arguments)
    assert result.code == 2
    assert why in result.err
    assert run("compare", "--run", "a.run").code == 2
