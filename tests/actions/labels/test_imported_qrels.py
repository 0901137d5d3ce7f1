"""Qrels become judgments; what the rubric or the file itself contradicts is refused by line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from annotator.actions.imports.qrels import import_qrels
from annotator.actions.imports.texts import import_queries
from annotator.actions.scoring import score
from annotator.domain import AssessorKind
from annotator.errors import InputError, UsageError
from annotator.formats import Hints
from annotator.scoring.options import ScoreOptions
from annotator.store import Project
from annotator.store.checks import check
from tests.actions.conftest import refused
from tests.actions.labels.conftest import qrels
from tests.projects import begin, contents, labels_of, pooled_project, write


def test_qrels_become_the_judgments_of_an_assessor_named_after_the_file(project: Project) -> None:
    found = import_qrels(project, qrels(project, "q1 0 d1 3\nq1 0 d2 0\n"))
    counts = {"rows": 2, "queries": 1, "assessor": "qrels", "judgments added": 2}
    assert found.facts == {**counts, "labels new": 2}
    assert labels_of(project) == {("q1", "d1"): 3, ("q1", "d2"): 0}
    (event, _) = project.judgments.events()
    assert (event.assessor_kind, event.blind) == (AssessorKind.IMPORTED, False)


def test_qrels_of_several_judges_are_links_of_the_log_like_any_label(project: Project) -> None:
    rows = [{"qid": "q1", "docid": f"d{n % 4}", "grade": n % 4, "judge": "ab"[n > 3]}
            for n in range(8)]  # fmt: skip
    lines = "".join(json.dumps(row) + "\n" for row in [*rows, *rows[:2]])
    found = import_qrels(project, qrels(project, lines))
    assert (found.facts["judgments added"], found.facts["repeated rows"]) == (8, 2)
    assert found.facts["assessors"] == "a, b"
    assert [(one.event, one.assessor) for one in project.judgments.events()] == [
        (number, "ab"[number > 4]) for number in range(1, 9)
    ]
    assert [one for one in check(project.file) if one.problems] == []


def test_the_same_qrels_twice_add_nothing(project: Project) -> None:
    path = qrels(project, "q1 0 d1 3\n")
    import_qrels(project, path)
    before = contents(project)
    found = import_qrels(project, path)
    assert found.facts["judgments stored already"] == 1
    assert contents(project) == before


def test_a_later_version_of_qrels_adds_what_changed(project: Project) -> None:
    import_qrels(project, qrels(project, "q1 0 d1 3\nq1 0 d2 1\n"))
    found = import_qrels(project, qrels(project, "q1 0 d1 2\nq1 0 d2 1\n"))
    assert found.facts["judgments added"] == 1
    assert labels_of(project) == {("q1", "d1"): 2, ("q1", "d2"): 1}


def test_grades_outside_the_rubric_are_refused_by_line_and_never_clamped(project: Project) -> None:
    path = qrels(project, "q1 0 d1 3\n\nq1 0 d2 4\nq1 0 d3 40\n")
    said = refused(project, lambda: import_qrels(project, path), InputError)
    assert f"{path}:3: grade 4 is outside the rubric general (0 to 3)" in said
    assert f"{path}:4:" in said
    assert "2 lines" in said
    scale = said.partition("for instance --grades ")[2].strip()
    assert scale == "3:3,4:3,40:3"
    found = import_qrels(project, path, hints=Hints.parse(grades=scale))
    assert found.facts["judgments added"] == 3


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("q,d,0.5\nq,e,1\nq,f,0\n", "grades are 0, 0.5, 1: say what .* --grades 0:0,0.5:2,1:3"),
        ("q,d,Good\nq,e,bad\n", "grades are bad, good: say what .* --grades bad:GRADE,good:GRADE"),
        ("q,d,4\nq,e,5\n", "grades are 4, 5: use a rubric that has them .* --grades 4:3,5:3"),
    ],
)
def test_grades_that_the_rubric_has_not_are_listed_with_what_to_type(
    project: Project, tmp_path: Path, rows: str, told: str
) -> None:
    path = write(tmp_path / "labels.csv", f"query,docid,rating\n{rows}")
    with pytest.raises(InputError) as caught:
        import_qrels(project, path)
    assert re.search(told, caught.value.details[-1])


def test_a_stray_word_among_whole_grades_is_a_fault_and_no_scale(project: Project) -> None:
    with pytest.raises(InputError) as caught:
        import_qrels(project, qrels(project, "q1 0 d1 1\nq1 0 d2 x\n"))
    assert len(caught.value.details) == 1


def test_decimal_grades_are_refused(project: Project) -> None:
    path = qrels(project, "q1 0 d1 1\nq1 0 d2 1.5\n")
    assert f"{path}:2:" in refused(project, lambda: import_qrels(project, path), InputError)


def test_bad_lines_are_told_in_the_order_of_the_file(project: Project) -> None:
    path = qrels(project, "q1 0 d1 9\nq1 0 d2 x\nq1 0 d3 9\n")
    said = refused(project, lambda: import_qrels(project, path), InputError)
    assert [line.split(":")[1] for line in said.splitlines()[1:]] == ["1", "2", "3"]


def test_negative_grades_leave_a_pair_unjudged_and_are_told(project: Project) -> None:
    found = import_qrels(project, qrels(project, "q1 0 d1 -1\nq1 0 d2 -2\nq1 0 d3 1\n"))
    assert found.facts["negative grades, left unjudged"] == 2
    assert "not judged" in found.warnings[0]
    assert labels_of(project) == {("q1", "d3"): 1}


def test_a_repeated_row_is_told_and_a_contradicting_one_refused(project: Project) -> None:
    found = import_qrels(project, qrels(project, "q1 0 d1 1\nq1 0 d1 1\n"))
    assert found.facts["repeated rows"] == 1
    path = qrels(project, "q1 0 d2 1\nq1 0 d3 1\nq1 0 d2 2\n")
    said = refused(project, lambda: import_qrels(project, path), InputError)
    assert f"{path}:3: grade 2 for a pair that line 1 gives 1" in said


def test_a_person_is_not_overwritten_by_a_file(project: Project) -> None:
    begin(project, "ann")
    path = qrels(project, "q1 0 d1 1\n")
    refused(project, lambda: import_qrels(project, path, assessor="ann"), UsageError)
    import_qrels(project, path, assessor="nist")
    assert project.judgments.labels(project.rubrics.counted()).assessors == ["nist"]


def test_unknown_queries_of_qrels_are_left_out_and_told(project: Project) -> None:
    import_queries(project, write(project.file.path.with_name("q.tsv"), "q1\tone\nq2\ttwo\n"))
    found = import_qrels(project, qrels(project, "q1 0 d1 1\nq9 0 d1 1\n"))
    assert found.facts["unknown queries"] == 1
    assert labels_of(project) == {("q1", "d1"): 1}


def test_documents_that_no_system_returned_count_in_the_ideal(project: Project) -> None:
    import_qrels(project, qrels(project, "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 0\nq1 0 d4 0\n"))
    before = score(project, ScoreOptions()).systems[0].measures[1].per_query[0]
    import_qrels(project, qrels(project, "q1 0 unseen 3\n", "more.txt"))
    after = score(project, ScoreOptions())
    query = after.systems[0].measures[1].per_query[0]
    assert before.value == pytest.approx(1.0)
    assert query.value == pytest.approx(1 / (7 + 1 / 1.584962500721156))
    assert (after.method.judged_pairs, after.method.pooled_judged) == (5, 4)


def test_qrels_of_documents_that_no_system_returned_are_told_to_be_strange(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "p.db", {"a": {"q1": ["7", "8"]}})
    warned = import_qrels(
        project, write(tmp_path / "own.qrels", "q1 0 d07 1\nq1 0 d9 1\n")
    ).warnings
    assert "none of its documents (d07, d9, …) was returned by a system (7, 8, …)" in warned[-1]
    assert "not the same: d07 and 7" in warned[-1]
    again = import_qrels(project, write(tmp_path / "more.qrels", "q1 0 7 1\nq1 0 x 1\n"))
    assert not any("returned by a system" in one for one in again.warnings)
