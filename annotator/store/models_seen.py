"""What models said of a pair, for an assessor who has graded it themselves; the log says so."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from annotator.store.judgments import repeating
from annotator.store.model_labels import MODELS_SEEN
from annotator.store.project import Project
from annotator.store.rubrics import RubricVersion


class ModelSaid(NamedTuple):
    """The grade of one model, None where its answer was none."""

    model: str
    grade: int | None


class ModelsSeen:
    """The part of a desk that shows what models said, and keeps that it did."""

    project: Project
    _number: int
    _active: RubricVersion
    _own: set[int]

    def see_models(self, pair: int) -> list[ModelSaid] | None:
        """What models said of a pair; None before the assessor has graded it themselves.

        An entry of the log says that they have seen it: another grade of theirs is not blind.

        Raises
        ------
        ProjectError
            If that could not be stored; nothing is shown then.
        """
        project, judgments = self.project, self.project.judgments
        with project.file.writing():
            said = judgments.said(self._number, pair)
            if said is None or said.judgment.grade is None:
                return None
            found = [ModelSaid(*one) for one in project.models.said_of(pair)]
            if found and not project.models.seen_by(self._number, pair):
                entry = repeating(said, pair, self._number, self._active.id, project.now())
                seen = replace(entry, chosen=MODELS_SEEN, blind=False)
                self._own.add(judgments.add(seen))
        return found
