"""Run files against qrels: equal to pytrec_eval for every query and shared measure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotator.actions.files.scores import compare_files, score_files
from annotator.errors import InputError, UsageError
from annotator.rubric_files import load
from annotator.scoring.options import RULES, Like, ScoreOptions
from rubric import Measure, Verdict
from tests.peers import TREC_EVAL, assert_equal_to_pytrec_eval

DATA = Path(__file__).parents[1] / "data"
COLLECTIONS = {
    "cranfield": "qrels.0-3.txt",
    "dl-hard": "qrels.passage.txt",
    "trec-covid-r1": "qrels.rnd1.txt",
}
RUNS = [(name, run.name) for name in COLLECTIONS for run in sorted((DATA / name).glob("runs/*"))]


@pytest.mark.parametrize(("name", "run"), RUNS)
def test_real_runs_score_as_in_pytrec_eval(name: str, run: str) -> None:
    folder = DATA / name
    assert assert_equal_to_pytrec_eval(folder / COLLECTIONS[name], folder / "runs" / run) > 20


def test_trec_evals_own_test_files_score_as_in_pytrec_eval() -> None:
    folder = DATA / "trec_eval"
    assert assert_equal_to_pytrec_eval(folder / "qrels.test", folder / "results.test") > 2


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_random_files_with_ties_and_negative_grades_score_as_in_pytrec_eval(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("random")
    qrels, run = [], []
    for query in ("q1", "q2", "q10"):
        documents = [f"d{number}" for number in range(data.draw(st.integers(1, 14)))]
        grades = data.draw(
            st.lists(
                st.sampled_from([None, None, -1, 0, 0, 1, 2, 3]),
                min_size=len(documents), max_size=len(documents),
            )
        )  # fmt: skip
        judged = [(d, g) for d, g in zip(documents, grades, strict=True) if g is not None]
        assume(any(grade >= 0 for _, grade in judged))
        qrels += [f"{query} 0 {document} {grade}" for document, grade in judged]
        ranked = data.draw(st.permutations(documents))[: data.draw(st.integers(0, 14))]
        scores = [data.draw(st.sampled_from([1.5, 2.0, 3.25, 1e-3, 16777216.0])) for _ in ranked]
        run += [f"{query} Q0 {d} 1 {s} t" for d, s in zip(ranked, scores, strict=True)]
    assume(run)
    (folder / "qrels").write_text("\n".join(qrels) + "\n")
    (folder / "run").write_text("\n".join(run) + "\n")
    assert_equal_to_pytrec_eval(folder / "qrels", folder / "run")


def test_a_run_without_a_common_query_is_named_not_scored_as_zeros(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("051 0 a 1\n")
    (tmp_path / "run").write_text("51 Q0 a 1 2.0 t\n")
    with pytest.raises(InputError, match=r"none of its queries \(51\) is in .* \(051\)"):
        score_files(tmp_path / "qrels", [("run", tmp_path / "run")], TREC_EVAL)


def test_a_grade_outside_a_named_rubric_is_refused_by_line(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 4\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n")
    files = tmp_path / "qrels", [("run", tmp_path / "run")]
    with pytest.raises(InputError) as caught:
        score_files(*files, ScoreOptions(), load("general"))
    assert ":1: grade 4 is outside the rubric general (0 to 3)" in caught.value.details[0]
    table, _ = score_files(*files, ScoreOptions())
    assert table.method.rubric["name"] == "none, grades 0 to 4 of the qrels"


def test_what_is_odd_about_the_files_is_said(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b -1\n2 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 0 2 t\n1 Q0 a 0 1 t\n1 Q0 c 0 1 t\n3 Q0 a 0 1 t\n")
    _, said = score_files(tmp_path / "qrels", [("run", tmp_path / "run")], TREC_EVAL)
    everything = "\n".join(said)
    for part in (
        "1 row has no grade or one below 0",
        "1 query is not in the qrels, so left out: 3",
        "came twice",
        "1 query of the qrels has no results",
        "ordered by score",
    ):
        assert part in everything


def test_bounds_take_in_the_pools_unjudged_rows_and_the_runs_own_top(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 3\n1 0 p -1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 3 t\n1 Q0 x 2 2 t\n1 Q0 y 3 1 t\n")
    options = ScoreOptions(measures=(Measure("R", 2), Measure("Judged", 2)))
    table, _ = score_files(tmp_path / "qrels", [("run", tmp_path / "run")], options)
    recall, judged = (one.summary for one in table.systems[0].measures)
    assert recall.lower == pytest.approx(1 / 3)  # p turns out relevant, x does not
    assert recall.upper == pytest.approx(2 / 3)  # x turns out relevant
    assert judged.value == 0.5


@pytest.mark.parametrize("grades", ["01", "02", "13"])
@pytest.mark.parametrize("over", [1, 7])
def test_a_threshold_above_the_scale_is_refused(tmp_path: Path, grades: str, over: int) -> None:
    """It would change what a grade is worth in other measures; a rubric names a longer scale."""
    low, top = map(int, grades)
    qrels, run = _two_queries(tmp_path, low, top)
    above = top + over
    for name in ("RBP", "P@2", "RR", "AP", "R@2", "F@3", "Hit@1", "Rprec", "bpref", "infAP"):
        for measure, threshold in [(name, above), (_with_level(name, above), None)]:
            options = ScoreOptions(measures=(Measure.parse(measure),), threshold=threshold)
            for make in (score_files, compare_files):
                with pytest.raises(UsageError, match=f"no grade {above}, only 0 to {top}; .*--rub"):
                    make(qrels, [("t", run), ("u", run)], options)
    options = ScoreOptions(measures=(Measure.parse("P@2"),), threshold=3)
    table, _ = score_files(qrels, [("t", run)], options, load("general"))
    assert table.systems[0].measures[0].summary.upper is not None


def test_by_the_rules_of_a_tool_a_level_above_the_scale_is_0_and_nothing_is_expected(
    tmp_path: Path,
) -> None:
    qrels, run = _two_queries(tmp_path, 0, 1)
    measures = tuple(map(Measure.parse, ["P@2(rel=2)", "R@2(rel=2)", "P@3(rel=9)", "nDCG@2"]))
    for tool in Like:
        options = replace(ScoreOptions(measures=measures, like=tool), **RULES[tool])
        table, _ = score_files(qrels, [("t", run), ("u", run)], options)
        data = table.to_dict(per_query=True)
        assert data["neighbours"] == []
        assert data["method"]["expected"] is None
        for score in data["systems"][0]["measures"]:
            assert score["expected"] == score["value"]
            assert score["zero_filled"] == 0 or score["measure"] == "nDCG@2"
            assert score["upper"] > 0


def test_where_nothing_is_open_nothing_is_drawn_and_all_is_settled(tmp_path: Path) -> None:
    qrels, run = _two_queries(tmp_path, 0, 1)
    options = ScoreOptions(measures=(Measure.parse("P@1"), Measure.parse("nDCG@1")))
    table, _ = score_files(qrels, [("t", run), ("u", run)], options)
    assert table.method.expected is None
    assert {one.verdict for one in table.neighbours} == {Verdict.EQUAL}
    for score in table.systems[0].measures:
        assert score.summary.value == score.summary.expected == 1
        assert score.summary.expected95 == (1, 1)


def _two_queries(folder: Path, low: int, top: int) -> tuple[Path, Path]:
    """Qrels of two queries, and a run whose second place is not judged for one of them."""
    qrels, run = folder / "qrels", folder / "run"
    qrels.write_text(f"1 0 a {top}\n1 0 b {low}\n2 0 a {top}\n")
    run.write_text("1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 2 t\n2 Q0 new 2 1 t\n")
    return qrels, run


def _with_level(measure: str, level: int) -> str:
    return f"{measure}(rel={level})"
