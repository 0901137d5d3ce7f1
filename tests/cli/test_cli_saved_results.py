"""Two results that were saved as JSON: what changed, and a warning where they do not compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.cli import main
from tests.projects import run_lines, write

RUN = {"q1": ["a", "b", "c"], "q2": ["d", "e"]}
LATER = {"q1": ["b", "a", "c"], "q2": ["d", "e"]}
QRELS = "q1 0 a 1\nq1 0 b 0\nq1 0 c 0\nq2 0 d 1\nq2 0 e 0\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def saved(
    capsys: pytest.CaptureFixture[str],
    name: str,
    run: dict[str, list[str]],
    *options: str,
    qrels: str = QRELS,
) -> str:
    write(Path("bm25.run"), run_lines(run))
    write(Path("l.qrels"), qrels)
    capsys.readouterr()
    typed = ["score", "--qrels", "l.qrels", "--run", "bm25.run", "-m", "RR@10", "--format", "json"]
    assert main([*typed, *options]) == 0
    Path(name).write_text(capsys.readouterr().out, encoding="utf-8")
    return name


def compared(capsys: pytest.CaptureFixture[str], *args: str, code: int = 0) -> tuple[str, str]:
    capsys.readouterr()
    assert main(["compare", *args]) == code
    shown = capsys.readouterr()
    return shown.out, shown.err


def test_two_results_of_one_benchmark_are_put_side_by_side_without_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, new = saved(capsys, "old.json", RUN), saved(capsys, "new.json", LATER)
    out, err = compared(capsys, old, new)
    assert out.splitlines()[-1].split() == ["bm25", "RR@10", "1.0000", "0.7500", "-0.2500"]
    assert err == ""
    found = json.loads(compared(capsys, old, new, "--format", "json")[0])
    assert found["unlike"] == []
    assert found["changes"][0]["change"] == -0.25


@pytest.mark.parametrize(
    ("options", "qrels", "warned"),
    [
        ([], QRELS + "q3 0 f 1\n", "other queries (2 before, 3 now)"),
        ([], QRELS.replace("b 0", "b 1"), "other labels (5 before, 5 now)"),
        (["--ties", "score"], QRELS, "order of ties: displayed before"),
        (["--missing-queries", "exclude"], QRELS, "queries without results: zero before"),
        (["--rubric", "general"], QRELS, "other rubrics"),
        (["--like", "trec_eval"], QRELS, "tool whose rules are followed: none before"),
    ],
)
def test_results_that_are_not_of_one_benchmark_are_warned_of(
    options: list[str], qrels: str, warned: str, capsys: pytest.CaptureFixture[str]
) -> None:
    old = saved(capsys, "old.json", RUN)
    new = saved(capsys, "new.json", RUN, *options, qrels=qrels)
    out, err = compared(capsys, old, new)
    assert warned in err
    assert "bm25" in out


def test_weights_that_differ_are_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    old = saved(capsys, "old.json", RUN)
    weights = str(write(Path("w.tsv"), "q1\t1\nq2\t3\n"))
    new = saved(capsys, "new.json", RUN, "--weights", weights)
    assert "weigh otherwise" in compared(capsys, old, new)[1]


def test_options_that_would_change_nothing_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    old = saved(capsys, "old.json", RUN)
    err = compared(capsys, old, old, "-m", "P@5", "--ties", "score", code=2)[1]
    assert "leave out --measures, --ties" in err or "leave out --ties, --measures" in err


@pytest.mark.parametrize(
    "text", ["{}", "[]", "3", "{", '{"method": {}, "systems": [{"system": 1}]}', "[" * 100_000]
)
def test_what_is_no_result_is_a_sentence(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    old = saved(capsys, "old.json", RUN)
    Path("odd.json").write_text(text, encoding="utf-8")
    err = compared(capsys, old, "odd.json", code=3)[1]
    assert err.startswith("annotator: odd.json: no result of `annotator score --format json`")
    assert len(err.splitlines()) == 1
