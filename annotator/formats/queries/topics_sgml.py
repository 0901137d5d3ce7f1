"""TREC topics in their old form: tags that are seldom closed, texts that start with a label."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from annotator.domain import Query
from annotator.formats.input.source import Head, Source
from annotator.formats.problems import Problems
from annotator.formats.queries import topics
from annotator.formats.reader import Reader

TOP = re.compile(r"<top(?:\s[^<>]*)?>", re.IGNORECASE)
TAG = re.compile(r"<(/?)([a-z][\w-]*)(?:\s+([^<>]*))?>", re.IGNORECASE)
NUMBER = re.compile(r"""\b(?:num|number|id|qid)\s*=\s*["']?([^\s"'>]+)""", re.IGNORECASE)
FIELDS = ("num", "title", "desc", "narr")
ENTITY = re.compile(r"&#?\w+;")


def recognise(head: Head) -> bool:
    """One of the first lines has the tag ``<top>``."""
    return any(map(TOP.search, head))


def read(source: Source, problems: Problems) -> Iterator[Query]:
    """Read the topics; fields other than number, title, description and narrative are left out."""
    return topics.queries(_topics(source), source, problems, "<top>")


def _topics(source: Source) -> Iterator[tuple[int, dict[str, str]]]:
    """Give each topic's fields and the line where it starts; the next one closes it at the latest.

    A line's first tag ends the field before it. A later one is part of the text if it is not a
    known one, but never of a number.
    """
    start, field, texts = 0, "", _no_texts()
    for number, line in source.lines():
        done = 0
        for tag in TAG.finditer(line):
            closing, name = tag[1], tag[2].lower()
            known = name in FIELDS or name == "top" or field == "num"
            if not known and line[: tag.start()].strip():
                continue
            if field in texts:
                texts[field].append(line[done : tag.start()])
            done = tag.end()
            field = "" if closing else name
            if name == "top":
                if start:
                    yield start, _joined(texts)
                start, texts = (0 if closing else number), _no_texts()
            if name in ("top", "num") and tag[3] and (attribute := NUMBER.search(tag[3])):
                texts["num"].insert(0, attribute[1])
        if field in texts:
            texts[field].append(line[done:])
    if start:
        yield start, _joined(texts)


def _no_texts() -> dict[str, list[str]]:
    return {field: [] for field in FIELDS}


def _joined(texts: dict[str, list[str]]) -> dict[str, str]:
    return {
        field: ENTITY.sub(lambda entity: html.unescape(entity[0]), "\n".join(parts))
        for field, parts in texts.items()
    }


SGML_TOPICS = Reader(
    name="sgml", title="TREC topics (<top> <num> <title>)", recognise=recognise, read=read
)
