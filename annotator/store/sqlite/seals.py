"""Seals: digests of what SQLite cannot vouch for itself, so that nothing is scored from damage.

SQLite finds a broken structure, but a byte that changed inside a value, or rows that a damaged page
lost, it does not see. A seal is the digest of all rows of a table; it is renewed in the transaction
that writes to the table, and compared once by each connection that reads it. The judgment log
has its chains instead, a document a seal of its own once it has a text. An id of a document without
one stands in the file twice, in the table and in its index; both are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from sqlite3 import Connection

from annotator.store.sqlite.batches import Read, in_pieces

SIZE = 16

_COLUMNS = {
    "assessor": "id, name, kind",
    "chain": "id, hex(origin), assessor_id, hex(start), entries, hex(head)",
    "pool": "id, method, depth, seed, systems, created",
    "pool_entry": "pair_id, query_id, document_id, pool_id, best_rank, systems",
    "project": "id, hex(identity), created",
    "removal": "id, kind, items, pooled, said, undoes, at",
    "query_weights": "id, source, weights, since",
    "query": "id, qid, text, description, narrative",
    "rubric_in_force": "id, rubric_version_id, carries, since",
    "rubric_version": "id, name, version, text, fingerprint, created",
    "sight": "id, assessor_id, query_id, since",
    "system": "id, name, file_hash, order_rule, findings, created, hex(checksum)",
}

SEALED = tuple(_COLUMNS)
"""The tables that have a seal. That of the pool covers its pairs, that of the systems the
checksums over their rankings."""


def _rows(table: str) -> str:
    """Every row as JSON, which SQLite makes several times faster than Python."""
    source = f"{table} LEFT JOIN pair ON pair.id = pair_id" if table == "pool_entry" else table
    return f"SELECT json_array({_COLUMNS[table]}) FROM {source} ORDER BY {table}.rowid"  # noqa: S608 -- only names


def renew(db: Connection, *tables: str) -> None:
    """Seal tables anew, inside the transaction that wrote to them."""
    for table in tables:
        put(db, table, _digest(db.execute(_rows(table))))


def put(db: Connection, name: str, digest: bytes) -> None:
    """Store a seal, in the place of an earlier one of this name."""
    db.execute(
        "INSERT INTO seal (name, digest) VALUES (?, ?)"
        " ON CONFLICT (name) DO UPDATE SET digest = excluded.digest",
        (name, digest),
    )


def has(db: Connection, name: str, digest: bytes) -> bool:
    """Whether the seal of this name is there and says so."""
    stored = db.execute("SELECT digest FROM seal WHERE name = ?", (name,)).fetchone()
    return bool(stored == (digest,))


def holds(db: Connection, table: str, read: Read | None = None) -> bool:
    """Whether a table is as it was sealed; it is read by ``read`` a thousand rows at once.

    Between two of such readings others can write. Without it one state of the file is looked at.
    """
    rows = db.execute(_rows(table)) if read is None else _in_pieces(table, read)
    return has(db, table, _digest(rows))


def _in_pieces(table: str, read: Read) -> Iterator[tuple[str]]:
    """The rows of a table as they are sealed, a thousand by each reading."""
    select, source = _rows(table).split(" FROM ")
    columns, source = select.removeprefix("SELECT "), source.split(" ORDER BY ")[0]
    key = f"{table}.rowid"
    sql = f"SELECT {key}, {columns} FROM {source} WHERE {key} > ? ORDER BY {key} LIMIT ?"  # noqa: S608 -- only names
    return ((row,) for rows in in_pieces(read, sql) for _, row in rows)


def of_ranking(query: int, documents: bytes, scores: bytes) -> bytes:
    """The checksum of a ranking: the number of its query, and its two arrays as stored."""
    return checksum(query.to_bytes(8, "little"), documents, scores)


def of_document(docid: str, metadata: str, content: str) -> bytes:
    """The seal of a document with a text: its id, its other fields, the hash of its text."""
    return checksum(docid.encode(), metadata.encode(), content.encode())


def name_of_document(number: int) -> str:
    """What the seal of a document is called."""
    return f"document {number}"


def of_system(rankings: Iterable[bytes]) -> bytes:
    """The checksum of a system: those of its rankings, in the order of their queries' numbers."""
    return checksum(*rankings)


def checksum(*parts: bytes) -> bytes:
    """The digest of byte strings, each with its length."""
    digest = blake2b(digest_size=SIZE)
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.digest()


def _digest(rows: Iterable[tuple[str]]) -> bytes:
    digest = blake2b(digest_size=SIZE)
    for (row,) in rows:
        digest.update(row.encode())
    return digest.digest()
