"""The order of judging: everything once, reproducible, and by nothing but ranks and labels."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from rubric.arrays import FloatArray
from rubric.choose.campaign import campaign
from rubric.choose.chooser import BATCH, Chooser, checkpoints
from rubric.choose.fixed_orders import best_first, move_to_front
from rubric.choose.orders import (
    Best,
    Decide,
    Depth,
    MoveToFront,
    Random,
    Rank,
    Strategy,
    reached,
    verdict_on,
)
from rubric.choose.priorities import first_what_supports, towards_credibility, towards_proof
from rubric.choose.survey import free_pairs, survey
from rubric.choose.target import Target
from rubric.model.grade_model import GradeModel
from rubric.model.pooled_ranks import PooledRanks
from rubric.model.stopping import LEAST_LABELS, Support, Verdict
from tests.rubric.worlds import GAINS, TOP, World, world

STRATEGIES: dict[str, Strategy] = {
    "depth": Depth(seed=3),
    "depth in turn": Depth(seed=3, in_turn=True),
    "random": Random(seed=3),
    "move-to-front": MoveToFront(seed=3),
    "decide": Decide(0, 1),
    "best": Best(),
    "rank": Rank(),
}
every_strategy = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)


def order_of(made: World, strategy: Strategy, *, stay: bool = False) -> list[tuple[int, int]]:
    """The pairs of a whole campaign in the order in which they were judged."""
    asked: list[tuple[int, int]] = []

    def answer(row: int, column: int) -> int:
        asked.append((row, column))
        return int(made.truth[row, column])

    chooser = Chooser(made.pooled, made.nothing, strategy, stay=stay)
    surveys = campaign(
        chooser, made.model(), made.target, answer, at=[2, 5, 9, 14, 99], seed=1, draws=40
    )
    for _ in surveys:
        pass
    assert chooser.next() is None
    return asked


@every_strategy
@pytest.mark.parametrize("stay", [False, True])
def test_every_pair_comes_exactly_once(strategy: Strategy, stay: bool) -> None:
    made = world(systems=3)
    pairs = [tuple(pair) for pair in np.argwhere(made.pooled.known).tolist()]
    assert sorted(order_of(made, strategy, stay=stay)) == pairs


@every_strategy
def test_the_order_is_reproducible(strategy: Strategy) -> None:
    made = world(systems=3, queries=6)
    assert order_of(made, strategy) == order_of(made, strategy)


@every_strategy
def test_a_grade_not_given_yet_has_no_part_in_the_order(strategy: Strategy) -> None:
    made = world(systems=3, queries=6)
    order = order_of(made, strategy)
    hidden = made.truth.copy()
    for pair in order[10:]:
        hidden[pair] = 3 - hidden[pair]
    assert order_of(World(made.pooled, hidden), strategy)[:11] == order[:11]


@every_strategy
def test_a_label_leaves_the_priorities_that_a_new_look_at_every_query_gives(
    strategy: Strategy,
) -> None:
    made = world(systems=3)
    found = survey(made.model(), made.nothing, made.target, draws=40)
    chooser = Chooser(made.pooled, made.nothing, strategy)
    chooser.adopt(found)
    for _ in range(6):
        pair = chooser.next()
        assert pair is not None
        chooser.tell(*pair, int(made.truth[pair]))
    fresh = Chooser(made.pooled, chooser.grades, strategy)
    fresh.adopt(found)
    assert fresh.next() == chooser.next()


@pytest.mark.parametrize("name", ["random", "decide", "best", "rank"])
def test_staying_judges_five_of_a_query_in_a_row(name: str) -> None:
    made = world(systems=3, documents=11)
    rows = [row for row, _ in order_of(made, STRATEGIES[name], stay=True)]
    for start in range(0, 4 * BATCH, BATCH):
        assert len(set(rows[start : start + BATCH])) == 1


def test_a_pair_whose_label_is_taken_back_comes_again() -> None:
    made = world()
    chooser = Chooser(made.pooled, made.nothing, Decide(0, 1))
    chooser.adopt(survey(made.model(), made.nothing, made.target))
    first = chooser.next()
    assert first is not None
    chooser.tell(*first, 2)
    assert chooser.next() != first
    chooser.tell(*first, None)
    assert chooser.next() == first


def test_what_is_put_aside_does_not_come_until_it_may() -> None:
    made = world()
    chooser = Chooser(made.pooled, made.nothing, Decide(0, 1))
    chooser.adopt(survey(made.model(), made.nothing, made.target))
    first = chooser.next()
    assert first is not None
    chooser.put_aside(*first)
    assert chooser.next() != first
    chooser.put_aside(*first, aside=False)
    assert chooser.next() == first


def test_choosing_before_a_survey_is_refused() -> None:
    made = world()
    with pytest.raises(ValueError, match="survey"):
        Chooser(made.pooled, made.nothing, Best()).next()


def test_decide_turns_to_the_proof_once_the_difference_is_credible() -> None:
    made = world(queries=16, seed=1)
    found = survey(made.model(), made.some_labels(0.8), made.target, draws=40)
    lead = made.pooled.discounts[0] - made.pooled.discounts[1]
    every = np.arange(16)

    def chosen(sums: list[tuple[float, float]]) -> FloatArray:
        now = replace(found, sums=np.array(sums))
        return Decide(0, 1).rule(now)(found.grades, every)

    own = made.pooled.in_top_of(0, 1)
    open_rule = towards_credibility(found, lead)(found.grades, every)
    assert chosen([(1, 2), (2, 1), (1, 1.1)])[own] == pytest.approx(open_rule[own])
    ahead = towards_proof(found, lead)(found.grades, every)
    assert chosen([(2, 1), (2.1, 1), (2, 1.1)]) == pytest.approx(ahead)
    behind = towards_proof(found, -lead)(found.grades, every)
    assert chosen([(1, 2), (1, 2.1), (1.1, 2)]) == pytest.approx(behind)


def test_decide_reckons_with_what_is_judged_of_its_two_systems_alone() -> None:
    made = world(systems=3, queries=8, seed=3)
    found = survey(made.model(), made.some_labels(0.5), made.target, draws=20)
    ranks = made.pooled.ranks[:2]
    held = ((ranks > 0) & (ranks <= made.pooled.k)).any(axis=0)
    assert held.sum() < made.pooled.known.sum()
    judged = found.grades[held] >= 0
    first = (ranks[:, held] == 1).any(axis=0)
    lower = int(np.sum(judged & ~first)), int(np.sum(~first))
    assert Decide(0, 1).support(found) == (judged.sum(), 8, 8, *lower)


def test_until_a_claim_on_two_systems_the_documents_of_others_alone_come_last() -> None:
    made = world(systems=4, queries=8, documents=12)
    own = made.pooled.in_top_of(0, 1)
    for share in (0.0, 0.2):
        found = survey(made.model(), made.some_labels(share), made.target)
        assert not reached(Decide(0, 1), found)
        worth = Decide(0, 1).rule(found)(found.grades, np.arange(8))
        free = free_pairs(made.pooled, found.grades)
        assert (free & ~own).any()
        assert worth[free & own].min() > worth[free & ~own].max()


def test_few_labels_prove_nothing_however_clear_they_look() -> None:
    made = world(queries=16, seed=1)
    found = survey(made.model(), made.some_labels(0.2), made.target, draws=40)
    clear = replace(found, sums=np.array([(2.0, 1.0), (2.1, 1.0), (2.0, 1.1)]))
    assert not reached(Decide(0, 1), clear)


def test_where_the_difference_is_clear_what_a_claim_lacks_is_judged_first() -> None:
    made = world(systems=3, queries=16, seed=1)
    found = survey(made.model(), made.some_labels(0.2), made.target, draws=40)
    every, own = np.arange(16), made.pooled.in_top_of(0, 1) & made.pooled.known
    lead = made.pooled.discounts[0] - made.pooled.discounts[1]
    worth = towards_credibility(found, lead)
    plain = worth(found.grades, every)[own]
    lower = own & (made.pooled.ranks[:2] != 1).all(axis=0)
    new = own & ~np.any(own & (found.grades >= 0), axis=1, keepdims=True)
    assert all(part.any() for part in (lower & ~new, new & ~lower, own & ~lower & ~new))

    def chosen(queries: int, below: int) -> FloatArray:
        lacking = Support(40, 20 - queries, 40, 10 - below, 99)
        return first_what_supports(worth, found, [0, 1], lacking)(found.grades, every)

    assert chosen(0, 0)[own] == pytest.approx(plain)
    for queries, below in ((1, 0), (0, 1), (1, 1)):
        first = np.array(queries * new + below * lower, dtype=np.int64)
        got = chosen(queries, below)
        assert np.floor(got[own]).tolist() == first[own].tolist()
        for wanted in range(3):
            same = own & (first == wanted)
            assert (
                np.argsort(got[same]).tolist()
                == np.argsort(worth(found.grades, every)[same]).tolist()
            )


def test_labels_of_few_queries_reach_no_goal_however_clear_it_looks() -> None:
    made = world(queries=20, documents=9, seed=1)
    grades = made.some_labels(1.0)
    grades[14:] = -1
    for known, labels in ((False, grades), (True, made.some_labels(0.8))):
        found = survey(made.model(), labels, made.target, draws=40)
        clear = replace(found, sums=np.array([(2.0, 1.0), (2.1, 1.0), (2.0, 1.1)]))
        for strategy in (Decide(0, 1), Best(), Rank()):
            assert reached(strategy, clear) is known


def test_what_is_proved_on_a_few_labels_ends_every_goal() -> None:
    """Both systems find other documents; the first one's are relevant, the second one's are not."""
    queries, each = 2, 3
    ranks = np.zeros((2, queries, 2 * each), dtype=np.int64)
    ranks[0, :, :each] = ranks[1, :, each:] = np.arange(1, each + 1)
    pooled = PooledRanks(ranks, np.ones(ranks.shape[1:], dtype=np.bool_), 10)
    grades = np.full(ranks.shape[1:], -1, dtype=np.int8)
    goals, target = (Decide(0, 1), Decide(1, 0), Best(), Rank()), Target.ndcg(GAINS)
    open_yet = survey(GradeModel(pooled, TOP), grades, target, draws=40)
    assert [reached(one, open_yet) for one in goals] == [False] * len(goals)
    grades[:, :each], grades[:, each:] = TOP, 0
    found = survey(GradeModel(pooled, TOP), grades, target, draws=40)
    assert found.labels < LEAST_LABELS
    assert verdict_on(found, 0, 1) is Verdict.PROVED
    assert [reached(one, found) for one in goals] == [True] * len(goals)


def test_bounds_of_a_survey_are_those_of_every_grading() -> None:
    made = world(systems=2, queries=2, documents=4, seed=5)
    grades = made.some_labels(0.5)
    free = np.argwhere(free_pairs(made.pooled, grades))
    assert 2 <= len(free) <= 5
    seen = []
    for values in product(range(TOP + 1), repeat=len(free)):
        whole = grades.copy()
        whole[tuple(free.T)] = values
        one = survey(made.model(), whole, made.target, draws=1).means[0]
        seen.append(one[0] - one[1])
    found = survey(made.model(), grades, made.target, draws=40)
    assert found.bounds(0, 1) == pytest.approx((min(seen), max(seen)))


def test_move_to_front_follows_a_system_while_it_finds_something() -> None:
    first, second = [1, 2, 3, 0, 0], [0, 3, 0, 1, 2]
    ranks = np.array([first, second])
    unseen = np.full(5, -1, dtype=np.int8)
    assert move_to_front(ranks, unseen).argmin() == 0
    good = np.array([2, -1, -1, -1, -1], dtype=np.int8)  # the first goes on
    assert move_to_front(ranks, good).tolist()[:2] == [0, 1]
    bad = np.array([0, -1, -1, -1, -1], dtype=np.int8)  # the second's turn
    assert move_to_front(ranks, bad)[3] == 1


def test_best_first_orders_by_the_best_rank_of_any_system() -> None:
    ranks = np.array([[[3, 1, 0, 2]], [[0, 0, 1, 5]]])
    assert best_first(ranks).tolist() == [[3, 0, 1, 2]]


def test_surveys_come_at_ten_labels_then_after_a_tenth_more_or_a_hundredth_of_the_pool() -> None:
    assert checkpoints(0, 1000)[:6] == [10, 11, 12, 13, 14, 16]
    far = checkpoints(400, 1000)
    assert far[-1] == 1000
    assert max(np.diff(far)) <= 10
    assert checkpoints(0, 5) == [5]
