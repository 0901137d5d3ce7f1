"""TREC topics in XML: ``<topic number="1">`` with a query, a question, a narrative."""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotator.domain import Query
from annotator.formats.input.source import Head, Source
from annotator.formats.input.xml_parser import parsed
from annotator.formats.problems import Problems
from annotator.formats.queries import topics
from annotator.formats.reader import Reader

OPENING = re.compile(r"\s*<(\?xml|!|topics?\b)", re.IGNORECASE)
ID_ATTRIBUTES = ("number", "id", "qid")
FIELDS = {
    "number": "num",
    "num": "num",
    "id": "num",
    "query": "title",
    "title": "title",
    "question": "desc",
    "description": "desc",
    "desc": "desc",
    "narrative": "narr",
    "narr": "narr",
}


def recognise(head: Head) -> bool:
    """The file starts as XML does, or with a topic."""
    return OPENING.match(head[0]) is not None


def read(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the topics; elements other than number, query, question and narrative are left out."""
    return topics.queries(parsed(source, _Target()), source, problems, '<topic number="…">')


class _Target:
    """Gathers the texts of each topic's children from what the XML parser meets."""

    def __init__(self) -> None:
        self.line = 0
        self._start = 0
        self._number = ""
        self._path: list[str] = []  # the names from the topic down to where the parser is
        self._texts: dict[str, list[str]] = {}
        self._done: list[tuple[int, dict[str, str]]] = []

    def taken(self) -> list[tuple[int, dict[str, str]]]:
        """Return the topics that have ended since the last call."""
        done, self._done = self._done, []
        return done

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition("}")[2].lower()
        if self._path:
            self._path.append(name)
        elif name == "topic":
            self._start, self._path, self._texts = self.line, [name], {}
            self._number = next((attributes[key] for key in ID_ATTRIBUTES if key in attributes), "")

    def data(self, text: str) -> None:
        """Keep the text of a topic's child, or of the topic itself if that has no title."""
        if self._path:
            field = FIELDS.get(self._path[1]) if len(self._path) > 1 else "topic"
            if field:
                self._texts.setdefault(field, []).append(text)

    def end(self, _tag: str) -> None:
        if not self._path:
            return
        self._path.pop()
        if not self._path:
            fields = {field: "".join(parts) for field, parts in self._texts.items()}
            fields.setdefault("title", fields.get("topic", ""))
            fields["num"] = self._number or fields.get("num", "")
            self._done.append((self._start, fields))

    def close(self) -> None:
        """Nothing is left to do at the end of the file."""


XML_TOPICS = Reader(
    name="xml",
    title='XML topics (<topic number="…"> with query or title)',
    recognise=recognise,
    read=read,
)
