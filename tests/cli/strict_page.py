"""A page read strictly: every tag is closed, and nothing is loaded or run."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from annotator.report.page.page import POLICY

VOID = {"meta"}


class Page(HTMLParser):
    """A strict reading: every tag is closed in its turn, and nothing is loaded or run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.policy = ""
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        assert tag not in {"script", "link", "iframe", "object", "embed", "base", "form", "img"}
        for key, value in said.items():
            assert not key.startswith("on")
            assert key not in {"src", "srcset", "action", "xlink:href", "ping"}
            assert "http" not in (value or "") or key == "xmlns"
            assert "url(" not in (value or "") or (value or "").startswith("url(#")
        self.ids += [said["id"] or ""] if "id" in said else []
        self.links += [said["href"] or ""] if "href" in said else []
        if said.get("http-equiv") == "Content-Security-Policy":
            self.policy = said["content"] or ""
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def page_of(path: Path | str) -> Page:
    text = Path(path).read_text("utf-8")
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert "@import" not in text
    page = Page(text)
    assert page.policy == POLICY == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert len(page.ids) == len(set(page.ids))
    assert {one.removeprefix("#") for one in page.links} <= set(page.ids)
    return page
