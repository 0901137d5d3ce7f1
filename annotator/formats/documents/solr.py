"""Documents as Solr is sent them in XML: ``<add><doc><field name="id">…``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from annotator.domain import Document
from annotator.errors import InputError
from annotator.formats.documents.rows import documents_of
from annotator.formats.input.source import LONGEST_LINE, Head, Source
from annotator.formats.input.xml_parser import parsed
from annotator.formats.json_values import Record
from annotator.formats.problems import Problems
from annotator.formats.reader import Kind, Reader
from annotator.formats.tables.rows import rows_of
from annotator.formats.tables.samples import MOST, Sample

OPENING = re.compile(r"<add\b[^<>]*>\s*(<!--.*?-->\s*)*<doc\b", re.DOTALL)


def recognise(head: Head) -> bool:
    """It begins with documents to be added."""
    return head[0].lstrip().startswith("<") and OPENING.search(head.text) is not None


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the documents; the fields are known by name, and several of one name are lines of it."""
    records = parsed(source, _Target(source.name))
    first = list(islice(records, MOST))
    if not first:
        raise InputError(f"{source.name}: holds no document: expected <doc> in <add>")
    found = Sample.of_objects([record for _, record in first])
    rows = rows_of(source, problems, Kind.DOCUMENTS, found, chain(first, records))
    yield from documents_of(rows, problems)


class _Target:
    """Gathers the fields of each document."""

    def __init__(self, name: str) -> None:
        self.line = 0
        self._name = name
        self._depth = 0  # below <doc>, where documents may lie inside others
        self._start, self._size = 0, 0
        self._field: str | None = None
        self._text: list[str] = []
        self._record: dict[str, list[str]] = {}
        self._done: list[tuple[int, Record]] = []

    def taken(self) -> list[tuple[int, Record]]:
        done, self._done = self._done, []
        return done

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "doc":
            self._depth += 1
            if self._depth == 1:
                self._start, self._size, self._record = self.line, 0, {}
        elif tag == "field" and self._depth == 1:
            self._field, self._text = attributes.get("name", ""), []

    def data(self, text: str) -> None:
        if self._field is None:
            return
        self._text.append(text)
        self._size += len(text)
        if self._size > LONGEST_LINE:
            raise InputError(f"{self._name}:{self._start}: a document of more than 64 MiB")

    def end(self, tag: str) -> None:
        if tag == "field" and self._field is not None:
            self._record.setdefault(self._field, []).append("".join(self._text))
            self._field = None
        elif tag == "doc":
            self._depth -= 1
            if not self._depth:
                record: Record = {
                    name: values[0] if len(values) == 1 else values
                    for name, values in self._record.items()
                }
                self._done.append((self._start, record))

    def close(self) -> None:
        """Nothing is left to do at the end of the file."""


SOLR_XML = Reader(
    name="solr",
    title='Solr documents (XML: <add> <doc> <field name="id">)',
    recognise=recognise,
    read=read,
)
