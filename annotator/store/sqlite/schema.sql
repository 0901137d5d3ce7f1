-- The project file, as SQLite keeps it. Statements are run one by one, inside one transaction.

-- Which project this is: 128 random bits from its making. Copies and backups keep them.
CREATE TABLE project (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    identity BLOB NOT NULL CHECK (length(identity) = 16),
    created TEXT NOT NULL
) STRICT;

-- Every rubric that was ever graded by, as TOML; the fingerprint is the SHA-256 of that text.
CREATE TABLE rubric_version (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    fingerprint TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL,
    UNIQUE (name, version)
) STRICT;

-- Which rubric holds since when; carries: labels given under the one before still count.
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

-- The weights of queries since when: a JSON object by query id; without any all count alike.
CREATE TABLE query_weights (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    weights TEXT NOT NULL,
    since TEXT NOT NULL
) STRICT;

-- Every document that any file named; without a text its hash is empty. Metadata is a JSON object.
CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    docid TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    text TEXT,
    url TEXT NOT NULL,
    hash TEXT NOT NULL,
    metadata TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- From here the hash of a text is read without the text, however long that is.
CREATE INDEX document_with_text ON document (id, hash) WHERE hash != '';

-- A run; findings (JSON) is what its import found; the checksum is over those of its rankings.
CREATE TABLE system (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    file_hash TEXT NOT NULL,
    order_rule TEXT NOT NULL,
    findings TEXT NOT NULL,
    created TEXT NOT NULL,
    checksum BLOB
) STRICT;

-- What a system returned for a query, in displayed order: documents (int32) and scores (float64).
CREATE TABLE ranking (
    id INTEGER PRIMARY KEY,
    system_id INTEGER NOT NULL REFERENCES system (id),
    query_id INTEGER NOT NULL REFERENCES query (id),
    documents BLOB NOT NULL,
    scores BLOB NOT NULL,
    checksum BLOB,
    UNIQUE (system_id, query_id)
) STRICT;

CREATE TABLE pair (
    id INTEGER PRIMARY KEY,
    query_id INTEGER NOT NULL REFERENCES query (id),
    document_id INTEGER NOT NULL REFERENCES document (id),
    UNIQUE (query_id, document_id)
) STRICT;

-- One call of `pool`; systems is a JSON array of names.
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

-- Queries whose rankings an assessor has looked at: what they grade of them since is not blind.
CREATE TABLE sight (
    id INTEGER PRIMARY KEY,
    assessor_id INTEGER NOT NULL REFERENCES assessor (id),
    query_id INTEGER NOT NULL REFERENCES query (id),
    since TEXT NOT NULL,
    UNIQUE (assessor_id, query_id)
) STRICT;

-- Windows in which somebody grades. A killed program leaves its row, which then is of no process.
CREATE TABLE presence (
    id INTEGER PRIMARY KEY,
    assessor_id INTEGER NOT NULL REFERENCES assessor (id),
    host TEXT NOT NULL,
    process INTEGER NOT NULL,
    began TEXT NOT NULL,
    since TEXT NOT NULL
) STRICT;

-- The pair that an assessor went to last, and the last entry of theirs then: older than a later one.
CREATE TABLE bookmark (
    assessor_id INTEGER PRIMARY KEY REFERENCES assessor (id),
    pair_id INTEGER NOT NULL REFERENCES pair (id),
    by_hand INTEGER NOT NULL CHECK (by_hand IN (0, 1)),
    last INTEGER NOT NULL
) STRICT;

-- What was taken out of the project, and put back: only added to. Items and pooled are JSON arrays:
-- numbers of queries or systems, or the first and last entry that withdrew labels; and the rows that
-- left the pool. A row that puts back has only undoes.
CREATE TABLE removal (
    id INTEGER PRIMARY KEY,
    kind TEXT CHECK (kind IN ('query', 'system', 'labels')),
    items TEXT NOT NULL DEFAULT '[]',
    pooled TEXT NOT NULL DEFAULT '[]',
    said TEXT NOT NULL DEFAULT '',
    undoes INTEGER UNIQUE REFERENCES removal (id),
    at TEXT NOT NULL,
    CHECK ((kind IS NULL) = (undoes IS NOT NULL))
) STRICT;

-- The entries of one assessor from one project, in the order they were stored: origin is the identity
-- of the project they were made in, the head a hash over the start and the identities of all of them.
CREATE TABLE chain (
    id INTEGER PRIMARY KEY,
    origin BLOB NOT NULL CHECK (length(origin) = 16),
    assessor_id INTEGER NOT NULL REFERENCES assessor (id),
    start BLOB NOT NULL CHECK (length(start) = 32),
    entries INTEGER NOT NULL,
    head BLOB NOT NULL CHECK (length(head) = 32)
) STRICT;

-- The log of judgments: only added to. The identity of an entry (last, as rescue looks for it there)
-- is a hash of all that it says. The hash of the text is of the text judged; the answer (a JSON object)
-- is how a model came to it.
CREATE TABLE judgment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chain_id INTEGER NOT NULL REFERENCES chain (id),
    pair_id INTEGER NOT NULL REFERENCES pair (id),
    assessor_id INTEGER NOT NULL REFERENCES assessor (id),
    rubric_version_id INTEGER NOT NULL REFERENCES rubric_version (id),
    undoes INTEGER REFERENCES judgment (id),
    restates INTEGER REFERENCES judgment (id),
    grade INTEGER CHECK (grade BETWEEN 0 AND 9),
    mark TEXT CHECK (mark IN ('later', 'cannot')),
    note TEXT NOT NULL,
    at TEXT NOT NULL,
    seconds REAL,
    position INTEGER,
    blind INTEGER NOT NULL CHECK (blind IN (0, 1)),
    evidence_start INTEGER CHECK (evidence_start >= 0),
    evidence_end INTEGER CHECK (evidence_end > evidence_start),
    chosen TEXT,
    text_hash TEXT,
    answer TEXT,
    identity BLOB CHECK (length(identity) = 32),
    CHECK (grade IS NULL OR mark IS NULL),
    CHECK ((evidence_start IS NULL) = (evidence_end IS NULL))
) STRICT;

CREATE INDEX judgment_by_pair ON judgment (pair_id, assessor_id, at);

CREATE INDEX judgment_by_assessor ON judgment (assessor_id, id);

CREATE INDEX judgment_undone ON judgment (undoes, at) WHERE undoes IS NOT NULL;

CREATE TRIGGER judgment_is_never_changed BEFORE UPDATE ON judgment
    BEGIN SELECT RAISE (ABORT, 'judgments are only added to'); END;

CREATE TRIGGER judgment_is_never_deleted BEFORE DELETE ON judgment
    BEGIN SELECT RAISE (ABORT, 'judgments are only added to'); END;

-- Digests of what SQLite cannot vouch for itself: of tables, first places and documents.
CREATE TABLE seal (
    name TEXT PRIMARY KEY,
    digest BLOB NOT NULL
) STRICT, WITHOUT ROWID;
