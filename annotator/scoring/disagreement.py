"""The same systems by whoever's labels they are scored: what disagreement does to the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from annotator.domain import FloatArray, IntArray
from annotator.results.comparisons import EXACT, LOOSE
from annotator.results.disagreement import (
    HOLDING,
    KINDEST,
    STRICTEST,
    Disagreement,
    Drawn,
    Labelling,
    PairByLabels,
    SystemByLabels,
)
from annotator.results.method import Method
from annotator.scoring.assessors import Ratings
from annotator.scoring.board import Board
from annotator.scoring.choices import choices
from annotator.scoring.paired_systems import compared
from annotator.scoring.pairs import BoardData
from rubric import Measure

DRAWS = 1_000
_SPAN = np.int64(2**31)

MakeBoard = Callable[[BoardData], Board]


@dataclass(frozen=True, eq=False)
class _Given:
    """The pairs that anybody graded: keys, rising, and the grade of each assessor, -1 for none."""

    keys: IntArray
    grades: IntArray
    holding: IntArray

    @classmethod
    def of(cls, data: BoardData, ratings: Sequence[Ratings]) -> _Given:
        held = data.label_query * _SPAN + data.label_document
        each = [one.query * _SPAN + one.document for one in ratings]
        keys = np.unique(np.concatenate([held, *each]))
        grades = np.full((len(ratings), len(keys)), -1, dtype=np.int64)
        for row, (one, key) in enumerate(zip(ratings, each, strict=True)):
            grades[row, np.searchsorted(keys, key)] = one.grade
        holding = np.full(len(keys), -1, dtype=np.int64)
        holding[np.searchsorted(keys, held)] = data.label_grade
        return cls(keys, grades, holding)

    @property
    def several(self) -> IntArray:
        """How many assessors graded each pair."""
        count: IntArray = (self.grades >= 0).sum(axis=0)
        return count

    @property
    def least(self) -> IntArray:
        """The lowest grade of each pair; what holds where no assessor graded it."""
        least = np.where(self.grades >= 0, self.grades, np.iinfo(np.int64).max).min(axis=0)
        return np.where(self.several > 0, least, self.holding)

    @property
    def greatest(self) -> IntArray:
        """The highest."""
        return np.where(self.several > 0, self.grades.max(axis=0), self.holding)

    def labelled(self, data: BoardData, grades: IntArray) -> BoardData:
        """The board's data with these labels in place of those that hold."""
        known = grades >= 0
        held = np.searchsorted(self.keys, data.label_query * _SPAN + data.label_document)
        by_eye, foreign = np.zeros((2, len(self.keys)), dtype=np.bool_)
        by_eye[held] = False if data.label_by_eye is None else data.label_by_eye
        foreign[held] = True if data.label_foreign is None else data.label_foreign
        query, document = np.divmod(self.keys[known], _SPAN)
        return replace(
            data,
            label_query=query.astype(np.int32),
            label_document=document.astype(np.int32),
            label_grade=grades[known].astype(np.int32),
            label_by_eye=by_eye[known],
            label_foreign=foreign[known],
        )

    def disputed(self, rows: Mapping[int, int]) -> dict[int, dict[int, list[int]]]:
        """The different grades that were given, by row of the query and document."""
        found: dict[int, dict[int, list[int]]] = {}
        for at in np.flatnonzero((self.several > 1) & (self.least != self.greatest)):
            query, document = (int(part) for part in np.divmod(self.keys[at], _SPAN))
            given = self.grades[:, at]
            if query in rows:
                of_query = found.setdefault(rows[query], {})
                of_query[document] = sorted(set(given[given >= 0].tolist()))
        return found


def disagreement(
    data: BoardData,
    ratings: Sequence[Ratings],
    measure: Measure,
    make: MakeBoard,
    method: Method,
    systems: Sequence[str],
    *,
    seed: int = 0,
) -> Disagreement:
    """Score systems by each way to label.

    ``make`` makes a board of data; ``systems`` are those to be looked at.
    """
    given = _Given.of(data, ratings)
    ways: dict[str, tuple[str | None, IntArray]] = {HOLDING: (None, given.holding)}
    ways |= {
        f"{one.assessor} alone": (one.assessor, grades)
        for one, grades in zip(ratings, given.grades, strict=True)
    }
    ways |= {STRICTEST: (None, given.least), KINDEST: (None, given.greatest)}
    boards = {name: _estimated(make(given.labelled(data, one))) for name, (_, one) in ways.items()}
    holding = boards[HOLDING]
    places = [holding.systems.index(name) for name in systems]
    means = {name: _means(board, places, measure) for name, board in boards.items()}
    labellings = tuple(
        _labelling(name, who, grades, boards[name], places, measure, means)
        for name, (who, grades) in ways.items()
    )
    drawn = _drawn(data, given, make, places, measure, seed)
    pairs = _pairs(boards, places, means, drawn, measure)
    rows = {int(number): row for row, number in enumerate(data.queries)}
    every = choices(holding, given.disputed(rows))
    bounded = []
    for first, second, one in pairs:
        lower, upper, exact = every.difference(first, second, measure)
        bounded.append(replace(one, lower=lower, upper=upper, bounds=EXACT if exact else LOOSE))
    taus = np.array([_tau(one, means[HOLDING]) for one in drawn], dtype=np.float64)
    known = taus[~np.isnan(taus)]
    return Disagreement(
        method=method,
        measure=str(measure),
        assessors=tuple(one.assessor for one in ratings),
        judged_twice=int((given.several > 1).sum()),
        disputed=int(((given.several > 1) & (given.least != given.greatest)).sum()),
        labellings=labellings,
        pairs=tuple(bounded),
        drawn=Drawn(
            draws=len(drawn),
            seed=seed,
            tau=float(known.mean()) if len(known) else None,
            tau95=(float(np.quantile(known, 0.025)), float(np.quantile(known, 0.975)))
            if len(known)
            else None,
        ),
    )


