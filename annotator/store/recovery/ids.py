"""Ids of which a damaged file has two versions: one in the table, one in the table's index."""

from __future__ import annotations

import sqlite3

from annotator.store.recovery.log import provable
from annotator.store.recovery.tables import Wreck
from annotator.store.sqlite.file import ProjectFile

IDS = {"assessor": "name", "query": "qid", "document": "docid", "pair": "query_id, document_id"}
"""The ids that the links of the log are over, by table."""

MOST = 20
"""So many of them are looked at: each has the whole log read anew."""


def settle_ids(old: Wreck, new: ProjectFile) -> bool:
    """Take that version by which more of the log is as it was stored; else that of the table.

    Whether any other version than the table's was taken.
    """
    doubtful = [
        (table, columns, number, there, other)
        for table, columns in IDS.items()
        for number, there, other in _differing(old, new, table, columns)
    ]
    before = best = provable(old, new) if doubtful else 0
    for table, columns, number, there, other in doubtful[:MOST]:
        if not _put(new, table, columns, number, other):
            continue
        proved = provable(old, new)
        if proved > best:
            best = proved
        else:
            _put(new, table, columns, number, there)
    return best > before


def _differing(
    old: Wreck, new: ProjectFile, table: str, columns: str
) -> list[tuple[int, tuple[object, ...], tuple[object, ...]]]:
    """Number, version of the table and of the index."""
    there = {
        number: tuple(values)
        for number, *values in new.tuples(f"SELECT id, {columns} FROM {table}")  # noqa: S608 -- only names
    }
    index = ((number, tuple(row.values())) for number, row in old.index(table, columns))
    return [
        (number, there[number], other)
        for number, other in index
        if number in there and there[number] != other
    ]


def _put(
    new: ProjectFile, table: str, columns: str, number: int, values: tuple[object, ...]
) -> bool:
    """Store an id; False if another row has it, or it cannot be one."""
    marks = ",".join("?" * len(values))
    sql = f"UPDATE {table} SET ({columns}) = ({marks}) WHERE id = ?"  # noqa: S608 -- only names
    try:
        new.db.execute(sql, (*values, number))
    except sqlite3.IntegrityError:
        return False
    return True
