"""The labels that hold, counted from the judgment log itself: no index has a say in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from annotator.domain import BoolArray, Int32Array, IntArray
from annotator.store.precedence import MICROSECONDS, Entries, earliest, holding
from annotator.store.removals import QUERY, removed
from annotator.store.sqlite.batches import in_pieces
from annotator.store.sqlite.file import ProjectFile
from annotator.text.times import as_microseconds


class Labels(NamedTuple):
    """The label that holds for each judged pair, and how it came to be the one.

    ``query``, ``document`` and ``grade`` have one element a pair. Where assessors differ the
    latest label holds, and ``disputed`` counts such pairs. What models said is left out.
    ``assessors`` are those whose labels hold anywhere, ``outdated`` counts pairs with labels under
    earlier rubric versions only.
    ``event`` is the entry of the log that each label stands in, ``given`` the one that gave it
    first, where a later one says it again; ``by_eye`` tells whether its pair came into the log by
    being picked in a ranking that showed who returned it. ``foreign`` tells that it is not known
    how its pair was chosen: it came into the log from a file or by a model, or before such pairs.
    """

    query: Int32Array
    document: Int32Array
    grade: Int32Array
    assessors: list[str]
    disputed: int
    outdated: int
    event: IntArray
    given: IntArray
    by_eye: BoolArray
    foreign: BoolArray


_BY_EYE = "blind = 0 AND ifnull(chosen, 'eye') = 'eye' AND kind = 'human'"
"""Whether an entry is of a document picked in a ranking."""

OF_EARLIER_TEXT = (
    "text_hash != '' AND text_hash != coalesce((SELECT hash FROM document INDEXED BY"
    " document_with_text WHERE hash != ''"
    " AND document.id = (SELECT document_id FROM pair WHERE pair.id = pair_id)), text_hash)"
)
"""Whether an entry of the log speaks of another text than its document has now."""

PICKED = (
    "SELECT pair_id FROM judgment AS first JOIN assessor ON assessor.id = assessor_id"  # noqa: S608 -- only names
    f" WHERE {_BY_EYE}"
    " AND NOT EXISTS (SELECT 1 FROM judgment WHERE pair_id = first.pair_id"
    " AND (at, identity) < (first.at, first.identity)"
    " AND assessor_id NOT IN (SELECT id FROM assessor WHERE kind = 'model'))"
)
"""Pairs whose first entry, by its time, is of a document picked in a ranking."""

_COLUMNS = (
    "judgment.id, query_id, document_id, assessor_id, rubric_version_id, ifnull(grade, -1)",
    "ifnull(restates, judgment.id), ifnull(undoes, 0)",
    MICROSECONDS,
    _BY_EYE,
    "kind != 'human'",
)
_ENTRIES = (
    f"SELECT {', '.join(_COLUMNS)} FROM judgment"  # noqa: S608 -- only names
    " CROSS JOIN pair NOT INDEXED ON pair.id = pair_id"
    " CROSS JOIN assessor NOT INDEXED ON assessor.id = assessor_id"
    f" WHERE query_id NOT IN {removed(QUERY)} AND {{whose}} AND judgment.id > ?"
    " ORDER BY judgment.id LIMIT ?"
)


class AssessorLabels(NamedTuple):
    """What one assessor gave each pair in the end; arrays of one length, a pair once."""

    assessor: str
    query: IntArray
    document: IntArray
    grade: IntArray


def labels_by_assessor(
    file: ProjectFile, versions: Sequence[int], as_of: datetime | None, models: Sequence[int] = ()
) -> list[AssessorLabels]:
    """The labels of every assessor by themselves, whoever else judged the pair; by name.

    Of models only those of these numbers.
    """
    import numpy as np

    log = _Log.read(file, models)
    held = log.graded(as_of)
    held = held[np.isin(log.version[held], versions)]
    return [
        AssessorLabels(log.names[number], log.query[rows], log.document[rows], log.grade[rows])
        for number in sorted(log.names, key=lambda one: log.names[one])
        if len(rows := held[log.assessor[held] == number])
    ]


def labels_in(
    file: ProjectFile,
    versions: Sequence[int],
    assessors: Sequence[int] | None,
    as_of: datetime | None,
) -> Labels:
    """The labels that hold under these rubric versions; see :meth:`JudgmentTable.labels`."""
    import numpy as np

    log = _Log.read(file, assessors or ())
    then = _moment(as_of)
    pair, document, assessor, grade = log.pair, log.document, log.assessor, log.grade
    first = earliest(log.entries)
    graded = log.graded(as_of)
    if assessors is not None:
        graded = graded[np.isin(assessor[graded], assessors)]
    now = np.isin(log.version[graded], versions)
    held, earlier = graded[now][::-1], graded[~now]
    labelled, latest = np.unique(pair[held], return_index=True)
    differing = np.unique(np.stack((pair[held], grade[held])), axis=1)[0]
    label = held[latest]
    came, begun = log.strange[first] > 0, log.entries.at[first]
    since = begun[came & (begun <= then)].max(initial=0)
    return Labels(
        query=log.query[label].astype(np.int32),
        document=document[label].astype(np.int32),
        grade=grade[label].astype(np.int32),
        assessors=[log.names[number] for number in np.unique(assessor[label]).tolist()],
        disputed=int(np.sum(np.bincount(differing) > 1)),
        outdated=len(np.setdiff1d(pair[earlier], labelled)),
        event=log.entries.event[label],
        given=log.entries.given[label],
        by_eye=log.picked[first][labelled] > 0,
        foreign=(came | (begun < since))[labelled],
    )


class _Log(NamedTuple):
    """The entries of the log as arrays of one length, in the order they were stored."""

    entries: Entries
    pair: IntArray
    query: IntArray
    document: IntArray
    assessor: IntArray
    version: IntArray
    grade: IntArray
    picked: IntArray
    strange: IntArray
    names: dict[int, str]

    @classmethod
    def read(cls, file: ProjectFile, models: Sequence[int]) -> _Log:
        """Read it without what models said, but for those named; pairs are numbered from 0."""
        import numpy as np

        columns = _entries(file, models).T
        names = dict(file.tuples("SELECT id, name FROM assessor"))  # after: some may be new
        event, query, document, assessor, version, grade, given, undoes, at = columns[:9]
        _, pair = np.unique(query << 32 | document, return_inverse=True)
        rank = np.zeros(max(names, default=0) + 1, dtype=np.int64)
        rank[sorted(names, key=lambda number: names[number])] = np.arange(len(names))
        tie = _ties(file, event, pair, at)
        entries = Entries(event, pair, rank[assessor], given, undoes, at, tie)
        ids = query, document, assessor, version
        return cls(entries, pair, *ids, grade, columns[9], columns[10], names)

    def graded(self, as_of: datetime | None) -> IntArray:
        """The places of the labels that hold of each assessor and pair, as :func:`holding` does."""
        held = holding(self.entries, self.entries.at <= _moment(as_of))
        return held[self.grade[held] >= 0]


def _ties(file: ProjectFile, event: IntArray, pair: IntArray, at: IntArray) -> IntArray:
    """Where entries are of one pair and moment the place of each by its identity, else 0."""
    import numpy as np

    order = np.lexsort((at, pair))
    follows = (np.diff(pair[order]) == 0) & (np.diff(at[order]) == 0)
    tied = np.unique(np.concatenate((order[:-1][follows], order[1:][follows])))
    places = np.zeros(len(event), dtype=np.int64)
    if tied.size:
        rows = file.tuples(
            "SELECT id FROM judgment WHERE id IN (SELECT value FROM json_each(?))"
            " ORDER BY identity",
            (json.dumps(event[tied].tolist()),),
        )
        by_identity = np.array(rows, dtype=np.int64).ravel()
        places[np.searchsorted(event, by_identity)] = np.arange(len(by_identity))
    return places


def _moment(as_of: datetime | None) -> int:
    import numpy as np

    return int(np.iinfo(np.int64).max) if as_of is None else as_microseconds(as_of)


def _entries(file: ProjectFile, models: Sequence[int]) -> IntArray:
    """The entries as numbers, in the order they were stored."""
    import numpy as np

    named = ",".join(str(int(one)) for one in models)
    sql = _ENTRIES.format(whose=f"(kind != 'model' OR assessor_id IN ({named}))")
    pieces = [np.array(piece, dtype=np.int64) for piece in in_pieces(file.tuples, sql)]
    return np.concatenate([np.empty((0, 11), dtype=np.int64), *pieces])
