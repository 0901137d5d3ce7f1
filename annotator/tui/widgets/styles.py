"""What each part of a document's line looks like."""

from __future__ import annotations

from bisect import bisect_left
from itertools import groupby
from operator import itemgetter

from annotator.tui.widgets.markdown import marked_up
from annotator.tui.widgets.matches import Matches
from annotator.tui.widgets.page import Page

NONE = Matches()


def parts(page: Page, line: int, *, styled: bool, matches: Matches = NONE) -> list[tuple[str, str]]:
    """Cut a line where its look changes; each part with its component class, or none.

    Parameters
    ----------
    page, line
        Which line of what.
    styled
        Whether Markdown is shown by its look.
    matches
        What a search found in the page's content.
    """
    start, end = page.span(line)
    looks = [""] * (end - start)

    def paint(first: int, last: int, kind: str) -> None:
        first, last = max(first, start), min(last, end)
        looks[first - start : last - start] = [f"document-view--{kind}"] * (last - first)

    terms = page.source.terms
    if start < page.about_end:
        paint(start, end, "title" if start < page.title_end else "about")
    if styled and start >= page.about_end:
        for first, last, kind in marked_up(page.content, start, end):
            paint(first, last, kind)
    if terms is not None and (start < page.title_end or start >= page.about_end):
        for found in terms.finditer(page.content, start, end):
            paint(*found.span(), "term")
    places = matches.places
    for index in range(bisect_left(places, start + 1, key=itemgetter(1)), len(places)):
        if places[index][0] >= end:
            break
        paint(*places[index], "current-match" if index == matches.current else "match")
    runs = groupby(zip(looks, page.content[start:end], strict=True), key=itemgetter(0))
    return [(kind, "".join(character for _, character in run)) for kind, run in runs]