def _estimated(board: Board) -> Board:
    board.estimate()
    return board


def _means(board: Board, places: Sequence[int], measure: Measure) -> FloatArray:
    """Each system's value, or what is expected: shape (S,), NaN where there is none."""
    table = board.table([board.systems[at] for at in places])
    points = [one.measures[board.measures.index(measure)].summary.point for one in table]
    return np.array([np.nan if one is None else one for one in points], dtype=np.float64)


def _labelling(
    name: str, who: str | None, grades: IntArray, board: Board, places: Sequence[int],
    measure: Measure, means: Mapping[str, FloatArray],
) -> Labelling:  # fmt: skip
    own, at = means[name], board.measures.index(measure)
    table = board.table([board.systems[place] for place in places])
    tau = _tau(own, means[HOLDING])
    return Labelling(
        name=name,
        assessor=who,
        labels=int((grades >= 0).sum()),
        systems=tuple(
            SystemByLabels(
                system=one.system,
                point=one.measures[at].summary.point,
                lower=one.measures[at].summary.lower,
                upper=one.measures[at].summary.upper,
                rank=None if np.isnan(mean) else int((own > mean).sum()) + 1,
            )
            for one, mean in zip(table, own.tolist(), strict=True)
        ),
        tau=None if np.isnan(tau) else tau,
    )


def _tau(one: FloatArray, other: FloatArray) -> float:
    """Kendall's tau-a of two orders, a tie in either counting as neither; NaN below two systems."""
    known = ~np.isnan(one) & ~np.isnan(other)
    one, other = one[known], other[known]
    if len(one) < 2:
        return float("nan")
    first, second = np.triu_indices(len(one), 1)
    alike = np.sign(one[first] - one[second]) * np.sign(other[first] - other[second])
    return float(alike.mean())


def _drawn(
    data: BoardData, given: _Given, make: MakeBoard, places: Sequence[int], measure: Measure,
    seed: int,
) -> FloatArray:  # fmt: skip
    """Each system's mean where every query goes by one of its assessors: shape (draws, S)."""
    query = given.keys // _SPAN
    judged = np.zeros((len(given.grades), len(data.queries)), dtype=np.bool_)
    scores = np.full((len(given.grades), len(places), len(data.queries)), np.nan)
    for who, grades in enumerate(given.grades):
        rows = np.searchsorted(data.queries, query[grades >= 0])
        judged[who, rows[rows < len(data.queries)]] = True
        filled = np.where(grades >= 0, grades, given.holding)
        board = _estimated(make(given.labelled(data, filled)))
        for at, place in enumerate(places):
            counted = board.counted(place)
            scores[who, at] = np.where(counted, board.scores(place, measure).point, np.nan)
    judged[:, ~judged.any(axis=0)] = True  # by the labels that hold, whoever is asked
    rng = np.random.default_rng(seed)
    lots = np.where(judged[None], rng.random((DRAWS, *judged.shape)), -1.0).argmax(axis=1)
    rows = np.arange(len(data.queries))
    found = scores.transpose(1, 0, 2)[:, lots, rows[None, :]]
    defined = ~np.isnan(found)
    sums = np.where(defined, found, 0.0).sum(axis=2)
    means: FloatArray = np.divide(
        sums, defined.sum(axis=2), out=np.full(sums.shape, np.nan), where=defined.any(axis=2)
    )
    return means.T


def _pairs(
    boards: Mapping[str, Board], places: Sequence[int], means: Mapping[str, FloatArray],
    drawn: FloatArray, measure: Measure,
) -> list[tuple[int, int, PairByLabels]]:  # fmt: skip
    """Every two systems, the one that is ahead by the labels that hold first."""
    found = []
    for one, two in combinations(range(len(places)), 2):
        if means[HOLDING][two] > means[HOLDING][one]:
            one, two = two, one
        first, second = places[one], places[two]
        each = {
            name: compared(board, first, second, measure, seed=0, tests=False)
            for name, board in boards.items()
        }
        worlds = drawn[:, one] - drawn[:, two]
        known = worlds[~np.isnan(worlds)]
        pair = PairByLabels(
            first=boards[HOLDING].systems[first],
            second=boards[HOLDING].systems[second],
            differences={name: result.result.estimate for name, result in each.items()},
            verdicts={name: result.verdict for name, result in each.items()},
            lower=None,
            upper=None,
            bounds=EXACT,
            ahead=float((known > 0).mean()) if len(known) else None,
        )
        found.append((first, second, pair))
    return found
