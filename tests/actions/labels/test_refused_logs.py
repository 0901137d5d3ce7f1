"""A log whose entries do not fit, or that is too long, is refused with its line or its reason."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.actions.imports import log as journal
from annotator.actions.imports.log import export_judgments, import_judgments
from annotator.errors import InputError, UsageError
from annotator.store import Desk, Project
from tests.actions.conftest import refused
from tests.actions.labels.conftest import SYSTEMS
from tests.projects import general, import_systems, labels_of, new_project, pair_number, write


def changed_log(project: Project, **changes: object) -> Path:
    """The log of one graded pair, with its entry changed."""
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=1)
    header, line = export_judgments(project)
    entry = (
        {"identity": ""}
        | {key: value for key, value in json.loads(line).items() if key != "identity"}
        | changes
    )
    return write(project.file.path.with_name("log.jsonl"), f"{header}\n\n{json.dumps(entry)}\n")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"grade": 4}, "grade 4 is outside the rubric general"),
        ({"grade": -1}, "grade -1 is outside the rubric general"),
        ({"rubric": "sha256:none"}, "rubric sha256:none is not known"),
        ({"undoes": "99ab"}, "speaks of entry 99ab, and none before it"),
        ({"mark": "later"}, "a grade or a mark"),
        ({"at": "yesterday"}, "at must be a time such as"),
    ],
)
def test_an_entry_that_does_not_fit_is_refused_by_line(
    project: Project, changes: dict[str, object], reason: str
) -> None:
    log = changed_log(project, **changes)
    said = refused(project, lambda: import_judgments(project, log), InputError)
    assert f"{log}:3: " in said
    assert reason in said


def test_an_entry_that_speaks_of_one_of_another_pair_is_refused(project: Project) -> None:
    desk = Desk(project, "ann")
    desk.say(pair_number(project, "q1", "d1"), grade=1)
    desk.say(pair_number(project, "q1", "d2"), grade=1)
    header, first, second = export_judgments(project)
    changed = json.loads(second) | {"identity": "", "undoes": json.loads(first)["identity"]}
    log = write(
        project.file.path.with_name("log.jsonl"), f"{header}\n{first}\n{json.dumps(changed)}"
    )
    said = refused(project, lambda: import_judgments(project, log), InputError)
    assert f"{log}:3: it speaks of entry" in said


def test_entries_of_an_export_that_was_edited_are_new_entries_and_counted(
    project: Project, tmp_path: Path
) -> None:
    desk = Desk(project, "ann")
    desk.say(pair_number(project, "q1", "d1"), grade=1)
    desk.undo()
    desk.say(pair_number(project, "q1", "d2"), grade=2)
    text = "\n".join(export_judgments(project)).replace('"ann"', '"eve"')
    found = import_judgments(project, write(tmp_path / "edited.jsonl", text))
    assert found.facts["entries added"] == 3
    assert any("3 entries were changed since the export" in one for one in found.warnings)
    events = list(project.judgments.events())
    assert events[4].undoes == events[3].identity
    assert labels_of(project) == {("q1", "d2"): 2}


def test_an_entry_that_is_there_twice_is_one_entry(project: Project) -> None:
    log = changed_log(project)
    log.write_text(log.read_text() + log.read_text().splitlines()[-1])
    other = new_project(log.with_name("other.db"))
    import_systems(other, SYSTEMS)
    assert import_judgments(other, log).facts["entries added"] == 1


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
