"""How every query went: which of them are shown, and a table of all systems on them."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.report.figures.drawing import shade
from annotator.report.tables import Cell, Format, name, render
from annotator.results.json_form import WORST
from annotator.results.scores import QueryScore, ScoreTable
from annotator.text.markup import Markup, element
from annotator.text.numbers import UNDEFINED, decimal, mark_of
from annotator.text.safe import one_line

MOST, CHOSEN = 200, 100
"""Of more queries only those are shown on which the systems differ most."""
WEAK = "\N{WHITE DOWN-POINTING SMALL TRIANGLE}"
_LONGEST_TEXT = 120

Scores = dict[tuple[str, str], QueryScore]
"""Scores by system and query."""


def scores_of(table: ScoreTable, at: int = 0) -> Scores:
    """The scores on one measure."""
    return {
        (system.system, one.query): one
        for system in table.systems
        for one in system.measures[at].per_query
    }


def shown_queries(scores: Scores) -> tuple[list[str], int]:
    """The queries to show, the hardest first, and how many there are."""
    points: dict[str, list[float]] = {}
    for (_, qid), one in scores.items():
        points.setdefault(qid, [])
        if one.point is not None:
            points[qid].append(one.point)
    qids = list(points)
    if len(qids) > MOST:
        qids.sort(key=lambda qid: min(points[qid], default=0.0) - max(points[qid], default=0.0))
        qids = qids[:CHOSEN]
    return sorted(qids, key=lambda qid: _mean(points[qid])), len(points)


def _mean(points: Sequence[float]) -> float:
    """Of a query that counts for nobody it is above every score: it comes last."""
    return sum(points) / len(points) if points else float("inf")


class QueriesTable:
    """A row a query with every system's score; those of its worst queries bear a triangle.

    On a page a cell is shaded by its score, and hatched where not all is judged: page.css has the
    looks ``v`` and ``h`` of each shade.
    """

    def __init__(self, systems: Sequence[str], table: ScoreTable) -> None:
        self._systems, self._scores, self._texts = systems, scores_of(table), table.texts
        self._worst = {
            (system.system, one.query)
            for system in table.systems
            for one in system.measures[0].worst(WORST)
        }
        points = [one.point for one in self._scores.values() if one.point is not None]
        self._top = max([1.0, *points])

    def write(self, qids: Sequence[str], form: Format) -> str:
        """Write some queries."""
        headers = ["query", *map(name, self._systems), "text"]
        if form is Format.HTML:
            return self._page(headers, qids)
        rows: list[list[Cell]] = [
            [name(qid), *(self._cell(system, qid) for system in self._systems), self._text(qid)]
            for qid in qids
        ]
        return render(headers, rows, form, align=f"l{'r' * len(self._systems)}l")

    def _page(self, headers: Sequence[str], qids: Sequence[str]) -> str:
        heads = element("tr", *(element("th", header) for header in headers))
        rows = [
            element(
                "tr",
                element("th", name(qid)),
                *(self._shaded(system, qid) for system in self._systems),
                element("td", self._text(qid)),
            )
            for qid in qids
        ]
        parts = element("thead", heads), element("tbody", *rows)
        return element("div", element("table", *parts, class_="texts"), class_="wide") + "\n"

    def _shaded(self, system: str, qid: str) -> Markup:
        one, look = self._scores.get((system, qid)), None
        if one is not None and one.point is not None:
            look = f"{'h' if one.value is None else 'v'}{shade(one.point / self._top)}"
        return element("td", self._cell(system, qid), class_=look)

    def _cell(self, system: str, qid: str) -> str:
        one = self._scores.get((system, qid))
        if one is None:
            return UNDEFINED
        weak = f" {WEAK}" if (system, qid) in self._worst else ""
        return decimal(one.point, mark=mark_of(one)) + weak

    def _text(self, qid: str) -> str:
        return one_line(self._texts.get(qid, ""), _LONGEST_TEXT)
