"""A grade belongs to a document that was seen: what the guard lets through, and what not."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.tui.guard import MIN_GAP, Guard

gaps = st.lists(st.integers(1, 400).map(lambda thousandths: thousandths / 1000), max_size=60)


class Hands:
    """Presses keys at a time of its own; what is let through brings the next document at once."""

    def __init__(self) -> None:
        self.now = 100.0
        self.guard = Guard(clock=lambda: self.now)

    def press(self, after: float) -> bool:
        self.now += after
        through = self.guard.lets_through()
        if through:
            self.guard.hide()
            self.guard.show(self.now)
        return through


@pytest.fixture
def hands() -> Hands:
    return Hands()


def test_no_key_passes_before_the_first_document_is_drawn(hands: Hands) -> None:
    assert not hands.press(after=10)
    assert not hands.press(after=10)


def test_a_key_passes_once_the_document_was_there_to_be_read(hands: Hands) -> None:
    hands.guard.show(hands.now)
    assert not hands.press(after=MIN_GAP * 0.9)
    assert hands.press(after=MIN_GAP * 1.1)


def test_no_key_passes_while_the_next_document_is_on_its_way(hands: Hands) -> None:
    hands.guard.show(hands.now)
    hands.guard.hide()
    assert not hands.press(after=10)


@pytest.mark.parametrize("a_second", [10, 30, 100])
def test_a_held_key_grades_one_document(hands: Hands, a_second: int) -> None:
    hands.guard.show(hands.now)
    pressed = [hands.press(after=1.0), *(hands.press(after=1 / a_second) for _ in range(300))]
    assert pressed == [True, *[False] * 300]


def test_a_key_passes_again_after_a_held_one_was_let_go(hands: Hands) -> None:
    hands.guard.show(hands.now)
    assert hands.press(after=1.0)
    assert not any(hands.press(after=1 / 30) for _ in range(30))
    assert hands.press(after=MIN_GAP * 1.1)


def test_quick_deliberate_presses_all_pass(hands: Hands) -> None:
    hands.guard.show(hands.now)
    assert all(hands.press(after=0.2) for _ in range(50))


@given(gaps)
def test_no_two_keys_pass_within_the_gap(pressed_after: list[float]) -> None:
    hands = Hands()
    hands.guard.show(hands.now)
    passed_at = [hands.now for after in pressed_after if hands.press(after)]
    assert all(later - earlier >= MIN_GAP * 0.999 for earlier, later in pairwise(passed_at))


def test_a_key_that_waited_for_its_turn_counts_from_when_it_was_pressed(hands: Hands) -> None:
    before = hands.now
    hands.now += 10
    hands.guard.show(hands.now)
    hands.now += 10
    hands.guard.pressed(before)
    assert not hands.press(after=0)
    assert hands.press(after=MIN_GAP * 21)


def test_keys_pressed_in_a_burst_grade_one_document_however_late_each_is_heard(
    hands: Hands,
) -> None:
    hands.guard.show(hands.now)
    heard = []
    for at in range(10):
        hands.guard.pressed(101.0 + at / 100)
        heard.append(hands.press(after=1.0))
    assert heard == [True, *[False] * 9]


def test_the_time_of_a_key_is_not_used_for_another_document(hands: Hands) -> None:
    hands.guard.pressed(hands.now)
    hands.guard.hide()
    hands.guard.show(hands.now)
    assert hands.press(after=MIN_GAP * 1.1)


def test_a_document_counts_as_shown_from_when_it_was_drawn_however_late_that_is_heard(
    hands: Hands,
) -> None:
    drawn = hands.now
    hands.now += 10
    hands.guard.pressed(drawn + MIN_GAP * 1.1)
    hands.guard.show(drawn)
    assert hands.press(after=0)


def test_what_was_drawn_before_the_document_was_hidden_does_not_count(hands: Hands) -> None:
    drawn = hands.now
    hands.now += 1
    hands.guard.hide()
    hands.guard.show(drawn)
    assert not hands.press(after=10)
