"""A new project from what can still be read of a damaged one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

from annotator.domain import Document
from annotator.errors import ProjectError
from annotator.store import identity
from annotator.store.pages import Row
from annotator.store.recovery.ids import settle_ids
from annotator.store.recovery.log import rescue_log
from annotator.store.recovery.rubrics import known_rubrics, rubric_fits
from annotator.store.recovery.tables import Rows, Wreck, wreck
from annotator.store.sqlite import seals
from annotator.store.sqlite.file import ProjectFile
from annotator.store.staging.texts import content_hash, seal_documents
from annotator.store.systems import seal_tops
from annotator.text.plural import counted
from rubric import Rubric

_TABLES: dict[str, dict[str, Any]] = {
    "rubric_version": {"name": "", "version": 0, "text": "", "fingerprint": "", "created": ""},
    "rubric_in_force": {"rubric_version_id": 0, "carries": 0, "since": ""},
    "query": {"qid": "", "text": "", "description": "", "narrative": ""},
    "query_weights": {"source": "", "weights": "{}", "since": ""},
    "document": {"docid": "", "title": "", "text": None, "url": "", "hash": "", "metadata": "{}"},
    "system": {"name": "", "file_hash": "", "order_rule": "displayed", "findings": "{}",
               "created": ""},
    "ranking": {"system_id": 0, "query_id": 0, "documents": b"", "scores": b"", "checksum": None},
    "pair": {"query_id": 0, "document_id": 0},
    "pool": {"method": "rescued", "depth": 0, "seed": 0, "systems": "[]", "created": ""},
    "pool_entry": {"pair_id": 0, "pool_id": 0, "best_rank": 0, "systems": "[]"},
    "assessor": {"name": "", "kind": "human"},
    "removal": {"kind": None, "items": "[]", "pooled": "[]", "said": "", "undoes": None, "at": ""},
    "sight": {"assessor_id": 0, "query_id": 0, "since": ""},
}  # fmt: skip
"""Every table but the log and who is there, parents first, and what stands for a value that cannot
be read."""

_IN_INDEX = {
    "query": "qid", "document": "docid", "system": "name", "assessor": "name",
    "pair": "query_id, document_id",
}  # fmt: skip

_NUMBERED_BY = {"pool_entry": "pair_id"}

_DELETED_FROM = {"ranking", "pool"}
"""Tables of which pages may hold rows that were deleted."""


_HIGHEST = 2**31 - 1
"""No number is higher: rankings and labels hold them in 32 bits."""


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
            tables = [_Table(name, blank) for name, blank in _TABLES.items()]
            for table in tables:
                table.bring(old, new, known)
            if not any(table.taken for table in tables):
                raise ProjectError(f"{damaged}: nothing of a project can be read in it")
            _put_in_force(new)
            identity.give(new, *_identity(old))
            if settle_ids(old, new):
                for table in tables:  # what an id that was wrong has kept out
                    table.bring(old, new, known)
            stood_in = _stand_in(new)
            _seal_systems(new)
            texts = "SELECT id, docid, metadata, hash FROM document WHERE hash != ''"
            seal_documents(new, new.tuples(texts))
            new.seal(*seals.SEALED)
            count, lost = rescue_log(old, new)
            done.counts.update((one.name, len(one.taken)) for one in tables if one.taken)
            done.counts["judgment"] = count
            done.lost += [sentence for table in tables for sentence in table.lost(old)]
            done.lost += stood_in + lost

        ProjectFile.create(target, fill, private_as=damaged).close()
    return done


class _Table:
    """A table on its way over: the numbers of rows that came, and of those that were there."""

    def __init__(self, name: str, blank: Row) -> None:
        self.name = name
        self._blank = blank
        self.taken: set[int] = set()
        self._seen: set[int] = set()

    def bring(self, old: Wreck, new: ProjectFile, presets: Mapping[str, Rubric]) -> None:
        """Bring each row over from the first place where it is as it was stored."""
        fit = _FIT.get(self.name)
        for source, is_sure in _sources(old, self.name, presets, self.taken):
            for number, row in source:
                if is_sure:
                    self._seen.add(number)
                if number in self.taken:
                    continue
                values = self._blank | {
                    key: row[key] for key in self._blank if row.get(key) is not None
                }
                if not 0 < number <= _HIGHEST:
                    continue
                if (not fit or fit(number, values)) and _insert(new, self.name, number, values):
                    self.taken.add(number)

    def lost(self, old: Wreck) -> Iterator[str]:
        """What did not come, in sentences."""
        if self.name in old.broken:
            came = counted(len(self.taken), "row")
            yield f"{self.name}: part of the table cannot be read; {came} found, more may be lost"
        if out := len(self._seen - self.taken):
            yield f"{self.name}: {counted(out, 'row')} not as stored, or without what belongs there"


def _sources(
    old: Wreck, name: str, presets: Mapping[str, Rubric], taken: set[int]
) -> Iterator[tuple[Rows, bool]]:
    """Where the rows of a table may be found, the surest place first, and if they are sure its."""
    yield old.table(name), True
    if name == "rubric_version":
        yield known_rubrics(old, presets), True
    if name not in _DELETED_FROM or name in old.broken:
        yield old.carved(name, taken), False
    if name in _IN_INDEX:
        yield old.index(name, _IN_INDEX[name]), True
    yield old.pieces(name, taken), True
    if name == "pool" and name in old.broken:
        yield ((row["pool_id"], {}) for _, row in old.table("pool_entry")), True


def _insert(new: ProjectFile, name: str, number: int, values: Row) -> bool:
    row = {**values, _NUMBERED_BY.get(name, "id"): number}
    marks = ",".join("?" * len(row))
    sql = f"INSERT INTO {name} ({','.join(row)}) VALUES ({marks})"  # noqa: S608 -- only names
    try:
        new.db.execute(sql, [*row.values()])
    except (sqlite3.IntegrityError, UnicodeError, OverflowError):
        return False
    return True


def _document_fits(_: int, row: Row) -> bool:
    """Without its text, which can be imported again, where that is not the one that was stored."""
    said = (row["docid"], row["title"], row["text"], row["url"])
    is_text = all(isinstance(one, str) for one in (*said, row["hash"]) if one is not None)
    if not (row["hash"] and is_text and row["hash"] == content_hash(Document(*said))):
        row.update(title="", text=None, url="", hash="", metadata="{}")
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
    except (ValueError, RecursionError):  # damage may nest brackets as deep as it likes
        return False


def _is_time(text: object) -> bool:
    try:
        return isinstance(text, str) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def _are_weights(text: Any) -> bool:
    return _is_json(text, dict) and all(
        isinstance(one, (int, float)) and 0 <= one < inf for one in json.loads(text).values()
    )


_FIT: dict[str, Callable[[int, Row], bool]] = {
    "rubric_version": rubric_fits,
    "document": _document_fits,
    "ranking": _ranking_fits,
    "query": lambda _, row: bool(row["qid"]),
    "system": lambda _, row: bool(row["name"]) and _is_json(row["findings"], dict),
    "rubric_in_force": lambda _, row: _is_time(row["since"]),
    "pool": lambda _, row: _is_json(row["systems"], list),
    "pool_entry": lambda _, row: _is_json(row["systems"], list),
    "assessor": lambda _, row: bool(row["name"]),
    "removal": lambda _, row: _is_json(row["items"], list) and _is_json(row["pooled"], list),
    "sight": lambda _, row: _is_time(row["since"]),
    "query_weights": lambda _, row: _is_time(row["since"]) and _are_weights(row["weights"]),
}
"""Whether a row is as it was stored, as far as that can be told; some are mended."""


def _identity(old: Wreck) -> tuple[str, bytes]:
    """When the project was made and which it is, as far as that can be read."""
    for _, row in chain(old.table("project"), old.carved("project")):
        made, known = row.get("created"), row.get("identity")
        if isinstance(known, bytes) and len(known) == identity.SIZE and _is_time(made):
            return str(made), known
    return datetime.now(UTC).isoformat(timespec="milliseconds"), b""


def _put_in_force(new: ProjectFile) -> None:
    """Grade by the newest rubric where it is lost which one was in force, all labels counting."""
    new.execute(
        "INSERT INTO rubric_in_force (rubric_version_id, carries, since) SELECT id, 1, created"
        " FROM rubric_version WHERE NOT EXISTS (SELECT 1 FROM rubric_in_force)"
        " ORDER BY id DESC LIMIT 1"
    )


def _stand_in(new: ProjectFile) -> list[str]:
    """Documents of which nothing is left but places in rankings: they keep these; what to say."""
    import numpy as np

    there = [number for (number,) in new.tuples("SELECT id FROM document")]
    rankings = b"".join(documents for (documents,) in new.tuples("SELECT documents FROM ranking"))
    gone = np.setdiff1d(np.frombuffer(rankings, "<i4"), there).tolist()
    new.many(
        "INSERT INTO document (id, docid, title, url, hash) VALUES (?, ?, '', '', '')",
        ((number, f"(lost document {number})") for number in gone),
    )
    if not gone:
        return []
    return [
        f'document: {counted(len(gone), "id")} in rankings lost; it is "(lost document …)" there'
    ]


def _seal_systems(new: ProjectFile) -> None:
    """Checksums over the rankings that came over."""
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
