"""One measure over many judged rankings: what is known, and what could still become of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rubric import html
from rubric.arrays import BoolArray, FloatArray, IntArray
from rubric.errors import RubricError, short
from rubric.evaluation.measure import HIGHEST, Measure, is_grade
from rubric.frames import frame
from rubric.gains import Gain
from rubric.measures.registry import KINDS
from rubric.rankings import JudgedRankings, condense, own_documents_only
from rubric.setting import DEFAULT_P, Score, ScoreBounds, Setting

_EQUAL = 1e-12
_BLOCK = 1_000_000
"""Places scored at a time."""


@dataclass(frozen=True)
class Rules:
    """What a measure takes from the rubric unless its own spelling says otherwise.

    ``empty_ideal_zero`` gives 0 to a query without a relevant judged document, as trec_eval does,
    where the default is to leave it undefined. ``own_ideal`` takes the ideal from what the system
    returned, as scikit-learn does: it flatters, and is there to reproduce such numbers. ``gain``
    may be given as text, such as ``linear`` or ``0:1:3:7``.

    Raises
    ------
    RubricError
        If the gain is none, or the threshold no grade from 1 to 127.
    """

    gain: Gain = Gain()
    threshold: int = 1
    empty_ideal_zero: bool = False
    own_ideal: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.gain, str):
            object.__setattr__(self, "gain", Gain.parse(self.gain))
        faults = []
        if not isinstance(self.gain, Gain):
            faults.append(f"gain must be a Gain or its name, not {short(repr(self.gain))}")
        if not is_grade(self.threshold):
            shown = short(repr(self.threshold))
            faults.append(f"threshold must be a grade from 1 to {HIGHEST}, not {shown}")
        if faults:
            raise RubricError("rules", faults)


@dataclass(frozen=True, eq=False)
class Scores:
    """One measure of N rankings; every array has shape (N,). NaN stands for "undefined".

    Parameters
    ----------
    lower, upper
        The least and greatest value that any grading of the unjudged documents could give. NaN
        where the measure is undefined under every grading.
    zero_filled
        Unjudged documents counted as grade 0 (what trec_eval prints).
    condensed
        Unjudged documents removed from the ranking.
    doubtful
        Whether some gradings leave the measure undefined and others do not.
    judged, places
        How many documents of the top k are judged, and how many there are. Where ties are averaged
        these are all that may stand in the top k.
    residual
        For RBP only: how much it could still gain from unjudged documents and from beyond the
        ranking's end.
    expected
        The mean over drawn grades of the unjudged documents, if any were drawn
        (:func:`rubric.model.expectation.expected`).
    queries
        The queries' ids, where they are known.
    """

    lower: FloatArray
    upper: FloatArray
    zero_filled: FloatArray
    condensed: FloatArray
    doubtful: BoolArray
    judged: IntArray
    places: IntArray
    residual: FloatArray | None = None
    expected: FloatArray | None = None
    queries: npt.NDArray[np.object_] | None = None

    def only(self, rows: IntArray | slice) -> Scores:
        """The scores of some of the rankings."""
        return Scores(**{name: part[rows] for name, part in self.arrays().items()})

    def copy(self) -> Scores:
        """The same scores in arrays of their own."""
        return Scores(**{name: part.copy() for name, part in self.arrays().items()})

    def arrays(self) -> dict[str, Any]:
        """The arrays by name, without those that the measure does not have."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: part for name, part in parts.items() if part is not None}

    def frame(self) -> Any:
        """:meth:`columns` as a frame of pandas or polars, a row a query."""
        return frame(self.columns())

    def columns(self) -> dict[str, Any]:
        """The ids where they are known, values, points, and all other arrays, by name."""
        parts = self.arrays()
        names = {"query": parts.pop("queries")} if self.queries is not None else {}
        return names | {"value": self.value, "point": self.point} | parts

    def _repr_html_(self) -> str:
        """What a notebook shows: the first queries."""
        columns = self.columns()
        count = len(self.zero_filled)
        rows = zip(*(column[: html.MOST].tolist() for column in columns.values()), strict=True)
        more = f"{html.MOST} of {count:,} queries" if count > html.MOST else ""
        return html.table([*columns], rows, more)

    @property
    def value(self) -> FloatArray:
        """The score where it is determined (no grading could change it), else NaN."""
        settled = ~self.doubtful & (self.upper - self.lower <= _EQUAL)
        return np.where(settled, self.zero_filled, np.nan)

    @property
    def point(self) -> FloatArray:
        """The one number to sort by: the value, else what is expected, else zero-filled."""
        value = self.value
        guess = self.zero_filled if self.expected is None else self.expected
        return np.where(np.isnan(value), guess, value)


def setting(measure: Measure, rules: Rules, top: int) -> Setting:
    """Resolve a measure's parameters for grades 0..``top``.

    Raises
    ------
    RubricError
        If the measure's gain table does not fit the grades.
    """
    threshold = measure.rel or rules.threshold
    gain = measure.gain or rules.gain
    gains = gain.values(top)
    if "rel" in measure.kind.parameters and measure.gain is None:
        gains = (np.arange(top + 1) >= threshold).astype(np.float64)
    return Setting(measure.k, gains, threshold, measure.p or DEFAULT_P, measure.beta or 1.0)


