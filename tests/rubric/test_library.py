"""The library on what people hand in: kinds of numbers, ids, tables, names; clear refusals."""

from __future__ import annotations

import inspect
import math
import pydoc
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import rubric
from rubric import Gain, Measure, RubricError, Rules, compare_runs, score
from tests.projects import finished, start_python

QRELS = {"1": {"a": 3, "b": 0, "c": 1}, "2": {"d": 2, "e": 0}}
RUN = {"1": {"b": 3.0, "a": 2.0, "x": 1.0}, "2": {"e": 2.0, "d": 1.0}}


def numbers(found: dict[str, Any]) -> dict[str, list[float]]:
    return {name: scores.zero_filled.tolist() for name, scores in found.items()}


@pytest.mark.parametrize(
    "kind",
    [int, float, np.int8, np.int64, np.uint8, np.float32, np.float64, Fraction,
     lambda grade: np.array(grade)],
)  # fmt: skip
def test_whole_numbers_of_any_kind_are_grades(kind: Any) -> None:
    same = {qid: {docid: kind(grade) for docid, grade in of.items()} for qid, of in QRELS.items()}
    measures = ["nDCG@10", "AP", "R@2", "ERR", "P@1"]
    assert numbers(score(same, RUN, measures)) == numbers(score(QRELS, RUN, measures))


@pytest.mark.parametrize("kind", [bool, np.bool_])
def test_true_and_false_are_grades_1_and_0(kind: Any) -> None:
    qrels = {"1": {"a": kind(True), "b": kind(False)}}
    found = score(qrels, {"1": ["a", "b"]}, ["nDCG@2", "R@2", "AP"])
    assert [scores.value.tolist() for scores in found.values()] == [[1.0]] * 3


@pytest.mark.parametrize(
    "bad", [1.5, "1", None, math.nan, math.inf, [1], b"1", object, 10**400, np.nan, "high"]
)
def test_what_is_no_grade_is_refused_with_type_value_query_and_document(bad: Any) -> None:
    with pytest.raises(RubricError) as caught:
        score({"q7": {"doc9": bad}}, {"q7": ["doc9"]}, "P@1")
    said = str(caught.value)
    assert "'q7'" in said
    assert "'doc9'" in said
    assert type(bad).__name__ in said or "above 127" in said
    assert len(said) < 300


@pytest.mark.parametrize("bad", ["high", None, math.nan, math.inf, [1]])
def test_what_is_no_score_is_refused_with_query_and_document(bad: Any) -> None:
    with pytest.raises(RubricError, match="run, query '1', document 'a'"):
        score(QRELS, {"1": {"a": bad}}, "P@1")


def test_a_run_without_a_query_of_the_qrels_is_refused_with_both_sets_of_ids() -> None:
    with pytest.raises(RubricError) as caught:
        score({1: {"a": 1}, 2: {"b": 1}}, {"1": ["a"], "2": ["b"]}, "P@1")
    assert "('1', '2') is in the qrels (1, 2)" in str(caught.value)
    assert "int and str are not the same" in str(caught.value)
    with pytest.raises(RubricError, match="none of its queries"):
        compare_runs(QRELS, RUN, {"9": ["a"]}, "P@1")
    assert score({1: {2: 1}}, {1: [2]}, "P@1")["P@1"].value.tolist() == [1.0]


def test_pairs_of_document_and_score_are_a_ranking() -> None:
    pairs = {qid: list(of.items()) for qid, of in RUN.items()}
    as_lists = {qid: [list(pair) for pair in of.items()] for qid, of in RUN.items()}
    wanted = numbers(score(QRELS, RUN, "nDCG@10,AP"))
    assert numbers(score(QRELS, pairs, "nDCG@10,AP")) == wanted
    assert numbers(score(QRELS, as_lists, "nDCG@10,AP")) == wanted
    ids = {qid: np.array(list(of)) for qid, of in RUN.items()}
    assert numbers(score(QRELS, ids, "nDCG@10,AP")) == wanted


@pytest.mark.parametrize("bad", ["abc", 7, None, [("a", 1, 2)], [{"a": 1}], [("a", 1.0), "b"]])
def test_what_is_no_ranking_is_refused(bad: Any) -> None:
    with pytest.raises(RubricError, match="run, query '1'"):
        score(QRELS, {"1": bad}, "P@1")


@pytest.mark.parametrize("bad", [7, "text", [("1", "a", 1)]])
def test_what_is_no_dict_by_query_is_refused(bad: Any) -> None:
    with pytest.raises(RubricError, match="expected a dict by query, or a table"):
        score(bad, RUN, "P@1")
    with pytest.raises(RubricError, match="expected a dict by query, or a table"):
        score(QRELS, bad, "P@1")
    with pytest.raises(RubricError, match="expected grades by document"):
        score({"1": ["a"]}, RUN, "P@1")


