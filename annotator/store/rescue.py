"""A new project from what can still be read of a damaged one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.records import Document
from annotator.store import seals
from annotator.store.file import ProjectFile
from annotator.store.rescued_log import rescue_log
from annotator.store.salvage import Row, Table, index, readable, table
from annotator.store.staged_texts import content_hash
from rubric import Rubric

_TABLES: dict[str, dict[str, Any]] = {
    "rubric_version": {"name": "", "version": 0, "text": "", "fingerprint": "", "created": ""},
    "rubric_in_force": {"rubric_version_id": 0, "carries": 0, "since": ""},
    "query": {"qid": "", "text": "", "description": "", "narrative": ""},
    "document": {"docid": "", "title": "", "text": None, "url": "", "hash": "", "metadata": "{}"},
    "system": {"name": "", "file_hash": "", "order_rule": "displayed", "findings": "{}",
               "created": ""},
    "ranking": {"system_id": 0, "query_id": 0, "documents": b"", "scores": b"", "checksum": None},
    "pair": {"query_id": 0, "document_id": 0},
    "pool": {"method": "rescued", "depth": 0, "seed": 0, "systems": "[]", "created": ""},
    "pool_entry": {"pair_id": 0, "pool_id": 0, "best_rank": 0, "systems": "[]"},
    "assessor": {"name": "", "kind": "human"},
}  # fmt: skip
"""Every table but the log, parents first, and what stands for a value that cannot be read."""

_IN_INDEX = {
    "query": "qid", "document": "docid", "system": "name", "assessor": "name",
    "pair": "query_id, document_id",
}  # fmt: skip


@dataclass
class Rescued:
    """What came over: rows by table, and sentences on what did not."""

    counts: dict[str, int] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)


def rescue(damaged: Path, target: Path, presets: Iterable[Rubric]) -> Rescued:
    """Make a new project of all that can be read and is as it was stored; the old stays as it is.

    Raises
    ------
    ProjectError
        If nothing can be read, or the new file cannot be made.
    """
    done, known = Rescued(), {one.fingerprint: one for one in presets}
    with readable(damaged) as old:

        def fill(new: ProjectFile) -> None:
            for name, blank in _TABLES.items():
                _bring(old, new, name, blank, done, known)
            _seal_systems(new)
            new.seal(*seals.SEALED)
            count, lost = rescue_log(old, new)
            done.counts["judgment"] = count
            done.lost += lost

        ProjectFile.create(target, fill).close()
    return done


def _bring(
    old: sqlite3.Connection,
    new: ProjectFile,
    name: str,
    blank: Row,
    done: Rescued,
    presets: Mapping[str, Rubric],
) -> None:
    found = table(old, name)
    _from_index(old, name, found)
    _stand_ins(old, name, found, presets)
    left_out = 0
    for number, row in sorted(found.rows.items()):
        values = blank | {key: row[key] for key in blank if row.get(key) is not None}
        fit = _FIT.get(name)
        if (fit and not fit(number, values)) or not _insert(new, name, number, values):
            left_out += 1
        else:
            done.counts[name] = done.counts.get(name, 0) + 1
    if not found.whole:
        done.lost.append(f"{name}: part of the table cannot be read")
    if left_out:
        done.lost.append(f"{name}: {left_out:,} rows are not as they were stored, or lack theirs")


def _from_index(old: sqlite3.Connection, name: str, found: Table) -> None:
    if name in _IN_INDEX and not found.whole:
        for number, row in index(old, name, _IN_INDEX[name]).items():
            found.rows.setdefault(number, row)


def _stand_ins(
    old: sqlite3.Connection, name: str, found: Table, presets: Mapping[str, Rubric]
) -> None:
    """What others refer to and cannot be read: pools anew, rubrics that the program knows."""
    if name == "pool" and not found.whole:
        for row in table(old, "pool_entry").rows.values():
            found.rows.setdefault(row["pool_id"], {})
    if name == "rubric_version":
        for number, row in index(old, name, "fingerprint").items():
            rubric = presets.get(row["fingerprint"])
            if rubric and not _rubric_fits(number, found.rows.get(number, {"text": ""})):
                found.rows[number] = {
                    "name": rubric.name, "version": rubric.version, "text": rubric.canonical(),
                    "fingerprint": rubric.fingerprint,
                }  # fmt: skip


def _insert(new: ProjectFile, name: str, number: int, values: Row) -> bool:
    row = values if name == "pool_entry" else {"id": number, **values}
    marks = ",".join("?" * len(row))
    sql = f"INSERT INTO {name} ({','.join(row)}) VALUES ({marks})"  # noqa: S608 -- only names
    try:
        new.db.conn.execute(sql, [*row.values()])
    except (sqlite3.IntegrityError, UnicodeError, OverflowError):
        return False
    return True


def _rubric_fits(_: int, row: Row) -> bool:
    try:
        return bool(Rubric.from_dict(json.loads(row["text"])).fingerprint == row["fingerprint"])
    except Exception:  # whatever damage makes of it
        return False


def _document_fits(_: int, row: Row) -> bool:
    """Without its text, which can be imported again, where that is not the one that was stored."""
    if row["hash"] and row["hash"] != content_hash(
        Document(row["docid"], row["title"], row["text"], row["url"])
    ):
        row.update(title="", text=None, url="", hash="")
    if not _is_json(row["metadata"], dict):
        row["metadata"] = "{}"
    return bool(row["docid"])


def _ranking_fits(_: int, row: Row) -> bool:
    content = row["query_id"], row["documents"], row["scores"]
    if not all(
        isinstance(part, kind) for part, kind in zip(content, (int, bytes, bytes), strict=True)
    ):
        return False
    places = len(row["documents"]) // 4
    shaped = (len(row["documents"]), len(row["scores"])) == (places * 4, places * 8)
    return shaped and row["checksum"] in (None, seals.of_ranking(*content))


def _is_json(text: object, kind: type) -> bool:
    try:
        return isinstance(text, str) and isinstance(json.loads(text), kind)
    except ValueError:
        return False


_FIT: dict[str, Callable[[int, Row], bool]] = {
    "rubric_version": _rubric_fits,
    "document": _document_fits,
    "ranking": _ranking_fits,
    "query": lambda _, row: bool(row["qid"]),
    "system": lambda _, row: bool(row["name"]) and _is_json(row["findings"], dict),
    "pool": lambda _, row: _is_json(row["systems"], list),
    "pool_entry": lambda _, row: _is_json(row["systems"], list),
    "assessor": lambda _, row: bool(row["name"]),
}
"""Whether a row is as it was stored, as far as that can be told; some are mended."""


def _seal_systems(new: ProjectFile) -> None:
    """Checksums over the rankings that came over; those of the oldest files had none."""
    for number, *content in new.tuples("SELECT id, query_id, documents, scores FROM ranking"):
        new.execute(
            "UPDATE ranking SET checksum = ? WHERE id = ?", (seals.of_ranking(*content), number)
        )
    for (system,) in new.tuples("SELECT id FROM system"):
        sums = new.tuples(
            "SELECT checksum FROM ranking WHERE system_id = ? ORDER BY query_id", (system,)
        )
        whole = seals.of_system(one for (one,) in sums)
        new.execute("UPDATE system SET checksum = ? WHERE id = ?", (whole, system))
