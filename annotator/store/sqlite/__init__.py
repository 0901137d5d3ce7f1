"""SQLite: opening, locking, the schema, errors in words, checksums."""
