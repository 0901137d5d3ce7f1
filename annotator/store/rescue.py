"""A new project from what can still be read of a damaged one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from annotator.errors import ProjectError
from annotator.records import Document
from annotator.store import seals
from annotator.store.carving import Row
from annotator.store.file import ProjectFile
from annotator.store.rescued_log import rescue_log
from annotator.store.salvage import Rows, Wreck, wreck
from annotator.store.staged_texts import content_hash
from annotator.store.systems import seal_tops
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

_DELETED_FROM = {"ranking", "pool"}
"""Tables of which pages may hold rows that were deleted."""


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
    with wreck(damaged) as old:

        def fill(new: ProjectFile) -> None:
            for name, blank in _TABLES.items():
                _bring(old, new, name, blank, done, known)
            if not done.counts:
                raise ProjectError(f"{damaged}: nothing of a project can be read in it")
            _seal_systems(new)
            new.seal(*seals.SEALED)
            count, lost = rescue_log(old, new)
            done.counts["judgment"] = count
            done.lost += lost

        ProjectFile.create(target, fill).close()
    return done


def _bring(
    old: Wreck,
    new: ProjectFile,
    name: str,
    blank: Row,
    done: Rescued,
    presets: Mapping[str, Rubric],
) -> None:
    """Bring a table over; each row from the first place where it is as it was stored."""
    taken: set[int] = set()
    seen: set[int] = set()
    for source, is_sure in _sources(old, name, presets, taken):
        for number, row in source:
            if is_sure:
                seen.add(number)
            values = blank | {key: row[key] for key in blank if row.get(key) is not None}
            fit = _FIT.get(name)
            if number in taken or (fit and not fit(number, values)):
                continue
            if _insert(new, name, number, values):
                taken.add(number)
    if taken:
        done.counts[name] = len(taken)
    if name in old.broken:
        done.lost.append(f"{name}: part of the table cannot be read")
    if left_out := len(seen - taken):
        done.lost.append(f"{name}: {left_out:,} rows are not as they were stored, or lack theirs")


def _sources(
    old: Wreck, name: str, presets: Mapping[str, Rubric], taken: set[int]
) -> Iterator[tuple[Rows, bool]]:
    """Where the rows of a table may be found, the surest place first, and if they are sure its."""
    yield old.table(name), True
    if name == "rubric_version":
        yield _known_rubrics(old, presets), True
    if name not in _DELETED_FROM or name in old.broken:
        yield old.carved(name, taken), False
    if name in _IN_INDEX:
        yield old.index(name, _IN_INDEX[name]), True
    if name == "pool" and name in old.broken:
        yield ((row["pool_id"], {}) for _, row in old.table("pool_entry")), True


def _known_rubrics(old: Wreck, presets: Mapping[str, Rubric]) -> Rows:
    """Rubrics of which only the fingerprint can be read, where they come with the program."""
    for number, row in old.index("rubric_version", "fingerprint"):
        if rubric := presets.get(row["fingerprint"]):
            yield number, {
                "name": rubric.name, "version": rubric.version, "text": rubric.canonical(),
                "fingerprint": rubric.fingerprint,
            }  # fmt: skip


def _insert(new: ProjectFile, name: str, number: int, values: Row) -> bool:
    row = values if name == "pool_entry" else {"id": number, **values}
    marks = ",".join("?" * len(row))
    sql = f"INSERT INTO {name} ({','.join(row)}) VALUES ({marks})"  # noqa: S608 -- only names
    try:
        new.db.execute(sql, [*row.values()])
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


def _is_time(text: object) -> bool:
    try:
        return isinstance(text, str) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


_FIT: dict[str, Callable[[int, Row], bool]] = {
    "rubric_version": _rubric_fits,
    "document": _document_fits,
    "ranking": _ranking_fits,
    "query": lambda _, row: bool(row["qid"]),
    "system": lambda _, row: bool(row["name"]) and _is_json(row["findings"], dict),
    "rubric_in_force": lambda _, row: _is_time(row["since"]),
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
        seal_tops(new, system)
