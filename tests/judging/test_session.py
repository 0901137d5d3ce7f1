from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from annotator.actions.pooling import make_pool
from annotator.errors import ProjectError, UsageError
from annotator.judging import SavedError, Session
from annotator.pooling.presentation import presentation_key, shuffling
from annotator.records import Card, Mark
from annotator.store import Desk, Project
from annotator.store.judgments import JudgmentTable
from tests.projects import (
    begin,
    contents,
    import_systems,
    labels_of,
    new_project,
    open_project,
    pooled_project,
)

SYSTEMS = {
    "alpha": {"q1": ["d1", "d2", "d3", "d4"], "q2": ["d1", "d5"], "q3": ["d6"]},
    "beta": {"q1": ["d4", "d7"], "q2": ["d5"]},
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return pooled_project(tmp_path / "judgments.db", SYSTEMS)


def on_desk(session: Session) -> Card:
    assert session.card is not None
    return session.card


def grade(session: Session, grade: int = 1) -> Card:
    """Grade the card on the desk; which it was."""
    card = on_desk(session)
    assert session.grade(card.pair, grade)
    return card


def place(session: Session) -> tuple[str, str]:
    assert session.query
    return session.query.qid, on_desk(session).docid


def met_by_grading(session: Session) -> list[tuple[str, str]]:
    met = []
    while session.card:
        met.append(place(session))
        grade(session)
    return met


def at(session: Session, docid: str) -> Card:
    """Go back and forth to a document of the query on the desk."""
    while session.back():
        pass
    while on_desk(session).docid != docid:
        assert session.forward()
    return on_desk(session)


def events(project: Project) -> int:
    return project.judgments.last_event()


def test_grading_goes_through_each_query_in_the_order_of_presentation(project: Project) -> None:
    def presented(qid: str, docids: list[str]) -> list[tuple[str, str]]:
        ordered = sorted(docids, key=lambda docid: presentation_key(0, qid, docid))
        return [(qid, docid) for docid in ordered]

    assert met_by_grading(begin(project)) == [
        *presented("q1", ["d1", "d2", "d3", "d4", "d7"]),
        *presented("q2", ["d1", "d5"]),
        *presented("q3", ["d6"]),
    ]


def test_the_order_tells_nothing_of_the_systems(project: Project, tmp_path: Path) -> None:
    other = new_project(tmp_path / "other.db")
    import_systems(
        other,
        {
            "gamma": {"q1": ["d7", "d3", "d2", "d1", "d4"], "q2": ["d5", "d1"]},
            "delta": {"q3": ["d6"]},
        },
    )
    make_pool(other, 10)
    assert met_by_grading(begin(other)) == met_by_grading(begin(project))


def test_an_extension_leaves_the_order_of_the_others_as_it_was(project: Project) -> None:
    before = [card.docid for card in begin(project).cards]
    import_systems(project, {"gamma": {"q1": [f"n{number}" for number in range(10)]}})
    make_pool(project, 10)
    after = [card.docid for card in begin(project).cards]
    assert len(after) == 15
    assert [docid for docid in after if docid in before] == before
    assert after[:5] != before


def test_orders_differ_between_queries_and_seeds() -> None:
    def order(seed: int, qid: str) -> list[int]:
        return sorted(range(20), key=lambda at: presentation_key(seed, qid, f"d{at}"))

    assert order(0, "q1") != order(0, "q2")
    assert order(0, "q1") != order(1, "q1")


def test_what_is_worth_the_same_is_shuffled_by_seed_query_and_document_alone() -> None:
    def order(seed: int, query: int, documents: list[int]) -> list[int]:
        numbers = np.array(documents, dtype=np.int32)
        ways = shuffling(seed, np.full_like(numbers, query), numbers).argsort()
        return list(map(int, numbers[ways]))

    rising = list(range(1, 201))
    ways = [order(0, 1, rising), order(0, 2, rising), order(1, 1, rising)]
    assert len(set(map(tuple, [rising, *ways]))) == 4
    assert all(abs(np.corrcoef(rising, way)[0, 1]) < 0.2 for way in ways)
    assert order(0, 1, rising[::-1]) == ways[0]
    assert order(0, 1, rising[::2]) == [one for one in ways[0] if one % 2]


def test_what_is_said_of_another_pair_than_the_one_on_the_desk_is_not_stored(
    project: Project,
) -> None:
    session = begin(project)
    stale = grade(session).pair
    card, before = session.card, contents(project)
    assert not session.grade(stale, 3)
    assert not session.later(stale)
    assert not session.cannot_judge(stale, "broken")
    assert not session.note(stale, "text")
    assert session.card == card
    assert contents(project) == before


@pytest.mark.parametrize("wrong", [-1, 4, 10])
def test_a_grade_outside_the_rubric_is_refused(project: Project, wrong: int) -> None:
    session = begin(project)
    with pytest.raises(UsageError, match="0 to 3"):
        session.grade(on_desk(session).pair, wrong)
    assert events(project) == 0


def test_what_was_put_aside_comes_back_when_nothing_else_is_left(project: Project) -> None:
    session = begin(project)
    aside = place(session)
    assert session.later(on_desk(session).pair)
    assert session.totals.later == 1
    met = met_by_grading(session)
    assert met[-1] == aside
    assert met.count(aside) == 1
    assert session.totals.later == 0


def test_the_last_document_may_be_put_aside_again_and_again(project: Project) -> None:
    session = begin(project)
    last = session.totals.open - 1
    for _ in range(last):
        grade(session)
    for _ in range(3):
        pair = on_desk(session).pair
        assert session.later(pair)
        assert on_desk(session).pair == pair


def test_what_cannot_be_judged_does_not_come_back_and_stays_unjudged(project: Project) -> None:
    session = begin(project)
    card = on_desk(session)
    assert session.cannot_judge(card.pair, "in a language I cannot read")
    assert card.docid not in [docid for qid, docid in met_by_grading(session) if qid == "q1"]
    assert (session.totals.cannot, session.totals.open) == (1, 0)
    assert ("q1", card.docid) not in labels_of(project)
    assert at(session, card.docid).note == "in a language I cannot read"


def test_a_note_keeps_grade_and_card(project: Project) -> None:
    session = begin(project)
    card = grade(session, 2)
    session.back()
    assert session.note(card.pair, "second thoughts")
    assert on_desk(session) == card._replace(grade=2, note="second thoughts", given=1)
    assert labels_of(project) == {("q1", card.docid): 2}
    assert session.note(card.pair, "")
    assert on_desk(session).grade == 2


def test_a_note_on_an_open_card_leaves_it_open_and_stays_when_it_is_graded(
    project: Project,
) -> None:
    session = begin(project)
    pair = on_desk(session).pair
    session.note(pair, "hm")
    assert on_desk(session).pair == pair
    assert on_desk(session).open
    card = grade(session, 1)
    session.back()
    assert on_desk(session) == card._replace(grade=1)


def test_undo_takes_back_one_thing_after_another(project: Project) -> None:
    session = begin(project)
    card = on_desk(session)
    states = [card]
    session.note(card.pair, "first")
    states.append(on_desk(session))
    acts: list[Callable[[], object]] = [
        lambda: session.later(card.pair),
        lambda: session.grade(card.pair, 3),
        lambda: session.grade(card.pair, 1),
        lambda: session.cannot_judge(card.pair, "broken"),
    ]
    for act in acts:
        act()
        states.append(at(session, card.docid))
    said = events(project)
    for state in reversed(states[:-1]):
        undone = session.undo()
        assert undone is not None
        assert undone == session.card
        assert undone._replace(given=0) == state._replace(given=0)
    assert events(project) == said + 5
    assert session.undo() is None
    assert events(project) == said + 5
    assert labels_of(project) == {}


def test_undo_works_over_a_restart_and_puts_the_card_on_the_desk(project: Project) -> None:
    session = begin(project)
    first, second = grade(session, 3), grade(session, 2)
    again = begin(open_project(project.file.path))
    assert again.undo() == second
    assert begin(open_project(project.file.path)).card == second
    assert again.undo() == first
    assert begin(open_project(project.file.path)).card == first
    assert labels_of(project) == {}
    assert grade(again, 0) == first
    assert labels_of(project) == {("q1", first.docid): 0}


def test_undo_takes_back_only_what_the_same_assessor_said(project: Project) -> None:
    grade(begin(project, "ann"), 3)
    assert begin(project, "ben").undo() is None
    assert len(labels_of(project)) == 1


def test_grading_again_keeps_the_history(project: Project) -> None:
    session = begin(project)
    card = grade(session, 1)
    session.back()
    grade(session, 3)
    assert labels_of(project) == {("q1", card.docid): 3}
    assert [event.grade for event in project.judgments.events()] == [1, 3]


def test_a_restart_goes_on_after_the_last_grade(project: Project) -> None:
    session = begin(project)
    for _ in range(3):
        grade(session)
    assert place(begin(project)) == place(session)


def test_a_session_may_start_in_a_named_query(project: Project) -> None:
    assert place(begin(project, qid="q2"))[0] == "q2"
    with pytest.raises(UsageError, match="query q9 is not in the pool"):
        begin(project, qid="q9")


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
    assert session.changed() == [card._replace(grade=2)]
    session.undo()
    assert session.changed() == [card]
    assert session.changed() == []


def test_when_all_is_judged_nothing_is_on_the_desk(project: Project) -> None:
    session = begin(project)
    last = met_by_grading(session)[-1]
    assert (session.card, session.document(), session.position) == (None, None, (0, 1))
    assert session.totals.open == 0
    assert not session.grade(1, 3)
    assert session.back()
    assert place(session) == last
    assert begin(project).card is None


def test_what_was_finished_can_be_undone(project: Project) -> None:
    session = begin(project)
    last = met_by_grading(session)[-1]
    session.undo()
    assert place(session) == last


def test_looking_around_stops_at_both_ends_of_the_pool(project: Project) -> None:
    session = begin(project)
    assert not session.back()
    seen = [place(session)]
    while session.forward():
        seen.append(place(session))
    assert len(set(seen)) == len(seen) == 8
    assert events(project) == 0


def test_an_empty_pool_has_nothing_on_the_desk(tmp_path: Path) -> None:
    session = begin(new_project(tmp_path / "empty.db"))
    assert session.card is None
    assert session.query is None
    assert session.totals.pooled == 0
    assert not session.forward()
    assert session.undo() is None


def test_a_card_stays_on_the_desk_while_the_pool_grows(project: Project) -> None:
    session = begin(project)
    session.forward()
    before = on_desk(session)
    import_systems(project, {"gamma": {"q1": [f"n{number}" for number in range(10)]}})
    make_pool(project, 10)
    assert session.note(before.pair, "seen")
    assert on_desk(session) == before._replace(note="seen")
    assert len(session.cards) == 15


def test_a_card_stays_on_the_desk_if_it_cannot_be_stored(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(project)
    card = on_desk(session)

    def fail(*_: object, **__: object) -> int:
        raise ProjectError("the disk is full; nothing was saved")

    acts: list[Callable[[], object]] = [
        lambda: session.grade(card.pair, 3),
        lambda: session.later(card.pair),
        lambda: session.cannot_judge(card.pair, "why"),
        lambda: session.note(card.pair, "text"),
    ]
    with monkeypatch.context() as broken:
        broken.setattr(JudgmentTable, "add", fail)
        for act in acts:
            with pytest.raises(ProjectError):
                act()
            assert session.card == card
            assert session.changed() == []
    assert events(project) == 0
    assert grade(session, 3) == card


def test_times_are_taken_from_when_the_card_was_shown(project: Project) -> None:
    seconds = iter([0.0, *(10.0 * step for step in range(1, 40))])
    session = Session(Desk(project, "ann"), clock=lambda: next(seconds))
    session.start()
    for _ in range(4):
        grade(session)
    assert session.pace() is None
    grade(session)
    assert session.pace() == 10.0
    (event, *_) = project.judgments.events()
    assert (event.seconds, event.position, event.blind) == (10.0, 1, True)


def test_marks_hold_for_the_assessor_who_made_them(project: Project) -> None:
    ann = begin(project, "ann")
    card = on_desk(ann)
    ann.cannot_judge(card.pair, "unreadable to me")
    ben = begin(project, "ben")
    assert on_desk(ben) == card
    grade(ben, 2)
    again = next(one for one in begin(project, "ann").cards if one.pair == card.pair)
    assert (again.grade, again.mark) == (2, Mark.CANNOT)
    assert begin(project, "ann").totals.cannot == 0


def test_a_note_or_undo_does_not_make_an_old_grade_the_latest(project: Project) -> None:
    ann, ben = begin(project), Desk(project, "ben")
    pair = on_desk(ann).pair
    qid = ann.query.qid if ann.query else ""
    docid = on_desk(ann).docid
    ann.grade(pair, 1)
    ben.say(pair, grade=3)
    assert ann.back()
    assert ann.note(pair, "seen")
    assert labels_of(project)[qid, docid] == 3
    ann.grade(pair, 2)
    assert labels_of(project)[qid, docid] == 2
    ann.undo()
    assert labels_of(project)[qid, docid] == 3


def test_what_is_stored_is_never_told_as_not_saved(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(project)
    card = on_desk(session)

    def unreadable(*_: object) -> list[Card]:
        raise ProjectError("the file is locked")

    with monkeypatch.context() as broken:
        broken.setattr(Desk, "version", unreadable)
        with pytest.raises(SavedError, match="saved, but what is next cannot be read"):
            session.grade(card.pair, 2)
    assert events(project) == 1
    assert session.card == card


def test_whoever_asks_for_changes_hears_of_others_at_once(project: Project) -> None:
    session = begin(project)
    Desk(project, "ben").say(on_desk(session).pair, grade=3)
    assert session.changed() is None
    assert session.totals.judged == 1
