"""Queries and documents: the user's ids at the edge, integers inside."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import islice
from typing import TypeVar

from annotator.domain import Document, Query
from annotator.errors import ProjectError
from annotator.store.precedence import states
from annotator.store.removals import QUERY, removed
from annotator.store.sqlite import seals
from annotator.store.sqlite.errors import damaged
from annotator.store.sqlite.file import ProjectFile
from annotator.store.staging.texts import Stored, content_hash

BATCH = 500
_BY_ID = "INDEXED BY sqlite_autoindex_document_1"
ALL_RATHER_THAN = 3  # times as many documents are read in the time it takes to look up these
T = TypeVar("T")

WITH_TEXT = "hash != '' OR title != '' OR text IS NOT NULL OR url != '' OR metadata != '{}'"
"""Whether more than the id is known of a document, however much of that is damaged."""


class QueryTable:
    """The queries, numbered in the order they came."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def all(self) -> dict[int, Query]:
        """Every query by its number, in order, but those that were taken out."""
        self._file.check("query", "removal")
        rows = self._file.tuples(
            "SELECT id, qid, text, description, narrative FROM query"  # noqa: S608 -- only names
            f" WHERE id NOT IN {removed(QUERY)} ORDER BY id"
        )
        return {row[0]: Query(*row[1:]) for row in rows}

    def ids(self) -> dict[str, int]:
        """The number of each query."""
        return {query.qid: number for number, query in self.all().items()}

    def count(self) -> int:
        """How many queries there are."""
        return int(self._file.tuples("SELECT count(*) FROM query")[0][0])

    def taken_out(self) -> set[str]:
        """The ids of the queries that were taken out."""
        rows = self._file.tuples(f"SELECT qid FROM query WHERE id IN {removed(QUERY)}")  # noqa: S608 -- only names
        return {qid for (qid,) in rows}

    def have_text(self) -> bool:
        """Whether queries were imported, so that the set of them is settled."""
        return self._file.one("SELECT 1 FROM query WHERE text != '' LIMIT 1") is not None

    def store(self, queries: Iterable[Query]) -> Stored:
        """Add queries, and fill in those of which only the id was known."""
        done = Stored()
        with self._file.writing():
            self._file.check("query")
            new: set[str] = set()
            for query, known in self._beside_stored(queries):
                if known is None or not known.text:
                    new.add(query.qid)
                if known is None:
                    self._file.execute(
                        "INSERT INTO query (qid, text, description, narrative) VALUES (?, ?, ?, ?)",
                        query,
                    )
                    done.added += 1
                elif known == query:
                    done.same += 1
                    continue
                elif known.text:
                    (done.repeated if query.qid in new else done.kept).append(query.qid)
                    continue
                else:
                    self._file.execute(
                        "UPDATE query SET text = ?, description = ?, narrative = ? WHERE qid = ?",
                        (query.text, query.description, query.narrative, query.qid),
                    )
                    done.filled += 1
            self._file.seal("query")
        return done

    def _beside_stored(self, queries: Iterable[Query]) -> Iterator[tuple[Query, Query | None]]:
        """Each query with what is stored of it once those before it are, if anything is."""
        for batch in _batches(queries):
            rows = self._file.tuples(
                "SELECT qid, text, description, narrative FROM query"  # noqa: S608 -- only marks
                f" WHERE qid IN ({','.join('?' * len(batch))})",
                [query.qid for query in batch],
            )
            stored = {row[0]: Query(*row) for row in rows}
            for query in batch:
                known = stored.get(query.qid)
                if known is None or not known.text:
                    stored[query.qid] = query
                yield query, known


