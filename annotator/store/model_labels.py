"""What models said of pairs, which is no label; and to whom it was shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from annotator.store import log
from annotator.store.precedence import states
from annotator.store.removals import QUERY, removed
from annotator.store.sqlite.file import ProjectFile


class Answered(NamedTuple):
    """What holds of a model for a pair: ``grade`` is None where its answer was no grade.

    ``answer`` is as :mod:`annotator.formats.model_answers` writes it.
    """

    query: int
    document: int
    grade: int | None
    answer: str


class ModelLabelTable:
    """The answers of models in the log of a project."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def models(self) -> dict[str, int]:
        """The number of every model, by the name of its assessor."""
        rows = self._file.tuples("SELECT name, id FROM assessor WHERE kind = 'model' ORDER BY name")
        return dict(rows)

    def answers(self, model: int, versions: Iterable[int], then: str = "A") -> list[Answered]:
        """What holds of a model for each pair under these rubric versions; ``then``: a stored time.

        Raises
        ------
        ProjectError
            If the log is not as it was stored.
        """
        log.check(self._file)
        under = ",".join(str(int(one)) for one in versions)
        rows = self._file.tuples(
            "SELECT query_id, document_id, grade, answer FROM"  # noqa: S608 -- only numbers
            f" {states('one.assessor_id = :model', then=':then')} JOIN pair ON pair.id = pair_id"
            f" WHERE answer IS NOT NULL AND rubric_version_id IN ({under})"
            f" AND query_id NOT IN {removed(QUERY)}"
            " ORDER BY query_id, document_id",
            {"model": model, "then": then},
        )
        return [Answered._make(row) for row in rows]
