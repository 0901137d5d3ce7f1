"""Which queries an assessor no longer grades blind: those whose rankings they have looked at."""

from __future__ import annotations

from annotator.store.sqlite.file import ProjectFile


class SightTable:
    """The queries that each assessor has seen the rankings of."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def add(self, assessor: int, query: int, now: str) -> None:
        """Store durably that an assessor looks at the rankings of a query."""
        if self.has(assessor, query):
            return
        with self._file.writing():
            self._file.execute(
                "INSERT OR IGNORE INTO sight (assessor_id, query_id, since) VALUES (?, ?, ?)",
                (assessor, query, now),
            )
            self._file.seal("sight")

    def all(self) -> list[tuple[str, str, str]]:
        """Each assessor with each query that they have seen the rankings of, and since when."""
        self._file.check("sight")
        return self._file.tuples(
            "SELECT name, qid, since FROM sight JOIN assessor ON assessor.id = assessor_id"
            " JOIN query ON query.id = query_id ORDER BY sight.id"
        )

    def has(self, assessor: int, query: int) -> bool:
        """Whether the assessor has ever looked at the rankings of this query.

        Raises
        ------
        ProjectError
            If what is stored of that is not as it was stored.
        """
        self._file.check("sight")
        return bool(
            self._file.tuples(
                "SELECT 1 FROM sight WHERE assessor_id = ? AND query_id = ?", (assessor, query)
            )
        )
