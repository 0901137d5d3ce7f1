"""What an import changes of the labels that hold: those before it beside those after it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from annotator.store import log
from annotator.store.precedence import states
from annotator.store.sqlite.file import Params, ProjectFile

SHOWN = 5

_INTO = """
INSERT INTO temp.{table} (pair, assessor, event, grade, holds)
SELECT pair_id, assessor_id, event_id, iif(rubric_version_id IN ({versions}), grade, NULL),
    judged || name
FROM {states} JOIN assessor ON assessor.id = assessor_id WHERE kind != 'model'
"""
_LABELS = """
(SELECT pair, assessor, grade, max(holds) FROM temp.{table} WHERE grade IS NOT NULL GROUP BY pair)
"""
_BEFORE, _AFTER = (_LABELS.format(table=f"staged_{one}") for one in ("before", "after"))
_BOTH = f"{_BEFORE} AS before JOIN {_AFTER} AS after ON after.pair = before.pair"
_CHANGED = f"FROM {_BOTH} WHERE before.grade != after.grade"
_NEW = f"FROM {_AFTER} WHERE pair NOT IN (SELECT pair FROM {_BEFORE})"  # noqa: S608 -- only names
_GONE = f"FROM {_BEFORE} WHERE pair NOT IN (SELECT pair FROM {_AFTER})"  # noqa: S608 -- only names
_EXAMPLES = f"""
SELECT qid, docid, before.grade, after.grade, name FROM {_BOTH}
JOIN pair ON pair.id = before.pair JOIN query ON query.id = query_id
JOIN document ON document.id = document_id JOIN assessor ON assessor.id = after.assessor
WHERE before.grade != after.grade ORDER BY pair.id LIMIT {SHOWN}
"""  # noqa: S608 -- only names
_OLDER = """
SELECT count(DISTINCT pair || ' ' || staged_after.assessor)
FROM judgment JOIN temp.staged_after ON pair = pair_id AND assessor = assessor_id
WHERE judgment.id > :last AND judgment.grade IS NOT NULL AND undoes IS NULL AND event <= :last
"""


class Change(NamedTuple):
    """A pair whose label is another one now, and who gave that."""

    qid: str
    docid: str
    before: int
    after: int
    assessor: str


class Changes(NamedTuple):
    """What was stored, and what that did to the labels of pairs.

    ``entries`` counts what was stored of each assessor. Pairs that have a label now and had none
    are ``new``, with another label ``changed`` (``examples`` are the first of them), with none now
    ``gone``. ``older`` counts the pairs of which an assessor's stored label is older than what they
    said of it already, which holds. ``future`` counts entries that say they were made after now.
    """

    entries: dict[str, int]
    new: int
    changed: int
    examples: list[Change]
    gone: int
    older: int
    future: int


class LabelChanges:
    """Looks at the labels of some pairs before and after an import, inside its `writing`.

    Parameters
    ----------
    pairs
        A statement of SQL for the numbers of the pairs, with ``params``.
    versions
        The rubric versions under which labels count.
    """

    def __init__(
        self, file: ProjectFile, pairs: str, versions: Iterable[int], params: Params = ()
    ) -> None:
        self._file = file
        self._last = log.last_stored(file)
        self._versions = ",".join(str(int(one)) for one in versions)
        for table in ("staged_pair", "staged_before", "staged_after"):
            file.execute(f"DELETE FROM temp.{table}")  # noqa: S608 -- only names
        file.execute(f"INSERT OR IGNORE INTO temp.staged_pair {pairs}", params)
        self._look("staged_before")

    def found(self, now: str) -> Changes:
        """What has changed since."""
        self._look("staged_after")
        file, last = self._file, {"last": self._last, "now": now}
        entries = file.tuples(
            "SELECT name, count(*) FROM judgment JOIN assessor ON assessor.id = assessor_id"
            " WHERE judgment.id > :last GROUP BY assessor_id ORDER BY min(judgment.id)",
            last,
        )
        return Changes(
            entries=dict(entries),
            new=self._count(_NEW),
            changed=self._count(_CHANGED),
            examples=[Change._make(row) for row in file.tuples(_EXAMPLES)],
            gone=self._count(_GONE),
            older=int(file.tuples(_OLDER, last)[0][0]),
            future=self._count("FROM judgment WHERE id > :last AND at > :now", last),
        )

    def _look(self, table: str) -> None:
        held = states("one.pair_id IN (SELECT pair FROM temp.staged_pair)")
        sql = _INTO.format(table=table, versions=self._versions, states=held)
        self._file.execute(sql)

    def _count(self, source: str, params: Params = ()) -> int:
        return int(self._file.tuples(f"SELECT count(*) {source}", params)[0][0])