class DocumentTable:
    """The documents: ids of all that any file named, texts of those that were imported."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file

    def ids(self, docids: Sequence[str]) -> dict[str, int]:
        """The numbers of documents, giving new ones to those not yet known."""
        with self._file.writing():
            highest = self.newest()
            numbers = self._known(docids, highest)
            new = [docid for docid in dict.fromkeys(docids) if docid not in numbers]
            fresh = dict(zip(new, range(highest + 1, highest + 1 + len(new)), strict=True))
            self._file.many(
                "INSERT INTO document (docid, id, title, text, url, hash)"
                " VALUES (?, ?, '', NULL, '', '')",
                fresh.items(),
            )
        return numbers | fresh

    def known(self, docids: Sequence[str]) -> dict[str, int]:
        """The numbers of those of these documents that are known."""
        return self._known(docids, self.newest())

    def _known(self, docids: Sequence[str], highest: int) -> dict[str, int]:
        """The numbers of those known; of all, where that is no more work than to look them up."""
        if highest < ALL_RATHER_THAN * len(docids):
            known = dict(self._file.tuples("SELECT docid, id FROM document"))
            return {docid: known[docid] for docid in docids if docid in known}
        numbers: dict[str, int] = {}
        for batch in _batches(docids):
            marks = ",".join("?" * len(batch))
            numbers.update(
                self._file.tuples(
                    f"SELECT docid, id FROM document WHERE docid IN ({marks})",  # noqa: S608 -- only marks
                    batch,
                )
            )
        return numbers

    def names(self) -> dict[int, str]:
        """The id of every document by its number; ProjectError if one is not as it was stored."""
        names = dict(self._file.tuples("SELECT id, docid FROM document NOT INDEXED"))
        self._in_index(names)
        return names

    def called(self, first: int, last: int | None = None) -> Iterator[str]:
        """The ids of the documents with these numbers, up to the newest, one by one."""
        sql = "SELECT docid FROM document WHERE id >= ? AND id <= ?"
        for row in self._file.each(sql, (first, self.newest() if last is None else last)):
            yield row[0]

    def paired(self) -> dict[int, str]:
        """The id of every pooled or judged document by its number."""
        sql = "SELECT id, docid FROM document WHERE id IN (SELECT document_id FROM pair)"
        return dict(self._file.tuples(sql))

    def in_id_order(self) -> list[int]:
        """All document numbers, sorted by the bytes of their ids, as trec_eval breaks ties."""
        return self._in_index(self.names())

    def _in_index(self, names: dict[int, str]) -> list[int]:
        """All numbers as the index has them, which has every id a second time."""
        rows = self._file.tuples(f"SELECT id, docid FROM document {_BY_ID} ORDER BY docid")  # noqa: S608 -- only names
        for number, docid in rows:
            if names.get(number) != docid:
                raise self._damaged(number)
        if len(rows) != len(names):
            raise damaged(self._file.path, "ids of documents are missing")
        return [number for number, _ in rows]

    def named(self, numbers: Sequence[int]) -> dict[int, str]:
        """The ids of documents by their numbers; ProjectError if one is not as it was stored."""
        wanted = ",".join(str(int(number)) for number in numbers)
        rows = self._file.tuples(
            "SELECT id, docid, EXISTS (SELECT 1 FROM document AS again"  # noqa: S608 -- numbers only
            f" {_BY_ID} WHERE again.docid = one.docid AND again.id = one.id)"
            f" FROM document AS one NOT INDEXED WHERE id IN ({wanted})"
        )
        names = {number: docid for number, docid, twice in rows if twice}
        for number in numbers:
            if number not in names:
                raise self._damaged(number)
        return names

    def get(self, number: int) -> Document:
        """One document with its text.

        Raises
        ------
        ProjectError
            If it is not as it was stored.
        """
        rows = self._file.tuples(
            "SELECT docid, title, text, url, metadata, hash, digest FROM document"
            " LEFT JOIN seal ON name = ? WHERE id = ?",
            (seals.name_of_document(number), number),
        )
        for docid, title, text, url, metadata, content, seal in rows:
            document = Document(docid, title, text, url)
            if not content:
                whole = seal is None and (title, text, url, metadata) == ("", None, "", "{}")
            else:
                sealed = seals.of_document(docid, metadata, content)
                whole = (content, seal) == (content_hash(document), sealed)
            if whole:
                return document._replace(metadata=tuple(json.loads(metadata).items()))
        raise self._damaged(number)

    def _damaged(self, number: int) -> ProjectError:
        return damaged(self._file.path, f"document number {number} is not as it was stored")

    def stored(self) -> Iterator[Document]:
        """Every document of which more than the id is known, one at a time.

        Raises
        ------
        ProjectError
            If one of them is not as it was stored, or missing.
        """
        sql = (
            f"SELECT id FROM document NOT INDEXED WHERE {WITH_TEXT} UNION"  # noqa: S608 -- only names
            " SELECT CAST(substr(name, 10) AS INTEGER) FROM seal WHERE name GLOB 'document *'"
        )
        for (number,) in self._file.tuples(sql):
            yield self.get(number)

    def texts(self, numbers: Iterable[int]) -> Iterator[tuple[int, str, str]]:
        """Number, title and text of those of the documents that have a text, one at a time."""
        for batch in _batches(numbers):
            marks = ",".join("?" * len(batch))
            for number, title, text, url, content in self._file.each(
                "SELECT id, title, text, url, hash FROM document"  # noqa: S608 -- only marks
                f" WHERE text IS NOT NULL AND id IN ({marks})",
                batch,
            ):
                if content_hash(Document("", title, text, url)) != content:
                    raise self._damaged(number)
                yield number, title, text

    def newest(self) -> int:
        """The number of the document that came last, 0 if there is none; they are counted up."""
        return int(self._file.tuples("SELECT coalesce(max(id), 0) FROM document")[0][0])

    def count(self) -> int:
        """How many documents are known, if only by their ids."""
        return int(self._file.tuples("SELECT count(*) FROM document")[0][0])

    def pooled(self) -> set[str]:
        """The ids of the documents that are pooled or judged: those whose text is needed."""
        rows = self._file.tuples(
            "SELECT docid FROM document WHERE id IN (SELECT document_id FROM pair)"
        )
        return {row[0] for row in rows}

    def judged(self, docids: Sequence[str]) -> list[str]:
        """Those of the documents that have a label, in their order."""
        labelled: set[str] = set()
        for batch in _batches(docids):
            marks = ",".join("?" * len(batch))
            held = states(
                "one.pair_id IN (SELECT pair.id FROM document JOIN pair ON document_id ="  # noqa: S608 -- only marks
                f" document.id WHERE docid IN ({marks}))"
            )
            rows = self._file.tuples(
                f"SELECT docid FROM {held} JOIN pair ON pair.id = pair_id"  # noqa: S608 -- only names
                " JOIN document ON document.id = document_id"
                " JOIN assessor ON assessor.id = assessor_id"
                " WHERE grade IS NOT NULL AND kind != 'model'",
                batch,
            )
            labelled.update(row[0] for row in rows)
        return [docid for docid in docids if docid in labelled]

    def store(self, documents: Iterable[Document]) -> Stored:
        """Store the texts of documents at once."""
        from annotator.store.staging.area import staging

        with staging(self._file) as staged:
            texts = staged.texts()
            texts.add(documents)
            with self._file.writing():
                return texts.store()

    def pooled_without_text(self) -> int:
        """How many pooled documents have no text."""
        return int(
            self._file.tuples(
                "SELECT count(*) FROM document WHERE text IS NULL AND id IN"
                " (SELECT document_id FROM pair JOIN pool_entry ON pair_id = pair.id)"
            )[0][0]
        )

    def relevant_without_text(self) -> list[str]:
        """The documents with a label above 0 that are neither pooled nor in any file of texts."""
        alone = (
            "one.grade > 0 AND one.pair_id NOT IN (SELECT pair_id FROM pool_entry) AND"
            " one.pair_id IN (SELECT pair.id FROM pair JOIN document ON document.id = document_id"
            " WHERE text IS NULL)"
        )
        rows = self._file.tuples(
            "SELECT DISTINCT docid FROM document JOIN pair ON document_id = document.id"  # noqa: S608 -- only names
            f" JOIN {states(alone)} ON pair_id = pair.id"
            " JOIN assessor ON assessor.id = assessor_id"
            " WHERE kind != 'model' AND document.id NOT IN"
            " (SELECT document_id FROM pair JOIN pool_entry ON pair_id = pair.id)"
            " ORDER BY document.id"
        )
        return [docid for (docid,) in rows]

    def twins_told_apart(self) -> list[tuple[str, list[str]]]:
        """Documents of one title and text that have different labels for one query, by its id.

        Of each group those that were judged, in the order of their ids.
        """
        self._file.db.create_function("digest", 2, _digest, deterministic=True)
        rows = self._file.tuples(
            "SELECT qid, json_group_array(docid) FROM ("  # noqa: S608 -- only names
            "SELECT query_id, docid, grade, digest(title, text) AS content,"
            " max(judged || assessor_id)"
            f" FROM {states()} JOIN pair ON pair.id = pair_id"
            " JOIN document ON document.id = document_id"
            " JOIN assessor ON assessor.id = assessor_id"
            " WHERE grade IS NOT NULL AND text IS NOT NULL AND kind != 'model'"
            " GROUP BY pair_id ORDER BY docid"
            ") JOIN query ON query.id = query_id GROUP BY query_id, content"
            " HAVING min(grade) < max(grade) ORDER BY query_id"
        )
        return [(qid, json.loads(docids)) for qid, docids in rows]


def _digest(title: str, text: str) -> bytes:
    return blake2b(f"{title}\0{text}".encode(), digest_size=16).digest()


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    at = iter(items)
    while batch := list(islice(at, BATCH)):
        yield batch
