"""Which label holds goes by the time of the judgments, in whatever order they were stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise, permutations
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain import AssessorKind, Mark
from annotator.store import Desk, Entry, Project
from annotator.store.precedence import held
from annotator.text.times import as_microseconds, later, stored
from tests.projects import labels_of, temporary_project

START = datetime(2025, 3, 1, tzinfo=UTC)
PEOPLE = ("ann", "bob")
DOCUMENTS = ("d1", "d2")
SYSTEMS = {"alpha": {"q1": DOCUMENTS}}


class Spoken(NamedTuple):
    """One entry, which may undo or restate an earlier one by its place in the list."""

    who: str
    docid: str
    minute: int
    grade: int | None
    mark: Mark | None = None
    undoes: int | None = None
    restates: int | None = None


@st.composite
def logs(draw: st.DrawFn) -> list[Spoken]:
    """Entries in an order in which they may have been made; nobody says two things at once."""
    log: list[Spoken] = []
    minutes = draw(st.lists(st.integers(0, 99), unique=True, min_size=1, max_size=9))
    for minute in sorted(minutes):
        who, docid = draw(st.sampled_from(PEOPLE)), draw(st.sampled_from(DOCUMENTS))
        mine = [
            place
            for place, one in enumerate(log)
            if (one.who, one.docid) == (who, docid) and one.undoes is None
        ]
        how = draw(st.sampled_from(["grade", "mark", "nothing", "note", "undo"]))
        first = [place for place in mine if log[place].restates is None]
        if how == "undo" and mine:
            said = Spoken(who, docid, minute, None, undoes=draw(st.sampled_from(mine)))
        elif how == "note" and first:
            place = draw(st.sampled_from(first))
            said = log[place]._replace(minute=minute, restates=place)
        elif how == "mark":
            said = Spoken(who, docid, minute, None, Mark.LATER)
        else:
            said = Spoken(who, docid, minute, None if how == "nothing" else draw(st.integers(0, 3)))
        log.append(said)
    return log


def arrival(log: Sequence[Spoken], keys: Sequence[int]) -> list[int]:
    """The places of a log in an order by these keys, each after the one that it speaks of."""
    order: list[int] = []

    def put(place: int) -> None:
        for before in (log[place].undoes, log[place].restates):
            if before is not None:
                put(before)
        if place not in order:
            order.append(place)

    for place in sorted(range(len(log)), key=lambda place: (keys[place % len(keys)], place)):
        put(place)
    return order


def store(project: Project, log: Sequence[Spoken], order: Sequence[int]) -> None:
    version, documents = project.rubrics.active().id, project.documents.ids(DOCUMENTS)
    query = project.queries.ids()["q1"]
    who = {name: project.judgments.assessor(name, AssessorKind.HUMAN) for name in PEOPLE}
    numbers: dict[int | None, int | None] = {None: None}
    for place in order:
        one = log[place]
        (pair,) = project.judgments.pairs([(query, documents[one.docid])])
        numbers[place] = project.judgments.next_event()
        at = stored(START + timedelta(minutes=one.minute))
        project.judgments.restore(
            [
                Entry(
                    pair=pair,
                    assessor=who[one.who],
                    rubric_version=version,
                    grade=one.grade,
                    mark=one.mark,
                    at=at,
                    undoes=numbers[one.undoes],
                    restates=numbers[one.restates],
                )
            ],
            at,
        )


def expected(log: Sequence[Spoken]) -> dict[tuple[str, str], int]:
    """The labels, entry by entry: the newest judgment of each person, and of these the newest."""
    undone = {one.undoes for one in log}
    latest: dict[tuple[str, str], tuple[tuple[int, int], Spoken]] = {}
    for place, one in enumerate(log):
        if one.undoes is not None or place in undone or (one.restates in undone - {None}):
            continue
        judged = one.minute if one.restates is None else log[one.restates].minute
        before = latest.get((one.who, one.docid))
        if before is None or before[0] < (judged, one.minute):
            latest[one.who, one.docid] = (judged, one.minute), one
    labels: dict[tuple[str, str], int] = {}
    for _, (_age, one) in sorted(latest.items(), key=lambda item: (item[1][0][0], item[0][0])):
        if one.grade is not None:
            labels["q1", one.docid] = one.grade
    return labels


def told_by_records(project: Project) -> dict[tuple[str, str], int]:
    labels: dict[tuple[str, str], int | None] = {}
    events = list(project.judgments.events())
    times = {event.identity: event.at for event in events}
    for docid in DOCUMENTS:
        last = [held([one for one in events if (one.assessor, one.docid) == (who, docid)])
                for who in PEOPLE]  # fmt: skip
        graded = [one for one in last if one is not None and one.grade is not None]
        if graded:
            label = max(graded, key=lambda one: (times[one.restates or one.identity], one.assessor))
            labels["q1", docid] = label.grade
    return {pair: grade for pair, grade in labels.items() if grade is not None}


@settings(max_examples=25, deadline=None)
@given(logs(), st.lists(st.integers(0, 5), min_size=1, max_size=9))
def test_any_order_of_arrival_gives_the_same_labels_wherever_they_are_counted(
    log: list[Spoken], keys: list[int]
) -> None:
    with temporary_project(SYSTEMS) as project:
        store(project, log, arrival(log, keys))
        wanted = expected(log)
        assert labels_of(project) == wanted
        assert told_by_records(project) == wanted
        desk = Desk(project, "cy")
        (query,) = desk.queries()
        cards = {("q1", card.docid): card.label for card in desk.cards(query)}
        assert {pair: grade for pair, grade in cards.items() if grade is not None} == wanted
        assert desk.totals().labelled == len(wanted)
        assert set(project.documents.judged(DOCUMENTS)) == {docid for _, docid in wanted}


def test_of_two_entries_of_one_moment_every_file_and_reader_takes_the_same() -> None:
    log = [Spoken("ann", "d1", 1, grade) for grade in (3, 0, 2)]
    for order in permutations(range(len(log))):
        with temporary_project(SYSTEMS) as project:
            store(project, log, order)
            last = max(project.judgments.events(), key=lambda event: event.identity)
            assert labels_of(project) == told_by_records(project) == {("q1", "d1"): last.grade}
            (query,) = (desk := Desk(project, "cy")).queries()
            (card,) = [card for card in desk.cards(query) if card.docid == "d1"]
            assert card.label == last.grade


def test_what_is_said_now_holds_whatever_the_clock_shows_and_whatever_came_from_the_future() -> (
    None
):
    with temporary_project(SYSTEMS) as project:
        store(project, [Spoken("ann", "d1", 0, 1)], [0])
        project.clock = lambda: datetime(1999, 1, 1, tzinfo=UTC)
        desk = Desk(project, "ann")
        (query,) = desk.queries()
        (pair,) = [card.pair for card in desk.cards(query) if card.docid == "d1"]
        for grade in (0, 3, 2):
            desk.say(pair, grade=grade)
            assert labels_of(project)["q1", "d1"] == grade
        Desk(project, "bob").say(pair, grade=1)
        assert labels_of(project)["q1", "d1"] == 1
        Desk(project, "bob").undo()
        assert labels_of(project)["q1", "d1"] == 2
        for left in (3, 0, 1):
            desk.undo()
            assert labels_of(project)["q1", "d1"] == left
        times = [event.at for event in project.judgments.events()]
        assert all(one < two for one, two in pairwise(times))


def test_an_undo_takes_back_what_it_names_and_not_what_arrived_in_between() -> None:
    log = [
        Spoken("ann", "d1", 1, 3),
        Spoken("ann", "d1", 2, 0),
        Spoken("ann", "d1", 9, 3, undoes=1),
        Spoken("ann", "d1", 5, 2),  # of another machine, imported last
    ]
    with temporary_project(SYSTEMS) as project:
        store(project, log, [0, 1, 2])
        assert labels_of(project) == {("q1", "d1"): 3}
        store(project, log[3:], [0])
        assert labels_of(project) == {("q1", "d1"): 2}


moments = st.datetimes(timezones=st.timezones() | st.just(UTC), allow_imaginary=False).filter(
    lambda moment: 1 < moment.year < 9998
)


@given(moments, moments)
def test_stored_times_sort_as_the_moments_do(one: datetime, two: datetime) -> None:
    assert (stored(one) < stored(two)) == (as_microseconds(one) < as_microseconds(two))
    assert (stored(one) == stored(two)) == (one == two)
    assert datetime.fromisoformat(stored(one)) == one
    assert later(stored(one), stored(two)) > stored(two) or one > two


@pytest.mark.parametrize("as_of", [None, START + timedelta(minutes=3)])
def test_labels_as_of_a_time_leave_out_what_came_after(as_of: datetime | None) -> None:
    log = [Spoken("ann", "d1", 1, 3), Spoken("ann", "d1", 4, None, undoes=0)]
    with temporary_project(SYSTEMS) as project:
        store(project, log, [0, 1])
        labels = project.judgments.labels(project.rubrics.counted(), as_of=as_of)
        assert labels.grade.tolist() == ([] if as_of is None else [3])
