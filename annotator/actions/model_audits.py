"""From a project to how far its models agree with its people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from annotator.actions.judged_pool import JudgedPool, judged_pool
from annotator.actions.model_labels import model_grades
from annotator.actions.scoring import named_systems
from annotator.domain import BoolArray, Int32Array, IntArray
from annotator.errors import UsageError
from annotator.formats import model_answers
from annotator.results.model_audits import Missed, ModelAudit, ModelAuditTable, Slope
from annotator.scoring.assessors import Ratings, compare_assessors
from annotator.scoring.pairs import ModelGrades
from annotator.store import Labels, Project
from rubric.arrays import GradeArray
from rubric.model.evidence import evidence
from rubric.model.expectation import NORMAL_95
from rubric.model.grade_model import GradeModel
from rubric.model.model_labels import ModelLabels

PEOPLE = "people"
LENGTHS = ("short", "middle", "long")
"""Documents by the length of their text, a third of them each."""
_SPAN = np.int64(2**31)


class _Shared(NamedTuple):
    """The pairs that people and a model have graded: arrays of one length."""

    query: IntArray
    document: IntArray
    people: IntArray
    model: IntArray


def audit_models(
    project: Project, names: Sequence[str] = (), *, threshold: int | None = None, seed: int = 0
) -> ModelAuditTable:
    """Compare each model (of those named), and the mean of several, with the labels that hold.

    Raises
    ------
    UsageError
        If there are no labels of a model, or none of a pair that a person has graded too.
    """
    every = model_grades(project)
    if unknown := set(names) - {one.name for one in every}:
        raise UsageError(
            f"no labels of a model {', '.join(sorted(unknown))}; there are: "
            f"{', '.join(one.name for one in every) or 'none yet'}"
        )
    chosen = [one for one in every if not names or one.name in names]
    if not chosen:
        raise UsageError(
            "no labels of a model are in the project; `annotator import judgments FILE --model "
            "NAME --prompt FILE` brings them in"
        )
    audits = _Audits(project, threshold or project.rubrics.active().rubric.threshold, seed)
    found = [audits.of(one.name, [one]) for one in chosen]
    if len(chosen) > 1:
        found.append(audits.of(f"mean of {len(chosen)}", chosen))
    return ModelAuditTable(tuple(found))


class _Audits:
    """What all audits of a project have in common."""

    def __init__(self, project: Project, threshold: int, seed: int) -> None:
        self._project, self._threshold, self._seed = project, threshold, seed
        self._top = project.rubrics.active().rubric.top
        self._labels = project.judgments.labels(project.rubrics.counted())
        self._qids = {number: qid for qid, number in project.queries.ids().items()}
        self._pool = judged_pool(project)
        self._systems = list(named_systems(project, None))
        documents = project.pool.numbered_pairs()
        self._pairs = {pair: (query, document) for pair, query, document in
                       zip(*(part.tolist() for part in documents), strict=True)}  # fmt: skip

    def of(self, name: str, models: Sequence[ModelGrades]) -> ModelAudit:
        """One model, or the mean of several, rounded where grades are counted."""
        shared = _shared(self._labels, models)
        if not len(shared.query):
            raise UsageError(
                f"nobody has graded a pair that {name} has graded: there is nothing to compare"
            )
        qids = [self._qids.get(number, "") for number in range(max(self._qids) + 1)]
        pairs = shared.query, shared.document
        agreement = compare_assessors(
            [Ratings(PEOPLE, *pairs, shared.people), Ratings(name, *pairs, shared.model)],
            qids, top=self._top, threshold=self._threshold, seed=self._seed,
        )  # fmt: skip
        leniency = self._leniency(shared)
        spread = [off for _, off in leniency]
        failed, cost = self._answers(models)
        return ModelAudit(
            model=name,
            labels=sum(len(one.grade) for one in models),
            failed=failed,
            cost=cost,
            agreement=agreement,
            slope=self._slope(models),
            leniency=leniency,
            leniency_sd=float(np.std(spread, ddof=1)) if len(spread) > 1 else None,
            missed=tuple(self._missed(shared)),
        )

    def _answers(self, models: Sequence[ModelGrades]) -> tuple[int, float | None]:
        """How many answers are no grades, and what a label cost in the mean."""
        numbers = self._project.models.models()
        versions = self._project.rubrics.counted()
        answers = [
            one
            for model in models
            for one in self._project.models.answers(numbers[model.name], versions)
        ]
        costs = [model_answers.loads(one.answer).cost for one in answers]
        known = [cost for cost in costs if cost is not None]
        failed = sum(one.grade is None for one in answers)
        return failed, sum(known) / len(known) if known else None

    def _leniency(self, shared: _Shared) -> tuple[tuple[str, float], ...]:
        off = shared.model - shared.people
        means = [(self._qids[number], float(off[shared.query == number].mean()))
                 for number in np.unique(shared.query).tolist()]  # fmt: skip
        return tuple(sorted(means, key=lambda one: (-one[1], one[0])))

    def _slope(self, models: Sequence[ModelGrades]) -> Slope | None:
        """The weight of the grade in the grade model, by the labels that it may learn from."""
        pool = self._pool
        said = np.stack([self._in_pool(pool, one) for one in models])
        learned = evidence(pool.ranks, pool.grades, pool.by_eye, pool.foreign).learned
        if not ((said >= 0).any(axis=0) & learned).any():
            return None
        sloping = ModelLabels.sloping(said, pool.ranks.known)
        ranks = pool.ranks.with_models(sloping)
        model = GradeModel(ranks, self._top)
        model.fit(np.where(learned, pool.grades, -1).astype(np.int8))
        at = len(model.parameters) - sloping.columns.shape[2]
        value = float(model.parameters[at])
        half = NORMAL_95 * float(np.sqrt(np.linalg.inv(model.precision)[at, at]))
        return Slope(value, value - half, value + half)

    def _in_pool(self, pool: JudgedPool, model: ModelGrades) -> GradeArray:
        said = {(query, document): grade for query, document, grade in
                zip(model.query.tolist(), model.document.tolist(), model.grade.tolist(),
                    strict=True)}  # fmt: skip
        table = np.full(pool.pairs.shape, -1, dtype=np.int8)
        for row, column in zip(*np.nonzero(pool.pairs > 0), strict=True):
            table[row, column] = said.get(self._pairs[int(pool.pairs[row, column])], -1)
        return table

    def _missed(self, shared: _Shared) -> list[Missed]:
        """Of relevant documents those that the model calls not relevant, by what they are."""
        parts = [("grade", str(grade), shared.people == grade)
                 for grade in range(self._threshold, self._top + 1)]  # fmt: skip
        parts += [("length", name, part) for name, part in self._by_length(shared)]
        parts += [("system", name, part) for name, part in self._by_system(shared)]
        found = []
        for of, among, part in parts:
            relevant = part & (shared.people >= self._threshold)
            missed = int(np.sum(relevant & (shared.model < self._threshold)))
            off = (shared.model - shared.people)[part]
            if len(off):
                found.append(
                    Missed(of, among, int(relevant.sum()), missed, len(off), float(off.mean()))
                )
        return found

    def _by_length(self, shared: _Shared) -> list[tuple[str, BoolArray]]:
        """Which documents are short, middle or long; none of those without a text."""
        texts = self._project.documents.texts(np.unique(shared.document).tolist())
        lengths = {number: len(title) + len(text) for number, title, text in texts}
        if len(lengths) < len(LENGTHS):
            return []
        ends = np.quantile(list(lengths.values()), [1 / 3, 2 / 3])
        third = np.array(
            [np.searchsorted(ends, lengths[one]) if one in lengths else -1
             for one in shared.document.tolist()]
        )  # fmt: skip
        return [(name, third == at) for at, name in enumerate(LENGTHS)]

    def _by_system(self, shared: _Shared) -> list[tuple[str, BoolArray]]:
        """Which documents each system has in its top k."""
        pool, keys = self._pool, shared.query * _SPAN + shared.document
        found = []
        for at, name in enumerate(self._systems):
            pairs = pool.pairs[pool.ranks.in_top[at] & pool.pooled].tolist()
            held = [query * int(_SPAN) + document for query, document in
                    (self._pairs[pair] for pair in pairs)]  # fmt: skip
            found.append((name, np.isin(keys, np.array(held, dtype=np.int64))))
        return found


def _shared(labels: Labels, models: Sequence[ModelGrades]) -> _Shared:
    """The pairs that people and any of the models have graded; of several the rounded mean."""
    people = _keys(labels.query, labels.document)
    every = np.concatenate([_keys(one.query, one.document) for one in models])
    keys, place = np.unique(every, return_inverse=True)
    grades = np.concatenate([one.grade for one in models])
    mean = np.bincount(place, grades) / np.bincount(place)
    both, first, second = np.intersect1d(people, keys, return_indices=True)
    model = np.rint(mean[second]).astype(np.int64)
    return _Shared(both // _SPAN, both % _SPAN, labels.grade[first].astype(np.int64), model)


def _keys(query: Int32Array, document: Int32Array) -> IntArray:
    return query.astype(np.int64) * _SPAN + document
