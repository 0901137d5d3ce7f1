"""Agreement of the assessors whose labels are in qrels files, without a project."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from annotator.actions.files.boards import HIGHEST
from annotator.actions.files.grades import FileGrades
from annotator.actions.imports.grade_hints import note_faults
from annotator.blocks.codes import Codes
from annotator.domain import IntArray
from annotator.formats import Hints, Kind, each_qrel
from annotator.formats.naming import system_name
from annotator.formats.problems import Problems
from annotator.formats.shared_hints import describe
from annotator.formats.text.source import Source
from annotator.scoring.agreement import AgreementTable, Ratings, compare_assessors
from rubric import Rubric


def agreement_of_files(
    files: Sequence[Path],
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    threshold: int | None = None,
    seed: int = 0,
) -> AgreementTable:
    """Compare the assessors of qrels files.

    An assessor is a name in a file's column of assessors, else the file itself. Of what one
    assessor said of a pair the latest counts. Without a rubric grades go up to the highest in the
    files, and relevance begins at grade 1.

    Raises
    ------
    InputError
        If a file is bad, or a grade is outside the rubric.
    UsageError
        If there are fewer than two assessors, no pair has two labels, or the hints do not fit.
    """
    sources = [Source(path) for path in files]
    if hints is not None:
        describe([(Kind.QRELS, source) for source in sources], hints)
    documents, queries = Codes(), dict[str, int]()
    ratings: list[Ratings] = []
    for source in sources:
        grades = _read(source, documents, rubric)
        ratings += _ratings(grades, source.name, queries)
    top = rubric.top if rubric else max(1, *(int(one.grade.max(initial=1)) for one in ratings))
    relevant = threshold or (rubric.threshold if rubric else 1)
    return compare_assessors(ratings, list(queries), top=top, threshold=relevant, seed=seed)


def _read(source: Source, documents: Codes, rubric: Rubric | None) -> FileGrades:
    problems = Problems(source.name)
    grades = FileGrades.of(each_qrel(source, problems), documents)
    scale = f"the rubric {rubric.name}" if rubric else "what can be scored"
    note_faults(grades, rubric.top if rubric else HIGHEST, scale, problems)
    problems.raise_if_any("qrels")
    return grades


def _ratings(grades: FileGrades, file: str, queries: dict[str, int]) -> Iterator[Ratings]:
    numbers = np.array([queries.setdefault(qid, len(queries)) for qid in grades.qids])
    for number, name in enumerate(grades.assessors):
        rows = _latest(grades, number)
        query = numbers[grades.query[rows]]
        called = name or system_name(Path(file))
        yield Ratings(called, query, grades.document[rows].astype(np.int64), grades.grade[rows])


def _latest(grades: FileGrades, assessor: int) -> IntArray:
    """The row that counts of each pair that an assessor graded: the latest."""
    rows = np.flatnonzero((grades.assessor == assessor) & (grades.grade >= 0))
    rows = rows[np.argsort(grades.at[rows], kind="stable")][::-1]
    keys = grades.query[rows].astype(np.int64) << 32 | grades.document[rows]
    return rows[np.unique(keys, return_index=True)[1]]
