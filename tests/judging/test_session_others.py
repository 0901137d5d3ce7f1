"""What a session hears of labels that changed, by itself and by other assessors."""

from __future__ import annotations

from pathlib import Path

from annotator.actions.imports.qrels import import_qrels
from annotator.domain import Evidence
from annotator.store import Desk, Project
from tests.judging.sessions import grade, on_desk
from tests.projects import begin, labels_of, write


def test_a_pair_that_another_assessor_judged_meanwhile_is_skipped(project: Project) -> None:
    session = begin(project, "ann")
    assert session.changed() == []
    taken = session.cards[1]
    grade(begin(project, "ben", "q1"))  # the first
    Desk(project, "ben").say(taken.pair, grade=2)
    first = grade(session, 0)
    assert on_desk(session).pair == session.cards[2].pair
    assert session.changed() is None
    assert session.changed() == []
    assert labels_of(project) == {("q1", first.docid): 0, ("q1", taken.docid): 2}


def test_a_session_tells_which_labels_it_changed(project: Project) -> None:
    session = begin(project)
    card = grade(session, 2)
    assert session.changed() == [card._replace(grade=2, label=2)]
    session.undo()
    assert session.changed() == [card]
    assert session.changed() == []


def test_whoever_asks_for_changes_hears_of_others_at_once(project: Project) -> None:
    session = begin(project)
    Desk(project, "ben").say(on_desk(session).pair, grade=3)
    assert session.changed() is None
    assert (session.totals.judged, session.totals.labelled) == (0, 1)


def test_what_another_gave_is_on_no_card_that_is_open(project: Project) -> None:
    session = begin(project, "ann")
    pair = on_desk(session).pair
    Desk(project, "ben").say(pair, grade=3, note="telling", evidence=Evidence(0, 1))
    assert not session.catch_up()
    (card,) = [one for one in begin(project, "ann").cards if one.pair == pair]
    assert card == card._replace(grade=None, mark=None, note="", evidence=None)
    assert card.open


def test_a_grade_from_a_file_is_everybodys_and_need_not_be_given_again(
    project: Project, tmp_path: Path
) -> None:
    card = on_desk(begin(project, "ann"))
    import_qrels(project, write(tmp_path / "some.qrels", f"q1 0 {card.docid} 2\n"))
    for name in ("ann", "ben"):
        session = begin(project, name)
        assert session.totals.judged == 1
        assert on_desk(session).pair != card.pair
