from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.actions import journal
from annotator.actions.found import Found
from annotator.actions.importing import import_queries
from annotator.actions.journal import export_judgments, import_judgments
from annotator.actions.labelling import export_qrels, import_qrels
from annotator.actions.scoring import score
from annotator.errors import AnnotatorError, InputError, UsageError
from annotator.formats import Hints
from annotator.records import AssessorKind
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project, staged_grades
from annotator.store.checks import check
from rubric import Rubric
from tests.projects import (
    begin,
    contents,
    general,
    import_systems,
    labels_of,
    new_project,
    pair_number,
    pooled_project,
    qrels_lines,
    write,
)

SYSTEMS = {"alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}, "beta": {"q1": ["d4"]}}
PER_QUERY = ScoreOptions()


@pytest.fixture(autouse=True)
def few_rows_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that even small files are staged in several batches, each of several statements."""
    monkeypatch.setattr(staged_grades, "BATCH", 3)
    monkeypatch.setattr(staged_grades, "AT_ONCE", 2)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)


def qrels(project: Project, text: str, name: str = "qrels.txt") -> Path:
    return write(project.file.path.with_name(name), text)


def refused(project: Project, act: Callable[[], Found], error: type[AnnotatorError]) -> str:
    """Do what must be refused without any change; all that was said."""
    before = contents(project)
    with pytest.raises(error) as caught:
        act()
    assert contents(project) == before
    return "\n".join([caught.value.message, *caught.value.details])


def scores(project: Project) -> object:
    return score(project, PER_QUERY).to_dict(per_query=True)["systems"]


def test_qrels_become_the_judgments_of_an_assessor_named_after_the_file(project: Project) -> None:
    found = import_qrels(project, qrels(project, "q1 0 d1 3\nq1 0 d2 0\n"))
    assert found.facts == {"rows": 2, "queries": 1, "assessor": "qrels", "judgments added": 2}
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


def test_bad_lines_are_told_in_the_order_of_the_file(project: Project) -> None:
    path = qrels(project, "q1 0 d1 9\nq1 0 d2 x\nq1 0 d3 9\n")
    said = refused(project, lambda: import_qrels(project, path), InputError)
    assert [line.split(":")[1] for line in said.splitlines()[1:]] == ["1", "2", "3"]


def test_decimal_grades_are_refused(project: Project) -> None:
    path = qrels(project, "q1 0 d1 1\nq1 0 d2 1.5\n")
    assert f"{path}:2:" in refused(project, lambda: import_qrels(project, path), InputError)


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
    before = score(project, PER_QUERY).systems[0].measures[1].per_query[0]
    import_qrels(project, qrels(project, "q1 0 unseen 3\n", "more.txt"))
    after = score(project, PER_QUERY)
    query = after.systems[0].measures[1].per_query[0]
    assert before.value == pytest.approx(1.0)
    assert query.value == pytest.approx(1 / (7 + 1 / 1.584962500721156))
    assert (after.method.judged_pairs, after.method.pooled_judged) == (5, 4)


def second_rubric() -> Rubric:
    return replace(general(), version=2, instructions="Anew.")


@pytest.fixture
def judged(project: Project) -> Project:
    """Two assessors, two rubric versions, regrades, undos, marks, notes, and labels of a file."""
    import_qrels(project, qrels(project, "q1 0 unseen 2\n"))
    ann, ben = begin(project, "ann"), begin(project, "ben", "q2")
    for session in (ann, ben):
        assert session.card
        session.grade(session.card.pair, 3)
        session.later(session.card.pair)
    ann.undo()
    ann.undo()
    version = project.rubrics.add(second_rubric(), project.now())
    project.rubrics.put_in_force(version, project.now())
    ann, ben = begin(project, "ann"), begin(project, "ben")
    for grade in (0, 3, 1):
        assert ann.card
        ann.grade(ann.card.pair, grade)
    ann.undo()
    assert ann.card
    ann.note(ann.card.pair, 'odd "text" 🎯\nof two lines')
    ann.cannot_judge(ann.card.pair, "broken")
    assert ben.card
    ben.back()
    ben.grade(ben.card.pair, 2)
    return project


def exported(project: Project, name: str = "log.jsonl") -> Path:
    lines = "".join(line + "\n" for line in export_judgments(project))
    return write(project.file.path.with_name(name), lines)


def test_a_restored_log_gives_the_same_log_labels_and_scores(
    judged: Project, tmp_path: Path
) -> None:
    other = new_project(tmp_path / "other.db")
    found = import_judgments(other, exported(judged))
    assert found.facts["entries added"] == judged.judgments.last_event()
    assert list(other.judgments.events()) == list(judged.judgments.events())
    assert list(export_judgments(other)) == list(export_judgments(judged))
    assert len(labels_of(judged)) == 3
    assert labels_of(other) == labels_of(judged)
    import_systems(other, SYSTEMS)
    assert scores(other) == scores(judged)


def test_a_restored_log_can_be_undone_as_the_first_could(judged: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other.db")
    import_judgments(other, exported(judged))
    for _ in range(judged.judgments.last_event()):
        for who in ("ann", "ben"):
            Desk(judged, who).undo()
            Desk(other, who).undo()
        assert labels_of(other) == labels_of(judged)
    assert list(labels_of(other)) == []


def test_restoring_a_log_twice_adds_nothing(judged: Project, tmp_path: Path) -> None:
    log = exported(judged)
    before = contents(judged)
    found = import_judgments(judged, log)
    assert (found.facts["entries added"], found.facts["entries stored already"]) == (
        0,
        judged.judgments.last_event(),
    )
    assert contents(judged) == before


def test_labels_that_do_not_say_when_they_were_made_are_stored_once(project: Project) -> None:
    log = qrels(
        project,
        '{"qid": "q1", "docid": "d1", "grade": 2}\n{"qid": "q1", "docid": "d2", "grade": 0}\n',
        "elsewhere.jsonl",
    )
    assert import_judgments(project, log).facts["entries added"] == 2
    before = contents(project)
    found = import_judgments(project, log)
    assert (found.facts["entries added"], found.facts["entries stored already"]) == (0, 2)
    assert contents(project) == before


def test_entries_made_in_the_same_moment_are_told_apart(project: Project, tmp_path: Path) -> None:
    frozen = project.clock()
    project.clock = lambda: frozen
    desk, pair = Desk(project, "ann"), pair_number(project, "q1", "d1")
    for _ in range(3):
        desk.say(pair, grade=1)
        desk.undo()
    other = new_project(tmp_path / "other.db")
    for added in (6, 0):
        assert import_judgments(other, exported(project)).facts["entries added"] == added
    desk.say(pair, grade=1)
    for added in (1, 0):
        assert import_judgments(other, exported(project)).facts["entries added"] == added
    assert list(other.judgments.events()) == list(project.judgments.events())


def test_a_longer_log_adds_only_its_new_entries(project: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other.db")
    desk = Desk(project, "ann")
    desk.say(pair_number(project, "q1", "d1"), grade=1)
    import_judgments(other, exported(project))
    desk.undo()
    desk.say(pair_number(project, "q1", "d1"), grade=2)
    assert import_judgments(other, exported(project)).facts["entries added"] == 2
    assert list(other.judgments.events()) == list(project.judgments.events())


def changed_log(project: Project, **changes: object) -> Path:
    """The log of one graded pair, with its entry changed."""
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=1)
    header, line = export_judgments(project)
    entry = json.loads(line) | changes
    return write(project.file.path.with_name("log.jsonl"), f"{header}\n\n{json.dumps(entry)}\n")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"grade": 4}, "grade 4 is outside the rubric general"),
        ({"grade": -1}, "grade -1 is outside the rubric general"),
        ({"rubric": "sha256:none"}, "rubric sha256:none is not known"),
        ({"undoes": 99}, "speaks of entry 99"),
        ({"undoes": 1}, "speaks of entry 1"),
        ({"mark": "later"}, "a grade or a mark"),
        ({"at": "yesterday"}, "a time in UTC"),
    ],
)
def test_an_entry_that_does_not_fit_is_refused_by_line(
    project: Project, changes: dict[str, object], reason: str
) -> None:
    log = changed_log(project, **changes)
    said = refused(project, lambda: import_judgments(project, log), InputError)
    assert f"{log}:3: " in said
    assert reason in said


def test_an_entry_that_is_there_twice_is_refused(project: Project) -> None:
    log = changed_log(project)
    log.write_text(log.read_text() + log.read_text().splitlines()[-1])
    said = refused(project, lambda: import_judgments(project, log), InputError)
    assert f"{log}:4: entry 1 is there twice" in said


def test_a_log_whose_rubric_was_changed_is_refused(project: Project) -> None:
    log = changed_log(project)
    log.write_text(log.read_text().replace("Marginal", "Perfect"))
    said = refused(project, lambda: import_judgments(project, log), InputError)
    assert "does not fit its fingerprint" in said


def test_a_log_with_another_text_of_a_stored_rubric_is_refused(
    project: Project, tmp_path: Path
) -> None:
    other = new_project(tmp_path / "other.db", replace(general(), instructions="Other."))
    import_systems(other, SYSTEMS)
    log = changed_log(other)
    refused(project, lambda: import_judgments(project, log), UsageError)


def test_exported_qrels_give_the_same_labels(judged: Project, tmp_path: Path) -> None:
    lines = "".join(line + "\n" for line in export_qrels(judged))
    assert lines == qrels_lines(labels_of(judged))
    other = new_project(tmp_path / "other.db")
    import_qrels(other, write(tmp_path / "out.txt", lines))
    assert labels_of(other) == labels_of(judged)


def test_labels_of_one_assessor_can_be_exported(judged: Project) -> None:
    ben = judged.judgments.assessors()["ben"]
    (line,) = export_qrels(judged, assessors=[ben])
    assert line.endswith(" 2")


def test_a_log_that_would_not_fit_into_memory_is_refused_and_says_what_to_do(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "MOST_ENTRIES", 2)
    lines = [json.dumps({"qid": "q1", "docid": f"d{n}", "grade": 1}) for n in range(3)]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(InputError, match="more than 2 entries, and a log is held in memory"):
        import_judgments(project, path)
    path.write_text("\n".join(lines[:2]))
    assert import_judgments(project, path).facts["entries added"] == 2


def test_qrels_of_documents_that_no_system_returned_are_told_to_be_strange(tmp_path: Path) -> None:
    project = pooled_project(tmp_path / "p.db", {"a": {"q1": ["7", "8"]}})
    warned = import_qrels(
        project, write(tmp_path / "own.qrels", "q1 0 d07 1\nq1 0 d9 1\n")
    ).warnings
    assert "none of its documents (d07, d9, …) was returned by a system (7, 8, …)" in warned[-1]
    assert "not the same: d07 and 7" in warned[-1]
    again = import_qrels(project, write(tmp_path / "more.qrels", "q1 0 7 1\nq1 0 x 1\n"))
    assert not any("returned by a system" in one for one in again.warnings)


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
