"""A comparison as text: what is proved, kept apart from what a test says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from annotator.actions.comparisons import compare_all, compare_two
from annotator.actions.imports.qrels import import_qrels
from annotator.report.comparison_text import write_comparison
from annotator.report.matrix import write_matrix
from annotator.report.tables import STANDARD, Format
from annotator.report.verdicts import FEW
from annotator.results.comparisons import ComparisonTable
from annotator.scoring.options import ScoreOptions
from annotator.store import Project
from rubric import Measure
from tests.projects import Rankings, pooled_project, qrels_lines, write

Grades = Mapping[tuple[str, str], int]


def project_of(folder: Path, grades: Grades, systems: Mapping[str, Rankings]) -> Project:
    project = pooled_project(folder / "judgments.db", systems)
    import_qrels(project, write(folder / "qrels.txt", qrels_lines(grades)))
    return project


def options(measure: str) -> ScoreOptions:
    return ScoreOptions(measures=(Measure.parse(measure),))


def compared(
    folder: Path, grades: Grades, systems: Mapping[str, Rankings], measure: str = "nDCG@10"
) -> ComparisonTable:
    return compare_two(project_of(folder, grades, systems), "a", "b", options(measure))


def said(table: ComparisonTable) -> str:
    return " ".join(write_comparison(table, Format.TABLE).split())


def test_a_proof_holds_where_documents_are_missing(tmp_path: Path) -> None:
    systems = {"a": {"q": ["d1", "x", "y"]}, "b": {"q": ["d2", "x", "y"]}}
    text = said(compared(tmp_path, {("q", "d1"): 3, ("q", "d2"): 0}, systems))
    assert "Proved on this query: a is ahead of b on nDCG@10, whatever the missing" in text
    assert "unjudged documents 2" in text


def test_the_better_system_is_named_whichever_comes_first(tmp_path: Path) -> None:
    systems = {"a": {"q": ["d2", "x"]}, "b": {"q": ["d1", "x"]}}
    text = said(compared(tmp_path, {("q", "d1"): 3, ("q", "d2"): 0}, systems))
    assert "b is ahead of a" in text
    assert "(difference -1.0000 to -0." in text


def test_what_is_wholly_judged_is_settled_and_the_test_stands_beside_it(tmp_path: Path) -> None:
    rankings = {"a": {"q1": ["d1"], "q2": ["d2"]}, "b": {"q1": ["d2", "d1"], "q2": ["d2"]}}
    grades = {("q1", "d1"): 1, ("q1", "d2"): 0, ("q2", "d2"): 1}
    text = said(compared(tmp_path, grades, rankings))
    assert (
        "Settled on these 2 queries: every document that counts is judged, and a is ahead of b "
        "on nDCG@10 (difference 0.1845). For queries like these in general: p = 1, the difference "
        "is not significant; 95% interval" in text
    )
    assert "~" not in text


def test_equal_systems_are_equal_whatever_is_unjudged(tmp_path: Path) -> None:
    rankings: dict[str, Rankings] = {"a": {"q": ["d1", "x"]}, "b": {"q": ["d1", "x"]}}
    text = said(compared(tmp_path, {("q", "d1"): 1}, rankings))
    assert "Equal on this query: a and b are equal on nDCG@10, whatever" in text
    grades = {("q", "d1"): 1, ("q", "x"): 0}
    (tmp_path / "judged").mkdir()
    text = said(compared(tmp_path / "judged", grades, rankings))
    assert "Settled on this query: every document that counts is judged, and a and b are" in text


def test_what_is_likely_enough_is_credible_and_not_proved(tmp_path: Path) -> None:
    qids = [f"q{number}" for number in range(20)]
    systems = {"a": {q: ["d1"] for q in qids}, "b": {q: ["d2", "x", "y"] for q in qids}}
    grades = {(q, d): g for q in qids for d, g in (("d1", 1), ("d2", 0), ("x", 0))}
    text = said(compared(tmp_path, grades, systems))
    assert "Credible on these 20 queries: a is ahead of b on nDCG@10, with a chance of" in text
    assert "on 60 labels and 20 unjudged documents." in text
    assert "from estimates: p < ~0.001" in text
    assert "the difference is significant" in text


@pytest.mark.parametrize(("more", "words"), [([], "1 more label"), (["y"], "2 more labels")])
def test_what_is_open_says_how_many_labels_it_may_take(
    tmp_path: Path, more: list[str], words: str
) -> None:
    systems = {"a": {"q": ["d1"]}, "b": {"q": ["x", *more]}}
    text = said(compared(tmp_path, {("q", "d1"): 1}, systems))
    assert f"Open, about {words}: perhaps " in text
    assert "is ahead of " in text
    assert "on nDCG@10, with a chance of" in text
    assert FEW in text
    assert "value —" in text


def test_an_open_ideal_is_said_where_no_compared_document_is_unjudged(tmp_path: Path) -> None:
    systems = {
        "a": {"q1": ["d1"], "q2": ["d2"]},
        "b": {"q1": ["d2"], "q2": ["d1"]},
        "c": {"q1": ["x"], "q2": ["x"]},
    }
    grades = {("q1", "d1"): 1, ("q1", "d2"): 0, ("q2", "d1"): 1, ("q2", "d2"): 0}
    text = said(compared(tmp_path, grades, systems, "nDCG@1"))
    assert "none of the documents compared is unjudged, but others of their queries are" in text
    assert "ideal open" in text


def test_a_measure_that_no_query_defines_decides_nothing(tmp_path: Path) -> None:
    systems: dict[str, Rankings] = {"a": {"q": ["d1"]}, "b": {"q": ["d2"]}}
    text = said(compared(tmp_path, {("q", "d1"): 0, ("q", "d2"): 0}, systems))
    assert "Open: nDCG@10 is defined for none of these queries." in text
    assert "nothing can be said" in text


def test_a_query_that_may_yet_count_is_told_apart(tmp_path: Path) -> None:
    systems = {"a": {"q1": ["d1"], "q2": ["x"]}, "b": {"q1": ["d2"], "q2": ["y"]}}
    text = said(compared(tmp_path, {("q1", "d1"): 3, ("q1", "d2"): 0}, systems, "nDCG@1"))
    assert "undefined queries 1" in text
    [line] = [one for one in comparison_lines(tmp_path, systems) if "undefined so far" in one]
    assert "q2" in line.split()
    assert "~" in line


def comparison_lines(folder: Path, systems: Mapping[str, Rankings]) -> list[str]:
    (folder / "again").mkdir()
    grades = {("q1", "d1"): 3, ("q1", "d2"): 0}
    table = compared(folder / "again", grades, systems, "nDCG@1")
    return write_comparison(table, Format.TABLE, per_query=True).splitlines()


def test_the_largest_wins_and_losses_come_first(tmp_path: Path) -> None:
    qids = [f"q{number}" for number in range(9)]
    firsts = {q: [*(f"n{rank}" for rank in range(at)), "d1"] for at, q in enumerate(qids)}
    systems = {"a": firsts, "b": {q: ["n0", "d1"] for q in qids}}
    grades = {(q, "d1"): 1 for q in qids}
    grades |= {(q, f"n{rank}"): 0 for q in qids for rank in range(9)}
    [one] = compared(tmp_path, grades, systems, "RR@10").pairs
    assert [query.query for query in one.largest(wins=True)] == ["q0"]
    assert [query.query for query in one.largest(wins=False)] == ["q8", "q7", "q6", "q5", "q4"]


def test_a_system_without_results_is_named(tmp_path: Path) -> None:
    systems = {"a": {"q1": ["d1"], "q2": ["d1"]}, "b": {"q1": ["d1"]}}
    text = said(compared(tmp_path, {("q1", "d1"): 1, ("q2", "d1"): 1}, systems))
    assert "without results of b 1" in text


@pytest.fixture
def all_pairs(tmp_path: Path) -> ComparisonTable:
    systems = {
        "worst": {"q": ["d2"]},
        "best": {"q": ["d1", "d2"]},
        "same": {"q": ["d1", "d2"]},
        "open": {"q": ["x"]},
    }
    project = project_of(tmp_path, {("q", "d1"): 3, ("q", "d2"): 1}, systems)
    return compare_all(project, options("DCG@1"))


def test_a_matrix_marks_each_verdict_and_reads_both_ways(all_pairs: ComparisonTable) -> None:
    text = write_matrix(all_pairs, Format.TABLE)
    assert text.startswith("best comes first of 4 systems: ")
    lines = text[text.index("differences") :].splitlines()
    rows = {line.split()[1]: line.split()[2:] for line in lines[3:7]}
    assert list(rows) == ["best", "same", "open", "worst"]
    assert (rows["best"][0], rows["best"][2]) == ("0.0000=", "6.0000!")
    assert rows["worst"][:2] == ["-6.0000!", "-6.0000!"]
    assert "!" not in rows["open"][0]
    assert rows["open"][0].startswith("~")


def test_a_matrix_explains_its_marks_and_its_p_values(all_pairs: ComparisonTable) -> None:
    text = " ".join(write_matrix(all_pairs, Format.TABLE).split())
    assert "Row minus column, on these queries. Marked ! is proved" in text
    assert "adjusted (Holm) for all 6 pairs" in text
    assert "Method: first minus second" in text


@pytest.mark.parametrize("form", STANDARD)
def test_every_form_carries_the_method_and_no_nan(all_pairs: ComparisonTable, form: Format) -> None:
    by_fingerprint = form in (Format.CSV, Format.TSV)
    for write_it in (write_comparison, write_matrix):
        text = write_it(all_pairs, form, per_query=True)
        words = (
            [all_pairs.made()["fingerprint"]] if by_fingerprint else ["exponential", "bootstrap"]
        )
        assert all(word in text for word in words)
        assert "nan" not in text.lower()