def test_measures_are_text_or_measures_one_or_many_under_any_name() -> None:
    wanted = score(QRELS, RUN, ["nDCG@10"])["nDCG@10"].zero_filled.tolist()
    for asked in (
        "nDCG@10",
        "ndcg_cut_10",
        Measure("nDCG", 10),
        [Measure("nDCG", 10)],
        ("ndcg@10",),
    ):
        found = score(QRELS, RUN, asked)
        assert list(found) == ["nDCG@10"]
        for key in ("nDCG@10", "ndcg_cut_10", Measure("nDCG", 10)):
            assert found[key].zero_filled.tolist() == wanted  # type: ignore[index]
    assert list(score(QRELS, RUN, "map, P_5 mrr@10")) == ["AP", "P@5", "RR@10"]
    with pytest.raises(KeyError):
        score(QRELS, RUN, "AP")["P@5"]
    with pytest.raises(RubricError, match="none is named"):
        score(QRELS, RUN, [])


def test_rules_take_a_gain_by_its_name_and_refuse_what_is_none() -> None:
    assert Rules(gain="linear") == Rules(gain=Gain("linear"))  # type: ignore[arg-type]
    assert Measure("nDCG", 3, gain="0:1:3:7") == Measure.parse("nDCG@3(gain=0:1:3:7)")  # type: ignore[arg-type]
    for bad in ("bogus", 7, None):
        with pytest.raises(RubricError):
            Rules(gain=bad)  # type: ignore[arg-type]
    for threshold in (0, 128, 10**30, 1.5, "1", True):
        with pytest.raises(RubricError, match="threshold must be a grade from 1 to 127"):
            Rules(threshold=threshold)  # type: ignore[arg-type]
    for kind, table in (("bogus", ()), ("table", ()), ("linear", (0.0, 1.0))):
        with pytest.raises(RubricError, match="expected exponential, linear, or table"):
            Gain(kind, table)


def test_results_hold_the_ids_of_their_queries() -> None:
    found = score({9: {"a": 1}, "b": {"c": 0}}, {9: ["a"]}, "P@1,nDCG@3")
    for scores in found.values():
        assert scores.queries is not None
        assert scores.queries.tolist() == [9, "b"]


@pytest.mark.parametrize("seed", range(5))
def test_tie_rules_and_tools_are_those_of_the_tools(seed: int) -> None:
    chosen = np.random.default_rng(seed)
    names = [f"d{number}" for number in chosen.permutation(20).tolist()]
    qrels = {str(q): {d: int(chosen.integers(0, 3)) for d in names[::2]} for q in range(5)}
    run = {str(q): {d: int(chosen.integers(0, 4)) / 4 for d in names} for q in range(5)}
    asked = {"map": "AP", "ndcg_cut_10": "nDCG@10", "recip_rank": "RR", "P_5": "P@5"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut.10", "recip_rank", "P.5"})
    expected = theirs.evaluate(run)
    found = score(qrels, run, list(asked), like="trec_eval")
    same = score(qrels, run, list(asked), ties="trec", rules=Rules("linear", 1, True))  # type: ignore[arg-type]
    for name, ours in asked.items():
        wanted = pytest.approx([expected[qid][name] for qid in qrels], abs=1e-9)
        assert found[ours].zero_filled.tolist() == wanted
        assert same[ours].zero_filled.tolist() == wanted


def test_ties_stand_as_given_by_id_or_are_averaged() -> None:
    qrels, run = {"1": {"b": 1, "a": 0}}, {"1": {"a": 1.0, "b": 1.0, "c": 1.0}}

    def of(ties: str | None, measure: str = "R@1") -> float:
        return float(score(qrels, run, measure, ties=ties)[measure].zero_filled[0])

    assert [of(None, "RR"), of("score", "RR"), of("displayed", "RR")] == [0.5, 0.5, 0.5]
    assert [of("trec", "RR"), of("id", "RR")] == [0.5, 0.5]
    assert of("average") == pytest.approx(1 / 3)
    assert score(qrels, run, "RR@3", like="ir_measures")["RR@3"].zero_filled[0] == 0.5
    with pytest.raises(RubricError, match="expected displayed, score, trec, id, average"):
        of("best")
    with pytest.raises(RubricError, match="expected trec_eval, ir_measures, ranx, sklearn"):
        score(qrels, run, "RR", like="pytrec")
    with pytest.raises(RubricError, match="leave rules and ties out"):
        score(qrels, run, "RR", like="ranx", ties="trec")


def test_what_is_expected_lies_within_the_bounds_where_labels_can_carry_it() -> None:
    chosen = np.random.default_rng(1)
    qrels: dict[str, dict[str, int]] = {}
    run = {str(q): [f"d{at}" for at in range(20)] for q in range(30)}
    for qid, ranked in run.items():
        qrels[qid] = {d: int(chosen.random() < 0.8 / (at + 1)) for at, d in enumerate(ranked[::2])}
    found = score(qrels, run, "nDCG@10,P@5,AP", draws=50)
    for scores in found.values():
        assert scores.expected is not None
        low, high = scores.lower - 1e-9, scores.upper + 1e-9
        assert np.all((scores.expected >= low) & (scores.expected <= high))
        assert np.nanmean(scores.expected) > np.nanmean(scores.lower)
    assert score(qrels, run, "P@5")["P@5"].expected is None
    relevant = {qid: {d: 1 for d, grade in of.items() if grade} for qid, of in qrels.items()}
    assert score(relevant, run, "P@5", draws=50)["P@5"].expected is None


def test_the_scale_reaches_to_the_highest_grade_unless_told_otherwise() -> None:
    qrels, run = {"1": {"a": 1, "x": -1}}, {"1": ["a", "x"]}
    assert score(qrels, run, "nDCG@2")["nDCG@2"].lower[0] == pytest.approx(1.0)
    assert score(qrels, run, "nDCG@2", top=3)["nDCG@2"].lower[0] == pytest.approx(0.71, abs=1e-2)
    assert score({"1": {"a": 9}}, run, "nDCG@2")["nDCG@2"].value.tolist() != []
    with pytest.raises(RubricError, match="grade 9 is above 3"):
        score({"1": {"a": 9}}, run, "nDCG@2", top=3)


def test_tables_and_series_are_understood_without_asking_for_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [(qid, docid, grade) for qid, of in QRELS.items() for docid, grade in of.items()]
    qrels = pandas.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])
    scored = [(qid, docid, value) for qid, of in RUN.items() for docid, value in of.items()]
    run = pandas.DataFrame(scored, columns=["qid", "docno", "score"])
    wanted = numbers(score(QRELS, RUN, "nDCG@10,AP"))
    assert numbers(score(qrels, run, "nDCG@10,AP")) == wanted
    series = {qid: pandas.Series(of) for qid, of in QRELS.items()}
    assert numbers(score(series, run, "nDCG@10,AP")) == wanted
    lists = {qid: pandas.Series(list(of)).to_list() for qid, of in RUN.items()}
    assert numbers(score(series, lists, "nDCG@10,AP")) == wanted
    with pytest.raises(RubricError, match="the table has no column doc_id; it has: qid, x"):
        score(pandas.DataFrame([("1", "a")], columns=["qid", "x"]), RUN, "AP")
    assert "pandas" not in finished(
        start_python("import sys, rubric; rubric.score; print(*sys.modules)")
    )


