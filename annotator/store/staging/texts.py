"""The texts of one file of documents on their way into the project."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from annotator.domain import Document
from annotator.store.sqlite import seals
from annotator.store.sqlite.file import ProjectFile

BATCH = 500
NO_FIELDS = "{}"
BATCH_SIZE = 4 * 1024 * 1024  # characters


@dataclass
class Stored:
    """What storing queries or documents did; a stored text stays unless it is to be replaced.

    ``filled`` had only an id before; metadata is also added where the same text had none, and
    ``refreshed`` are those of the same text whose other fields changed. ``kept`` names those whose
    stored text differs from the file's, ``replaced`` those where the file's was taken, and
    ``repeated`` those that the file has again with another text, which is not taken. ``skipped``
    were not wanted.
    """

    added: int = 0
    filled: int = 0
    same: int = 0
    refreshed: int = 0
    skipped: int = 0
    kept: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)


class StagedTexts:
    """The texts that the project needs and has not; one batch of them in memory at a time."""

    def __init__(
        self,
        file: ProjectFile,
        number: int,
        wanted: set[str] | None,
        replace: bool,
        fields: bool = False,
    ) -> None:
        self._file = file
        self._fields = fields or replace
        self._replace = replace
        self._number = number
        self._wanted = wanted
        self._done = Stored()

    def add(self, documents: Iterable[Document]) -> None:
        """Take documents; what the project has already is only counted."""
        for batch in _batches(documents):
            wanted = self._wanted
            chosen = [one for one in batch if wanted is None or one.docid in wanted]
            self._done.skipped += len(batch) - len(chosen)
            if chosen:
                self._add(chosen)

    def store(self) -> Stored:
        """Put them into the project, inside its `writing`."""
        waiting = "FROM temp.staged_text AS staged LEFT JOIN document USING (docid) WHERE file = ?"
        added, filled, same = self._file.tuples(
            "SELECT total(document.id IS NULL), total(document.hash = ''),"
            f" total(document.hash = staged.hash) {waiting}",
            (self._number,),
        )[0]
        self._done.added += int(added)
        self._done.filled += int(filled)
        self._done.refreshed += int(same)
        differing = self._done.replaced if self._replace else self._done.kept
        differing += (
            row[0]
            for row in self._file.tuples(
                f"SELECT docid {waiting} AND document.hash NOT IN ('', staged.hash)",
                (self._number,),
            )
        )
        missing = " WHERE document.hash IN ('', excluded.hash)" if not self._replace else ""
        stored = self._file.tuples(
            "INSERT INTO document (docid, title, text, url, metadata, hash)"  # noqa: S608 -- no values
            " SELECT docid, title, text, url, metadata, hash FROM temp.staged_text WHERE file = ?"
            " ON CONFLICT (docid) DO UPDATE SET title = excluded.title, text = excluded.text,"
            f" url = excluded.url, metadata = excluded.metadata, hash = excluded.hash{missing}"
            " RETURNING id, docid, metadata, hash",
            (self._number,),
        )
        seal_documents(self._file, stored)
        return self._done

    def _add(self, batch: Sequence[Document]) -> None:
        docids = [document.docid for document in batch]
        known = self._hashes("document", docids)
        waiting = self._hashes("temp.staged_text", docids)
        fresh = []
        for document in batch:
            digest = content_hash(document)
            before, fields = waiting.get(document.docid) or known.get(document.docid, ("", ""))
            again = document.docid in waiting
            metadata = json.dumps(dict(document.metadata), ensure_ascii=False)
            fresh_fields = fields != metadata and (fields == NO_FIELDS or self._fields)
            if before == digest and (again or not fresh_fields):
                self._done.same += 1
            elif again:
                self._done.repeated.append(document.docid)
            elif before not in ("", digest) and not self._replace:
                self._done.kept.append(document.docid)
            else:
                waiting[document.docid] = digest, metadata
                fresh.append((*document[:4], metadata, digest, self._number))
        with self._file.staging():
            self._file.many(
                "INSERT INTO temp.staged_text (docid, title, text, url, metadata, hash, file)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                fresh,
            )

    def _hashes(self, table: str, docids: Sequence[str]) -> dict[str, tuple[str, str]]:
        """The hashes and other fields of those of the documents that have a text there."""
        rows = self._file.tuples(
            f"SELECT docid, hash, metadata FROM {table}"  # noqa: S608 -- only marks
            f" WHERE hash != '' AND docid IN ({','.join('?' * len(docids))})",
            docids,
        )
        return {docid: (digest, metadata) for docid, digest, metadata in rows}


def seal_documents(file: ProjectFile, rows: Iterable[tuple[int, str, str, str]]) -> None:
    """Seal documents: number, id, other fields and hash of each; inside the file's `writing`."""
    file.many(
        "INSERT OR REPLACE INTO seal (name, digest) VALUES (?, ?)",
        ((seals.name_of_document(row[0]), seals.of_document(*row[1:])) for row in rows),
    )


def content_hash(document: Document) -> str:
    """The hash of what an assessor reads: title, text and url."""
    content = "\0".join([document.title, document.text or "", document.url])
    return "sha256:" + hashlib.sha256(content.encode()).hexdigest()


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """So many documents that they are worth a statement and fit into memory."""
    batch, size = list[Document](), 0
    for document in documents:
        batch.append(document)
        size += len(document.text or "")
        if len(batch) == BATCH or size > BATCH_SIZE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
