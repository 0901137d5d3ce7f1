"""A web page as a document: its id is the file's name without ``.html``."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from annotator.domain import Document
from annotator.errors import InputError
from annotator.formats.input.source import Head, Source
from annotator.formats.metadata import metadata
from annotator.formats.problems import Problems
from annotator.formats.reader import Reader

LARGEST = 32 * 1024 * 1024
LONGEST_TAG = 100_000
OPENING = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I)
SUFFIX = re.compile(r"\.x?html?(\.(gz|zst|bz2|xz))?$", re.IGNORECASE)
TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]{0,100})")
REST = re.compile(r"""(?:[^'">]++|"[^"]*"|'[^']*')*+>""")
BARE_REST = re.compile("[^>]*+>")
MOST_ODD = 50
"""Tags whose quotes do not close: each is looked for to the end of the page."""
ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)\s*=\s*("[^"]*"|'[^']*'|[^\s>"']+)""")
UNSHOWN = frozenset(("script", "style", "noscript", "template"))
FIELDS = re.compile("author|date|description|keywords|language|publisher", re.IGNORECASE)
BLOCKS = re.compile(
    "address|article|aside|blockquote|body|br|d[dlt]|div|fig(caption|ure)|foot(er)?|form|h[1-6]"
    "|header|hr|li|main|nav|[ou]l|p|pre|section|t(able|[dhr])"
)


def recognise(head: Head) -> bool:
    """It begins as a page does."""
    return OPENING.match(head.text[:4096]) is not None


def read(source: Source, problems: Problems) -> Iterator[Document]:
    """Read the page's title and text, without scripts and styles.

    Raises
    ------
    InputError
        If the page is too large.
    """
    problems.fields.choose(source.hints.fields, source.hints.hide)
    lines, size = [], 0
    for _, line in source.lines():
        size += len(line)
        if size > LARGEST:
            raise InputError(f"{source.name}: a page of more than {LARGEST >> 20} MiB")
        lines.append(line)
    page = _Page()
    page.read("\n".join(lines))
    title, text = " ".join("".join(page.title).split()), "".join(page.text)
    shown = (" ".join(line.split()) for line in text.splitlines())
    yield Document(
        SUFFIX.sub("", source.path.name),
        title,
        "\n".join(filter(None, shown)),
        page.url,
        metadata(page.fields, problems.fields),
    )


class _Page:
    """Gathers what a browser shows of a page, a line a block; no tree is made.

    Whatever runs on to the end of the page (a tag, a comment, a script) ends it, as in a browser:
    so no part of a page is looked through more than once.
    """

    def __init__(self) -> None:
        self.title: list[str] = []
        self.text: list[str] = []
        self.fields: dict[str, object] = {}
        self.url = ""
        self._part = self._around = "body"
        self._odd = 0

    def read(self, page: str) -> None:
        """Take in the page."""
        at = 0
        while at < len(page):
            begin = page.find("<", at)
            self._say(page[at : begin if begin >= 0 else len(page)])
            at = self._markup(page, begin) if begin >= 0 else len(page)

    def _markup(self, page: str, begin: int) -> int:
        """Take in what begins with ``<``; where it ends."""
        if page.startswith("<!--", begin):
            return _behind(page, "-->", begin + 2)
        if page.startswith(("<!", "<?"), begin):
            return _behind(page, ">", begin)
        tag = TAG.match(page, begin)
        if tag is None:
            self._say("<")
            return begin + 1
        end = self._end_of(page, tag.end())
        if end is None:
            return len(page)
        name = tag[2].lower()
        if tag[1]:
            self._close(name)
            return end.end()
        if name in UNSHOWN:
            closing = re.compile(rf"</{name}\b", re.IGNORECASE).search(page, end.end())
            return closing.start() if closing else len(page)
        self._open(name, page[tag.end() : end.end()])
        return end.end()

    def _end_of(self, page: str, at: int) -> re.Match[str] | None:
        """The rest of a tag: up to what closes it the quotes."""
        if self._odd < MOST_ODD:
            if end := REST.match(page, at):
                return end
            self._odd += 1
        return BARE_REST.match(page, at)

    def _open(self, name: str, rest: str) -> None:
        if name == "head":
            self._part = self._around = name
        elif name == "title":
            self._part = name if not self.title else "head"
        elif BLOCKS.fullmatch(name):  # which ends a head that nothing else ends
            self._part = self._around = "body"
            self.text.append("\n")
        elif name in ("meta", "link") and len(rest) < LONGEST_TAG:
            self._tell(name, {one[1].lower(): _value(one[2]) for one in ATTRIBUTE.finditer(rest)})

    def _close(self, name: str) -> None:
        if name == "title":
            self._part = self._around
        elif name == "head":
            self._part = self._around = "body"
        elif BLOCKS.fullmatch(name):
            self.text.append("\n")

    def _say(self, data: str) -> None:
        """Take in text, where it is shown."""
        if self._part == "title":
            self.title.append(html.unescape(data))
        elif self._part == "body":
            self.text.append(html.unescape(data))

    def _tell(self, tag: str, values: dict[str, str]) -> None:
        """Keep what the page tells of itself for a reader, and where it says that it stands."""
        if tag == "link" and "canonical" in values.get("rel", "").lower().split():
            self.url = self.url or values.get("href", "").strip()
        name = values.get("name", "")
        if tag == "meta" and FIELDS.search(name):
            self.fields.setdefault(name.lower(), values.get("content", ""))


def _behind(page: str, end: str, at: int) -> int:
    found = page.find(end, at)
    return len(page) if found < 0 else found + len(end)


def _value(quoted: str) -> str:
    bare = quoted[1:-1] if quoted[:1] in ("'", '"') else quoted
    return html.unescape(bare)


HTML_PAGE = Reader(name="html", title="an HTML page", recognise=recognise, read=read)
