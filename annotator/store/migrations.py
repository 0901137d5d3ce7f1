"""The project file's schema, one migration after another; a shipped one is never edited.

Nor is what it uses: of this package a migration knows :mod:`annotator.store.frozen` alone.

Each migration and the record that it ran are committed together. The caller holds the write lock.
A new one raises :data:`annotator.store.schema.SCHEMA_VERSION`.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from annotator.store import frozen

migrations = Migrations("annotator")

_TABLES = """
CREATE TABLE rubric_version (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    fingerprint TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL,
    UNIQUE (name, version)
) STRICT;

CREATE TABLE rubric_in_force (
    id INTEGER PRIMARY KEY,
    rubric_version_id INTEGER NOT NULL REFERENCES rubric_version (id),
    carries INTEGER NOT NULL CHECK (carries IN (0, 1)),
    since TEXT NOT NULL
) STRICT;

CREATE TABLE query (
    id INTEGER PRIMARY KEY,
    qid TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    description TEXT NOT NULL,
    narrative TEXT NOT NULL
) STRICT;

CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    docid TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    text TEXT,
    url TEXT NOT NULL,
    hash TEXT NOT NULL
) STRICT;

CREATE TABLE system (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    file_hash TEXT NOT NULL,
    order_rule TEXT NOT NULL,
    findings TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE ranking (
    id INTEGER PRIMARY KEY,
    system_id INTEGER NOT NULL REFERENCES system (id),
    query_id INTEGER NOT NULL REFERENCES query (id),
    documents BLOB NOT NULL,
    scores BLOB NOT NULL,
    UNIQUE (system_id, query_id)
) STRICT;

CREATE TABLE pair (
    id INTEGER PRIMARY KEY,
    query_id INTEGER NOT NULL REFERENCES query (id),
    document_id INTEGER NOT NULL REFERENCES document (id),
    UNIQUE (query_id, document_id)
) STRICT;

CREATE TABLE pool (
    id INTEGER PRIMARY KEY,
    method TEXT NOT NULL,
    depth INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    systems TEXT NOT NULL,
    created TEXT NOT NULL
) STRICT;

CREATE TABLE pool_entry (
    pair_id INTEGER PRIMARY KEY REFERENCES pair (id),
    pool_id INTEGER NOT NULL REFERENCES pool (id),
    best_rank INTEGER NOT NULL,
    systems TEXT NOT NULL
) STRICT;

CREATE TABLE assessor (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL CHECK (kind IN ('human', 'imported', 'model'))
) STRICT;

CREATE TABLE judgment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pair_id INTEGER NOT NULL REFERENCES pair (id),
    assessor_id INTEGER NOT NULL REFERENCES assessor (id),
    rubric_version_id INTEGER NOT NULL REFERENCES rubric_version (id),
    grade INTEGER CHECK (grade BETWEEN 0 AND 9),
    mark TEXT CHECK (mark IN ('later', 'cannot')),
    note TEXT NOT NULL,
    at TEXT NOT NULL,
    seconds REAL,
    position INTEGER,
    blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
    undoes INTEGER REFERENCES judgment (id),
    restates INTEGER REFERENCES judgment (id),
    evidence_start INTEGER CHECK (evidence_start >= 0),
    evidence_end INTEGER CHECK (evidence_end > evidence_start),
    CHECK (grade IS NULL OR mark IS NULL),
    CHECK ((evidence_start IS NULL) = (evidence_end IS NULL))
) STRICT;

CREATE INDEX judgment_by_pair ON judgment (pair_id, assessor_id, id);

CREATE INDEX judgment_by_assessor ON judgment (assessor_id, id);

CREATE TRIGGER judgment_is_never_changed BEFORE UPDATE ON judgment
    BEGIN SELECT RAISE (ABORT, 'judgments are only added to'); END;

CREATE TRIGGER judgment_is_never_deleted BEFORE DELETE ON judgment
    BEGIN SELECT RAISE (ABORT, 'judgments are only added to'); END;

CREATE VIEW assessor_state AS
    SELECT pair_id, assessor_id, max(id) AS event_id, coalesce(restates, id) AS given_id,
        rubric_version_id, grade, mark, note
    FROM judgment GROUP BY pair_id, assessor_id
"""


@migrations()
def m001_first_schema(db: Database) -> None:
    """Create every table of the first release."""
    for statement in _TABLES.split("\n\n"):
        db.execute(statement)


_MORE_COLUMNS = """
DROP TRIGGER judgment_is_never_changed;

ALTER TABLE document ADD COLUMN metadata TEXT NOT NULL DEFAULT '{}';

ALTER TABLE judgment ADD COLUMN chosen TEXT;

ALTER TABLE judgment ADD COLUMN text_hash TEXT;

ALTER TABLE judgment ADD COLUMN chain BLOB
"""

_NEVER_CHANGED = """
CREATE TRIGGER judgment_is_never_changed BEFORE UPDATE ON judgment
    BEGIN SELECT RAISE (ABORT, 'judgments are only added to'); END
"""


@migrations()
def m002_what_was_read_and_a_chain(db: Database) -> None:
    """Metadata of documents; how a judged document was chosen and its text then; the hash chain."""
    for statement in _MORE_COLUMNS.split("\n\n"):
        db.execute(statement)
    frozen.chain_2(db)
    db.execute(_NEVER_CHANGED)


_SEALS = """
ALTER TABLE ranking ADD COLUMN checksum BLOB;

ALTER TABLE system ADD COLUMN checksum BLOB;

CREATE TABLE seal (
    name TEXT PRIMARY KEY,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID
"""


@migrations()
def m003_seals(db: Database) -> None:
    """Digests of what is stored; links over the JSON of SQLite."""
    for statement in _SEALS.split("\n\n"):
        db.execute(statement)
    frozen.chain_3(db)
    frozen.seal_3(db)


@migrations()
def m004_hashes_beside_the_texts(db: Database) -> None:
    """An index from which a text's hash is read without the text."""
    db.execute("CREATE INDEX document_with_text ON document (id, hash) WHERE hash != ''")
