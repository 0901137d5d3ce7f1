"""A web page as a document: its id is the file's name without ``.html``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from annotator.errors import InputError
from annotator.formats.blindness import Fields
from annotator.formats.metadata import metadata
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader
from annotator.formats.source import LONGEST_LINE, Head, Source
from annotator.records import Document, Metadata
from annotator.sanitise import one_line

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

OPENING = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I)
SUFFIX = re.compile(r"\.x?html?(\.(gz|zst|bz2|xz))?$", re.IGNORECASE)
UNSHOWN = ("script", "style", "noscript", "template", "head")
FIELDS = re.compile("author|date|description|keywords|language|publisher", re.IGNORECASE)
BLOCKS = re.compile(
    "address|article|aside|blockquote|br|d[dlt]|div|fig(caption|ure)|foot(er)?|form|h[1-6]|header|hr"
    "|li|main|nav|[ou]l|p|pre|section|t(able|[dhr])"
)


def recognise(head: Head) -> bool:
    """It begins as a page does."""
    return OPENING.match(head.text[:4096]) is not None


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the page's title and text, without scripts and styles.

    Raises
    ------
    InputError
        If Beautiful Soup is not installed, or the page is too large or too deep.
    """
    try:
        from bs4 import BeautifulSoup
        from bs4.exceptions import ParserRejectedMarkup
    except ImportError:
        raise InputError(
            f"{source.name}: is HTML, which needs: pip install 'pool-annotator[html]'"
        ) from None
    html = _whole(source)
    try:
        with warnings.catch_warnings(action="ignore"):  # it is no XML, nor an address
            page = BeautifulSoup(html, "html.parser")
            problems.fields.choose(source.hints.fields, source.hints.hide)
            url, fields = _url(page), _fields(page, problems.fields)
            title, text = _shown(page)
    except RecursionError:
        raise InputError(f"{source.name}: its elements are nested too deeply") from None
    except ParserRejectedMarkup as fault:
        raise InputError(f"{source.name}: cannot be read as HTML: {one_line(str(fault))}") from None
    yield Document(SUFFIX.sub("", source.path.name), title, text, url, fields)


def _whole(source: Source) -> str:
    lines, size = [], 0
    for _, line in source.lines():
        size += len(line)
        if size > LONGEST_LINE:
            raise InputError(f"{source.name}: a page of more than 64 MiB")
        lines.append(line)
    return "\n".join(lines)


def _url(page: BeautifulSoup) -> str:
    """Where the page says that it stands."""
    link = page.find("link", rel="canonical", href=True)
    return str(link["href"]).strip() if link else ""


def _fields(page: BeautifulSoup, fields: Fields) -> Metadata:
    """What the page tells of itself for a reader."""
    told = [(str(one["name"]).lower(), one) for one in page("meta", attrs={"name": FIELDS})]
    return metadata({name: one.get("content") for name, one in told}, fields)


def _shown(page: BeautifulSoup) -> tuple[str, str]:
    """The page's title, and what a browser shows, a line a block."""
    title = " ".join(page.title.get_text().split()) if page.title else ""
    for element in page(UNSHOWN):
        element.decompose()
    for element in page(_is_block):
        element.insert_before("\n")
        element.insert_after("\n")
    lines = (" ".join(line.split()) for line in page.get_text().splitlines())
    return title, "\n".join(filter(None, lines))


def _is_block(element: Tag) -> bool:
    return BLOCKS.fullmatch(element.name) is not None


READER = Reader(name="html", title="an HTML page", recognise=recognise, read=read)