def evaluate(measure: Measure, rankings: JudgedRankings, rules: Rules | None = None) -> Scores:
    """Score N rankings on one measure, with bounds over the unjudged documents.

    The bounds are exact.

    Raises
    ------
    RubricError
        If the measure's gain table does not fit the grades, or ties are to be averaged for a
        measure that is no weighted sum of gains.

    >>> import numpy as np
    >>> one = JudgedRankings(
    ...     grades=np.array([[1, -1]], dtype=np.int8),  # rank 2 is unjudged
    ...     judged=np.array([[0, 1, 0, 0]]),
    ...     unjudged=np.array([1]),
    ... )
    >>> scores = evaluate(Measure.parse("nDCG@2"), one)
    >>> scores.zero_filled.round(2), scores.lower.round(2), scores.upper.round(2)
    (array([1.]), array([0.71]), array([1.]))
    """
    rules = rules or Rules()
    blocks = [_evaluate(measure, block, rules) for block in _blocks(rankings)]
    return blocks[0] if len(blocks) == 1 else _joined(blocks)


def zero_filled(
    measure: Measure, rankings: JudgedRankings, rules: Rules | None = None
) -> FloatArray:
    """What trec_eval would print: unjudged documents count as grade 0. Shape (N,), no bounds.

    The same as :attr:`Scores.zero_filled`, in a fraction of the time.
    """
    rules = rules or Rules()
    unlabelled = _unlabelled(measure, rankings, rules)
    if rules.own_ideal:
        rankings = own_documents_only(rankings)
    score_of, _ = _functions(measure, rankings)
    score = score_of(rankings, setting(measure, rules, rankings.top))
    return np.where(unlabelled, np.nan, np.nan_to_num(score) if rules.empty_ideal_zero else score)


def _blocks(rankings: JudgedRankings) -> Iterator[JudgedRankings]:
    """Some rankings at a time, so that memory does not grow with their number."""
    count, depth = rankings.grades.shape
    size = max(1, _BLOCK // max(depth, 1))
    for start in range(0, max(count, 1), size):
        yield rankings.only(slice(start, start + size))


def _joined(blocks: Sequence[Scores]) -> Scores:
    names = blocks[0].arrays()
    return Scores(
        **{name: np.concatenate([one.arrays()[name] for one in blocks]) for name in names}
    )


def _unlabelled(measure: Measure, rankings: JudgedRankings, rules: Rules) -> BoolArray:
    """Which queries have no label: no query of any qrels, so nothing counts of them as 0 yet.

    How much is judged is known even of these, but tools that read qrels leave them out.
    """
    if not measure.kind.by_grade and not rules.empty_ideal_zero:
        return np.zeros(len(rankings.judged), dtype=np.bool_)
    return np.asarray(rankings.judged.sum(axis=1) == 0)


def _evaluate(measure: Measure, rankings: JudgedRankings, rules: Rules) -> Scores:
    unlabelled = _unlabelled(measure, rankings, rules)
    if rules.own_ideal:
        rankings = own_documents_only(rankings)
    (score, bounds), how = _functions(measure, rankings), setting(measure, rules, rankings.top)
    lower, upper = bounds(rankings, how)
    known, kind = np.where(unlabelled, np.nan, score(rankings, how)), measure.kind
    closed = (
        np.where(unlabelled, np.nan, score(condense(rankings), how)) if kind.by_grade else known
    )
    held = rankings.in_top(measure.k)
    cut = rankings.grades[:, : held.shape[1]]
    scores = Scores(
        lower=lower + 0.0,  # never -0.0
        upper=upper + 0.0,
        zero_filled=known,
        condensed=closed,
        doubtful=np.isnan(known) & ~np.isnan(upper),
        judged=np.sum(held & (cut >= 0), axis=1),
        places=np.sum(held, axis=1),
        residual=kind.residual and kind.residual(rankings.grades[:, : measure.k], how),
    )
    return _with_zeros(scores, unlabelled) if rules.empty_ideal_zero else scores


def _functions(measure: Measure, rankings: JudgedRankings) -> tuple[Score, ScoreBounds]:
    """How these rankings are scored, and how bounded."""
    kind = measure.kind
    if rankings.tied is None:
        return kind.score, kind.bounds
    if kind.weighted is None:
        known = ", ".join(one.name for one in KINDS.values() if one.weighted)
        raise RubricError(f"measure {measure}", [f"ties can be averaged for {known} only"])
    return kind.weighted.score, kind.weighted.bounds


def _with_zeros(scores: Scores, unlabelled: BoolArray) -> Scores:
    """Undefined is 0: a doubtful query may then be worth 0 as well as what it may be worth.

    Queries without a label stay out, and in doubt, until they have one.
    """
    lower = np.where(scores.doubtful, np.minimum(scores.lower, 0), scores.lower)
    upper = np.where(scores.doubtful, np.maximum(scores.upper, 0), scores.upper)
    zero_filled, condensed = np.nan_to_num(scores.zero_filled), np.nan_to_num(scores.condensed)
    return replace(
        scores,
        lower=np.nan_to_num(lower),
        upper=np.nan_to_num(upper),
        zero_filled=np.where(unlabelled, np.nan, zero_filled),
        condensed=np.where(unlabelled, np.nan, condensed),
        doubtful=unlabelled.copy(),
    )
