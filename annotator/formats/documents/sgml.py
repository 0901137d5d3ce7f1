"""TREC documents: ``<DOC>`` with a ``<DOCNO>``, many in one file."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from annotator.domain import Document
from annotator.errors import InputError
from annotator.formats.blindness import Fields
from annotator.formats.input.source import LONGEST_LINE, Head, Source
from annotator.formats.metadata import joined
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader

START = re.compile(r"\s*<DOC>", re.IGNORECASE)
END = re.compile(r"</DOC>\s*$", re.IGNORECASE)
NUMBER = re.compile(r"<DOCNO>\s*(.*?)\s*</DOCNO>", re.IGNORECASE | re.DOTALL)
TITLE = re.compile(r"<(TITLE|HEADLINE|TTL|HL|H3)>(.*?)</\1>", re.IGNORECASE | re.DOTALL)
URL = re.compile(r"<(URL|DOCHDR)>\s*(\S+).*?</\1>", re.IGNORECASE | re.DOTALL)
FIELD = re.compile(
    r"<(AUTHORS?|BIB|BYLINE|DATE|DATELINE|LANGUAGE|PUB|SECTION|SOURCE|SUBJECT)>(.*?)</\1>",
    re.IGNORECASE | re.DOTALL,
)
OTHER = re.compile(r"<(DOCID|DOCOLDNO|FILEID|PARENT)>.*?</\1>", re.IGNORECASE | re.DOTALL)
TAG = re.compile(r"</?[A-Za-z!][^<>]{0,1000}>")
BLANK_LINES = re.compile(r"\n\s*\n+")


def recognise(head: Head) -> bool:
    """It begins with ``<DOC>``, after an XML declaration or a root at most."""
    return any(map(START.match, head[:5])) and "<docno" in head.text.lower()


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the documents one by one; tags are taken out of their texts, and so are fields."""
    fields = problems.fields
    fields.choose(source.hints.fields, source.hints.hide)
    found = False
    for number, text in _documents(source):
        found = True
        try:
            document = _document(text, fields)
        except ValueError as fault:
            problems.add(number, str(fault))
        else:
            yield document
    if not found:
        raise InputError(f"{source.name}: holds no document: expected <DOC>")


def _documents(source: Source) -> Iterator[tuple[int, str]]:
    """Give each document and the line where it starts; the next one ends it at the latest."""
    start, size, lines = 0, 0, list[str]()
    for number, line in source.lines():
        if START.match(line):
            if start:
                yield start, "\n".join(lines)
            start, size, lines = number, 0, []
        if start:
            lines.append(line)
            size += len(line)
        if size > LONGEST_LINE:
            raise InputError(f"{source.name}:{start}: a document of more than 64 MiB")
        if start and END.search(line):
            yield start, "\n".join(lines)
            start, lines = 0, []
    if start:
        yield start, "\n".join(lines)


def _document(text: str, shown: Fields) -> Document:
    if not END.search(text):
        raise ValueError("<DOC> is not closed: expected </DOC>")
    number = NUMBER.search(text)
    if number is None or not number[1]:
        raise ValueError("the document has no <DOCNO>")
    title, url = TITLE.search(text), URL.search(text)
    fields = [(one[1].lower(), _line(one[2])) for one in FIELD.finditer(text)]
    for part in (NUMBER, TITLE, URL):
        text = part.sub("", text, count=1)
    for part in (FIELD, OTHER):
        text = part.sub("", text)
    return Document(
        html.unescape(number[1]),
        _line(title[2]) if title else "",
        BLANK_LINES.sub("\n\n", _plain(text)).strip(),
        url[2] if url else "",
        joined((name, value) for name, value in fields if value and shown.shows(name, value)),
    )


def _line(text: str) -> str:
    return " ".join(_plain(text).split())


def _plain(text: str) -> str:
    return html.unescape(TAG.sub("", text)).replace("\0", "")


TREC_DOCUMENTS = Reader(
    name="trec", title="TREC documents (<DOC> <DOCNO>)", recognise=recognise, read=read
)
