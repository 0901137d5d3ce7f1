"""What the migrations need of the hash chain and the seals, as these were then; never edited.

:mod:`annotator.store.chain` and :mod:`annotator.store.seals` are what holds now. Where they change
a migration of its own brings files along, and the earlier ones go on making what they made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import blake2b

from sqlite_utils import Database

_BEFORE = "judgment.id, qid, docid, assessor.name, kind, fingerprint, grade, mark, note, at"
_BEHIND = "position, blind, undoes, restates, evidence_start, evidence_end, chosen, text_hash"
_LOG = """
FROM judgment LEFT JOIN pair ON pair.id = pair_id LEFT JOIN query ON query.id = query_id
LEFT JOIN document ON document.id = document_id
LEFT JOIN assessor ON assessor.id = assessor_id
LEFT JOIN rubric_version ON rubric_version.id = rubric_version_id
ORDER BY judgment.id
"""
_ENTRIES = (
    f"SELECT json_array({_BEFORE}, CAST(round(seconds * 1000) AS INTEGER), {_BEHIND}),"
    f" judgment.id, chain, {_BEFORE}, seconds, {_BEHIND} {_LOG}"
)

_SEALED = {
    "assessor": "id, name, kind FROM assessor",
    "pool": "id, method, depth, seed, systems, created FROM pool",
    "pool_entry": "pair_id, query_id, document_id, pool_id, best_rank, systems FROM pool_entry"
    " LEFT JOIN pair ON pair.id = pair_id",
    "query": "id, qid, text, description, narrative FROM query",
    "rubric_in_force": "id, rubric_version_id, carries, since FROM rubric_in_force",
    "rubric_version": "id, name, version, text, fingerprint, created FROM rubric_version",
    "system": "id, name, file_hash, order_rule, findings, created, hex(checksum) FROM system",
}


def chain_2(db: Database) -> None:
    """Link every entry of the log to the one before it."""
    links, before = [], bytes(32)
    for content, number, *_ in db.execute(_ENTRIES):
        before = _link(before, content)
        links.append((before, number))
    db.conn.executemany("UPDATE judgment SET chain = ? WHERE id = ?", links)


def chain_3(db: Database) -> None:
    """Link anew what was linked over the JSON of Python, up to where that does not fit."""
    links, before, before_then = [], bytes(32), bytes(32)
    for content, number, stored, *values in db.execute(_ENTRIES):
        then = json.dumps(values, separators=(",", ":"))
        before, before_then = _link(before, content), _link(before_then, then)
        if stored != before_then:
            break
        links.append((before, number))
    if links:
        name = "judgment_is_never_changed"
        trigger = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchone()[0]
        db.execute(f"DROP TRIGGER {name}")
        db.conn.executemany("UPDATE judgment SET chain = ? WHERE id = ?", links)
        db.execute(trigger)


def _link(before: bytes, content: str) -> bytes:
    return blake2b(before + content.encode(), digest_size=32).digest()


def seal_3(db: Database) -> None:
    """Give every ranking, system and sealed table its digest."""
    for (system,) in db.execute("SELECT id FROM system").fetchall():
        rankings = db.execute(
            "SELECT id, query_id, documents, scores FROM ranking WHERE system_id = ?"
            " ORDER BY query_id",
            (system,),
        )
        sums = [
            (_digest(query.to_bytes(8, "little"), documents, scores), number)
            for number, query, documents, scores in rankings
        ]
        db.conn.executemany("UPDATE ranking SET checksum = ? WHERE id = ?", sums)
        whole = _digest(*(one for one, _ in sums))
        db.execute("UPDATE system SET checksum = ? WHERE id = ?", (whole, system))
    for table, columns in _SEALED.items():
        names, source = columns.split(" FROM ")
        rows = db.execute(f"SELECT json_array({names}) FROM {source} ORDER BY {table}.rowid")  # noqa: S608 -- only names
        db.execute("INSERT INTO seal (name, digest) VALUES (?, ?)", (table, _of_rows(rows)))


def _digest(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def _of_rows(rows: Iterable[tuple[str]]) -> bytes:
    digest = blake2b(digest_size=16)
    for (row,) in rows:
        digest.update(row.encode())
    return digest.digest()
