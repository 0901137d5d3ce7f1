"""Agreement of the assessors whose labels are in qrels files, without a project."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from annotator.actions.files.grades import read_grades
from annotator.blocks.codes import Codes
from annotator.domain import IntArray
from annotator.formats import Hints, Kind
from annotator.formats.input.source import Source
from annotator.formats.naming import names_of
from annotator.formats.shared_hints import describe
from annotator.results.agreement import AgreementTable
from annotator.scoring.assessors import Ratings, compare_assessors
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

    An assessor is a name in a column of assessors, in whichever file, else the file itself. An
    assessor's latest grade of a pair counts. Without a rubric grades go up to the highest in the
    files, and relevance begins at grade 1.

    Raises
    ------
    InputError
        If a file is bad, or a grade is outside the rubric.
    UsageError
        If there are fewer than two assessors, no pair has two labels, or the hints do not fit.
    """
    sources = [Source(path, imported=False) for path in files]
    if hints is not None:
        describe([(Kind.QRELS, source) for source in sources], hints)
    documents, queries = Codes(), dict[str, int]()
    said = dict[str, list[IntArray]]()
    for source, called in zip(sources, names_of(files), strict=True):
        grades = read_grades(source, documents, rubric)
        numbers = np.array([queries.setdefault(qid, len(queries)) for qid in grades.qids])
        for number, name in enumerate(grades.assessors):
            rows = np.flatnonzero((grades.assessor == number) & (grades.grade >= 0))
            part = numbers[grades.query[rows]], grades.document[rows], grades.grade[rows]
            said.setdefault(name or called, []).append(np.stack([*part, grades.at[rows]]))
    ratings = [_latest(name, np.concatenate(parts, axis=1)) for name, parts in said.items()]
    highest = max((int(one.grade.max(initial=1)) for one in ratings), default=1)
    return compare_assessors(
        ratings,
        list(queries),
        top=rubric.top if rubric else highest,
        threshold=threshold or (rubric.threshold if rubric else 1),
        seed=seed,
    )


def _latest(assessor: str, rows: IntArray) -> Ratings:
    """What counts of the rows of an assessor, (4, N): of each pair the latest, else the last."""
    rows = rows[:, np.argsort(rows[3], kind="stable")][:, ::-1]
    query, document, grade, _ = rows[:, np.unique(rows[0] << 32 | rows[1], return_index=True)[1]]
    return Ratings(assessor, query, document, grade)
