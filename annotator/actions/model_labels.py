"""From a project to what models said of its pairs."""

from __future__ import annotations

from datetime import datetime

import numpy as np

from annotator.errors import UsageError
from annotator.scoring.pairs import ModelGrades
from annotator.store import Project
from annotator.text.times import stored


def model_grades(project: Project, as_of: datetime | None = None) -> tuple[ModelGrades, ...]:
    """The grades that each model gave (by then) under rubrics that count, by the models' names.

    A model without any is left out.
    """
    versions = sorted(project.rubrics.counted(as_of))
    then = "A" if as_of is None else stored(as_of)
    found = []
    for name, number in project.models.models().items():
        rows = [
            (one.query, one.document, one.grade)
            for one in project.models.answers(number, versions, then)
            if one.grade is not None
        ]
        if rows:
            query, document, grade = np.array(rows, dtype=np.int32).T
            found.append(ModelGrades(name, query, document, grade))
    return tuple(found)


def wanted_grades(project: Project, as_of: datetime | None = None) -> tuple[ModelGrades, ...]:
    """The same for a person who asks for them.

    Raises
    ------
    UsageError
        If there are none.
    """
    found = model_grades(project, as_of)
    if not found:
        raise UsageError(
            "--models: no labels of a model are in the project; "
            "`annotator import judgments FILE --model NAME --prompt FILE` brings them in"
        )
    return found
