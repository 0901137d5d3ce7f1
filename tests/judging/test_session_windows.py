"""One person in several windows: each takes back its own, and shows what holds."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from annotator.domain import Mark
from annotator.errors import NotTakenBackError
from annotator.judging import Session
from annotator.store import Desk, Project
from annotator.store.presence import LEASE
from tests.judging.sessions import events, grade, on_desk
from tests.projects import begin, labels_of, open_project, start_python


@pytest.fixture
def windows(project: Project) -> tuple[Session, Session]:
    """The same person twice, with the same document on both desks."""
    return begin(project), begin(open_project(project.file.path))


Say = Callable[[Session, int], object]
WAYS: dict[str, tuple[Say, str]] = {
    "grade": (lambda window, pair: window.grade(pair, 0), "said 0 of this document"),
    "the same grade": (lambda window, pair: window.grade(pair, 3), "said 3 of this document"),
    "later": (lambda window, pair: window.later(pair), "put this document aside"),
    "cannot": (lambda window, pair: window.cannot_judge(pair, "x"), "cannot be judged"),
    "note": (lambda window, pair: window.note(pair, "hm"), "hm"),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_was_said_in_another_window_since_stays_and_is_named(
    project: Project, windows: tuple[Session, Session], way: str
) -> None:
    one, other = windows
    say, words = WAYS[way]
    card = grade(one, 3)
    assert say(other, card.pair)
    said, held = events(project), labels_of(project)
    with pytest.raises(NotTakenBackError, match=f"{words}.*in another window since"):
        one.undo()
    assert events(project) == said
    assert labels_of(project) == held
    assert one.undo() is None  # it is passed over


@pytest.mark.parametrize("way", WAYS)
def test_each_window_takes_back_its_own(
    project: Project, windows: tuple[Session, Session], way: str
) -> None:
    one, other = windows
    say, _ = WAYS[way]
    first = grade(one, 3)
    second = on_desk(one)
    assert other.reopen(second.query, second.pair)
    assert say(other, second.pair)
    undone = one.undo()
    assert undone
    assert (undone.pair, undone.grade) == (first.pair, 3)
    assert one.undo() is None
    undone = other.undo()
    assert undone
    assert undone.pair == second.pair
    assert other.undo() is None
    assert labels_of(project) == {}


def test_what_another_window_said_and_took_back_holds_up_no_undo(
    project: Project, windows: tuple[Session, Session]
) -> None:
    one, other = windows
    card = grade(one, 3)
    other.grade(card.pair, 0)
    assert other.undo()
    assert labels_of(project) == {("q1", card.docid): 3}
    assert one.undo()
    assert labels_of(project) == {}


def test_what_was_taken_back_in_another_window_is_not_taken_back_twice(project: Project) -> None:
    one = begin(project)
    card = grade(one, 1)
    one.reopen(card.query, card.pair)
    grade(one, 3)
    other = begin(open_project(project.file.path))
    assert other.undo()
    with pytest.raises(NotTakenBackError, match="took it back in another window"):
        one.undo()
    assert labels_of(project) == {("q1", card.docid): 1}
    assert one.undo()
    assert labels_of(project) == {}


def test_a_desk_shows_what_was_said_in_another_window(windows: tuple[Session, Session]) -> None:
    one, other = windows
    card = grade(one, 3)
    assert other.catch_up()
    assert on_desk(other).grade == 3
    assert not other.catch_up()
    other.grade(card.pair, 0)
    assert one.back()
    assert on_desk(one).grade == 0
    other.reopen(card.query, card.pair)
    other.note(card.pair, "of the other")
    assert one.catch_up()
    assert on_desk(one).note == "of the other"
    one.grade(card.pair, 2)
    one.reopen(card.query, card.pair)
    assert (on_desk(one).grade, on_desk(one).note) == (2, "of the other")
    assert on_desk(one).mark is not Mark.LATER


def test_a_grade_keeps_the_note_that_another_window_has_just_written(
    windows: tuple[Session, Session],
) -> None:
    one, other = windows
    card = on_desk(one)
    other.note(card.pair, "just now")
    one.grade(card.pair, 2)
    one.reopen(card.query, card.pair)
    assert on_desk(one).note == "just now"


def test_what_was_said_before_in_another_window_that_is_open_is_not_taken_back(
    project: Project,
) -> None:
    first, second = Desk(project, "ann"), Desk(open_project(project.file.path), "ann")
    first.arrive()
    pair = first.cards(first.queries()[0])[0].pair
    first.say(pair, grade=3)
    late = Desk(open_project(project.file.path), "ann")
    late.arrive()
    assert [one.host for one in late.other_windows()] == [socket.gethostname()]
    with pytest.raises(NotTakenBackError, match="you have another open"):
        late.undo()
    first.leave()
    assert late.other_windows() == []
    assert late.undo()
    assert second.other_windows() != []
    assert labels_of(project) == {}


def test_a_window_that_was_killed_is_not_taken_for_an_open_one(project: Project) -> None:
    script = (
        "import os, sys; from pathlib import Path; from annotator.store import Desk, Project\n"
        "Desk(Project.open(Path(sys.argv[1])), 'ann').arrive(); print('there', flush=True)\n"
        "sys.stdin.read()"
    )
    here = Desk(project, "ann")
    other = start_python(script, project.file.path)
    assert other.stdout
    assert other.stdout.readline() == "there\n"
    assert len(here.other_windows()) == 1
    assert Desk(project, "ben").other_windows() == []
    other.kill()
    other.communicate()
    assert here.other_windows() == []
    here.arrive()
    here.leave()
    assert project.file.tuples("SELECT * FROM presence") == []


def test_a_window_on_another_machine_is_taken_to_be_open_for_hours(project: Project) -> None:
    here = Desk(project, "ann")
    with project.file.writing():
        project.file.execute(
            "INSERT INTO presence (assessor_id, host, process, began, since)"
            " SELECT id, 'elsewhere', 1, '', ? FROM assessor",
            (project.now(),),
        )
    assert [one.host for one in here.other_windows()] == ["elsewhere"]
    late = project.clock() + LEASE
    project.clock = lambda: late
    assert here.other_windows() == []


@pytest.mark.parametrize("name", ["ANN", "an n", "\uff41\uff4e\uff4e", "Ann."])
def test_names_that_look_alike_are_told_until_one_has_spoken(project: Project, name: str) -> None:
    assert Desk(project, name).look_alikes() == []
    grade(begin(project, "ann"))
    for other in (name, "anna"):
        desk = Desk(project, other)
        assert desk.look_alikes() == (["ann"] if other == name else [])
    grade(begin(project, name))
    assert Desk(project, name).look_alikes() == []


def test_after_a_restart_entries_on_one_pair_are_taken_back_one_after_another(
    project: Project,
) -> None:
    pair = on_desk(begin(project, "ann")).pair
    desk = Desk(project, "ann")
    desk.note(pair, "hm")
    desk.say(pair, mark=Mark.LATER)
    desk = Desk(project, "ann")
    undone = [desk.undo(), desk.undo(), desk.undo()]
    said = [one and (one.mark, one.note) for one in undone]
    assert said == [(Mark.LATER, ""), (None, "hm"), None]
