from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.actions.history import history
from annotator.actions.imports.log import export_judgments, import_judgments
from annotator.actions.imports.qrels import export_losses, import_qrels
from annotator.actions.imports.texts import import_documents
from annotator.actions.scoring import score
from annotator.actions.status import status
from annotator.scoring.options import ScoreOptions
from annotator.store import Desk, Project
from annotator.tui.messages import state
from tests.projects import labels_of, new_project, pair_number, pooled_project, write


def texts(project: Project, replace: bool = False, **of: str) -> list[str]:
    lines = [json.dumps({"docid": docid, "text": text}) for docid, text in of.items()]
    path = write(project.file.path.with_name("texts.jsonl"), "\n".join(lines))
    return import_documents(project, path, replace=replace).warnings


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two documents with texts, graded, and one graded while it had none."""
    made = pooled_project(tmp_path / "judgments.db", {"a": {"q1": ["d1", "d2", "d3"]}})
    texts(made, d1="one", d2="two")
    for docid in ("d1", "d2", "d3"):
        Desk(made, "ann").say(pair_number(made, "q1", docid), grade=2)
    texts(made, d3="three")
    return made


def earlier(project: Project) -> tuple[int, int, list[str]]:
    said = [entry.document for entry in history(project) if entry.earlier_text]
    method = score(project, ScoreOptions()).method
    assert ("of an earlier text" in method.line()) == bool(method.earlier_text)
    return status(project).earlier_text, method.earlier_text, said


def test_labels_of_the_text_that_is_there_are_not_marked(project: Project) -> None:
    assert earlier(project) == (0, 0, [])
    texts(project, d1="another")  # is left out
    assert earlier(project) == (0, 0, [])


def test_labels_of_a_replaced_text_count_and_are_marked_everywhere(project: Project) -> None:
    before = labels_of(project)
    said = texts(project, replace=True, d1="another", d2="two")
    assert any("1 document was judged by the text that was replaced" in one for one in said)
    assert earlier(project) == (1, 1, ["d1"])
    assert labels_of(project) == before
    assert "1 label is of an earlier text of a document" in export_losses(project)
    assert "1 label of an earlier text" in score(project, ScoreOptions()).method.line()


def test_judging_the_new_text_or_taking_back_the_old_one_ends_it(project: Project) -> None:
    texts(project, replace=True, d1="another")
    Desk(project, "ann").say(pair_number(project, "q1", "d1"), grade=1)
    assert earlier(project) == (0, 0, ["d1"])  # the log still tells of the first
    texts(project, replace=True, d1="one")
    assert earlier(project)[:2] == (1, 1)


def test_a_note_on_an_earlier_label_does_not_renew_it(project: Project) -> None:
    texts(project, replace=True, d1="another")
    Desk(project, "ann").note(pair_number(project, "q1", "d1"), "seen")
    assert earlier(project) == (1, 1, ["d1", "d1"])


def test_a_log_says_which_text_was_judged_wherever_it_goes(
    project: Project, tmp_path: Path
) -> None:
    log = write(tmp_path / "log.jsonl", "\n".join(export_judgments(project)))
    other = new_project(tmp_path / "other.db")
    import_judgments(other, log)
    assert earlier_labels(other) == 0
    texts(other, d1="another", d2="two")
    assert earlier_labels(other) == 1


def earlier_labels(project: Project) -> int:
    return status(project).earlier_text


def test_labels_from_elsewhere_are_of_no_known_text(tmp_path: Path) -> None:
    project = new_project(tmp_path / "judgments.db")
    import_qrels(project, write(tmp_path / "qrels", "q1 0 d1 1\n"))
    texts(project, d1="one")
    assert earlier_labels(project) == 0


def test_the_desk_knows_a_label_of_an_earlier_text_until_the_new_one_is_judged(
    project: Project,
) -> None:
    desk = Desk(project, "ann")

    def marked() -> list[str]:
        return [card.docid for card in desk.cards(1) if card.earlier]

    assert marked() == []
    texts(project, replace=True, d1="another")
    assert marked() == ["d1"]
    desk.note(pair_number(project, "q1", "d1"), "seen")
    assert marked() == ["d1"]
    (card,) = (card for card in desk.cards(1) if card.earlier)
    assert "graded 2 when it had another text; another grade replaces it" in state(card)
    desk.say(pair_number(project, "q1", "d1"), grade=1)
    assert marked() == []
