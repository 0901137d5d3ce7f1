"""What models said of pairs, which is no label; and to whom it was shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from annotator.store import log
from annotator.store.precedence import states
from annotator.store.removals import QUERY, removed
from annotator.store.sqlite.file import ProjectFile

MODELS_SEEN = "models seen"
"""What stands, in the place of the order of judging, in an entry that says only that the assessor
has seen what models said of a pair."""


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

    def said_of(self, pair: int) -> list[tuple[str, int | None]]:
        """The name and grade of each model that said anything of a pair; None: no grade."""
        return self._file.tuples(
            "SELECT name, grade FROM"  # noqa: S608 -- only names
            f" {states('one.pair_id = ?')} JOIN assessor ON assessor.id = assessor_id"
            " WHERE kind = 'model' AND answer IS NOT NULL ORDER BY name",
            (pair,),
        )

    def seen_by(self, assessor: int, pair: int) -> bool:
        """Whether an assessor has ever seen what models said of a pair."""
        sql = "SELECT 1 FROM judgment WHERE pair_id = ? AND assessor_id = ? AND chosen = ?"
        return bool(self._file.tuples(sql, (pair, assessor, MODELS_SEEN)))

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
