from __future__ import annotations

from contextlib import ExitStack

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from annotator.domain import Mark
from annotator.judging import Session
from annotator.store import Desk, Project
from tests.projects import begin, labels_of, temporary_project

SYSTEMS = {"alpha": {"q1": ["d1", "d2", "d3"], "q2": ["d1", "d4"]}, "beta": {"q1": ["d5"]}}
NOTHING = (None, None, "", 0)
State = tuple[int | None, Mark | None, str, int]
"""A grade, a mark, a note, and when grade or mark was given: a note keeps that, an undo too."""


class Grading(RuleBasedStateMachine):
    """An assessor's session, with another at work beside it, against a plain dict of states."""

    @initialize()
    def open(self) -> None:
        self.stack = ExitStack()
        self.project: Project = self.stack.enter_context(temporary_project(SYSTEMS))
        self.other = Desk(self.project, "ben")
        self.states: dict[int, State] = {}
        self.log: list[tuple[int, State]] = []
        self.others: dict[int, tuple[int, int]] = {}
        self.now = 0
        self.mirror: dict[int, int] = {}
        self.session: Session = begin(self.project)
        self.pairs = [row[0] for row in self.project.file.tuples("SELECT pair_id FROM pool_entry")]

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    def said(self, pair: int, grade: int | None, mark: Mark | None, note: str) -> None:
        self.log.append((pair, self.states.get(pair, NOTHING)))
        self.states[pair] = (grade, mark, note, self.tick())

    def tick(self) -> int:
        self.now += 1
        return self.now

    @property
    def pair(self) -> int:
        assert self.session.card
        return self.session.card.pair

    @precondition(lambda self: self.session.card)
    @rule(grade=st.integers(0, 3))
    def grade(self, grade: int) -> None:
        pair = self.pair
        _, mark, note, _ = self.states.get(pair, NOTHING)
        assert self.session.grade(pair, grade)
        self.said(pair, grade, None, "" if mark is Mark.CANNOT else note)

    @precondition(lambda self: self.session.card)
    @rule()
    def later(self) -> None:
        pair = self.pair
        _, mark, note, _ = self.states.get(pair, NOTHING)
        assert self.session.later(pair)
        self.said(pair, None, Mark.LATER, "" if mark is Mark.CANNOT else note)

    @precondition(lambda self: self.session.card)
    @rule(reason=st.sampled_from(["broken", "unsure"]))
    def cannot_judge(self, reason: str) -> None:
        pair = self.pair
        assert self.session.cannot_judge(pair, reason)
        self.said(pair, None, Mark.CANNOT, reason)

    @precondition(lambda self: self.session.card)
    @rule(text=st.text(max_size=3))
    def note(self, text: str) -> None:
        pair = self.pair
        before = self.states.get(pair, NOTHING)
        assert self.session.note(pair, text)
        assert self.pair == pair
        self.log.append((pair, before))
        self.states[pair] = (*before[:2], text, before[3])

    @rule()
    def undo(self) -> None:
        card = self.session.undo()
        if not self.log:
            assert card is None
            return
        pair, state = self.log.pop()
        self.states[pair] = state
        assert card
        assert card.pair == self.pair == pair

    @rule(forward=st.booleans())
    def look_around(self, forward: bool) -> None:
        self.session.forward() if forward else self.session.back()

    @rule(index=st.integers(0, 1))
    def open_query(self, index: int) -> None:
        self.session.open_query(index)
        assert self.session.query_progress == self.session.progress[index]

    @rule(at=st.integers(0, 5), grade=st.integers(0, 3))
    def somebody_else_grades(self, at: int, grade: int) -> None:
        pair = self.pairs[at]
        self.other.say(pair, grade=grade)
        self.others[pair] = (grade, self.tick())

    @rule()
    def restart(self) -> None:
        self.session = begin(self.project)
        self.mirror = self.labels()
        self.session.changed()

    def labels(self) -> dict[int, int]:
        given = [(given, pair, grade) for pair, (grade, _, _, given) in self.states.items()]
        given += [(when, pair, grade) for pair, (grade, when) in self.others.items()]
        return {pair: grade for _, pair, grade in sorted(given) if grade is not None}

    @invariant()
    def what_is_stored_is_what_was_said(self) -> None:
        names = {(card.query, card.docid): card.pair for card in self.all_cards()}
        queries = self.project.queries.ids()
        stored = {
            names[queries[qid], docid]: grade
            for (qid, docid), grade in labels_of(self.project).items()
        }
        assert stored == self.labels()
        for card in self.all_cards():
            mine = self.states.get(card.pair, NOTHING)[:3]
            assert (card.grade, card.mark, card.note) == mine
            assert card.label == stored.get(card.pair)

    def all_cards(self) -> list:  # type: ignore[type-arg]
        desk = Desk(self.project, "ann")
        return [card for one in desk.progress() for card in desk.cards(one.query)]

    @invariant()
    def whoever_follows_the_changes_knows_all_labels(self) -> None:
        changed = self.session.changed()
        if changed is None:
            self.mirror = self.labels()
            return
        for card in changed:
            if card.label is None:
                self.mirror.pop(card.pair, None)
            else:
                self.mirror[card.pair] = card.label
        heard = self.project.judgments.last_event() == self.session._cursor._seen
        assert not heard or self.mirror == self.labels()

    @invariant()
    def progress_counts_what_the_cards_say(self) -> None:
        if self.project.judgments.last_event() != self.session._cursor._seen:
            return
        cards, total = self.all_cards(), self.session.totals
        assert total.open == sum(card.open for card in cards)
        assert total.judged == sum(card.grade is not None for card in cards)
        assert total.labelled == sum(card.label is not None for card in cards)
        assert total.unseen == sum(card.open and card.label is None for card in cards)

    @invariant()
    def nothing_is_on_the_desk_only_when_nothing_waits(self) -> None:
        if self.session.card is None:
            waiting = [card for card in self.session.cards if card.open]
            assert not waiting or self.project.judgments.last_event() != self.session._cursor._seen


TestGrading = Grading.TestCase
TestGrading.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