def test_help_completion_and_star_import_show_all_that_is_public() -> None:
    names = rubric.__all__
    assert set(names) <= set(dir(rubric))
    space: dict[str, Any] = {}
    exec("from rubric import *", space)
    assert set(names) <= set(space)
    shown = pydoc.plain(pydoc.render_doc(rubric))
    for name in ("score", "compare_runs", "Measure", "Rules", "evaluate", "summarise"):
        assert f"{name}(" in shown or f"class {name}" in shown
    assert all(inspect.getdoc(getattr(rubric, name)) for name in ("score", "compare_runs"))


def test_the_library_has_the_version_of_the_program() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    assert f'version = "{rubric.__version__}"' in text
    loaded = finished(start_python("import sys, rubric; rubric.Rubric; print(*sys.modules)"))
    assert "numpy" not in loaded.split()


def test_a_threshold_above_every_grade_is_refused_unless_the_scale_is_given() -> None:
    """It must not change what a grade is worth in the measures beside it."""
    qrels, run = {"q": {"a": 1}}, {"q": ["a", "b"]}
    for measure in ("P@2(rel=3)", "RBP(rel=2)", "AP(rel=9)"):
        with pytest.raises(RubricError, match=r"only 0 to 1; top="):
            score(qrels, run, ["ERR", measure])
    with pytest.raises(RubricError, match=r"only 0 to 1; top="):
        score(qrels, run, ["P@2"], rules=Rules(threshold=2))
    assert score(qrels, run, ["P@2(rel=3)"], top=3)["P@2(rel=3)"].upper[0] == 0.5


GRADE = st.integers(-3, 3) | st.booleans() | st.sampled_from([2.0, -7, -(10**30)])


@settings(deadline=None, max_examples=150, derandomize=True)
@given(
    qrels=st.dictionaries(
        st.sampled_from("pq"), st.dictionaries(st.sampled_from("abcdef"), GRADE), min_size=1
    ),
    run=st.dictionaries(
        st.sampled_from("abcdefgh"), st.sampled_from([1.0, 1.00000001, 2.0, -3.5]), min_size=1
    ),
    ties=st.sampled_from(["score", "trec", "id", "displayed"]),
)
def test_dicts_of_plain_numbers_score_as_any_other_form_of_them(
    qrels: dict[str, dict[str, Any]], run: dict[str, float], ties: str
) -> None:
    others = {qid: np.array(list(run.items()), dtype=object).tolist() for qid in qrels}
    boxed = {
        qid: {docid: np.float64(grade) for docid, grade in grades.items()}
        for qid, grades in qrels.items()
    }
    measures = ["nDCG@3(gain=linear)", "P@2", "R", "AP", "Judged@3"]
    plain = score(qrels, dict.fromkeys(qrels, run), measures, top=3, ties=ties)
    other = score(boxed, others, measures, top=3, ties=ties)
    for name in measures:
        for kind in ("lower", "upper", "zero_filled", "condensed", "judged"):
            assert np.array_equal(
                getattr(plain[name], kind), getattr(other[name], kind), equal_nan=True
            )
