"""Figures: well-formed, inert, every mark says its value, and what is open looks open."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring

from annotator.report.figures.differences import Bar, draw_differences
from annotator.report.figures.drawing import STYLE, Figure, scale
from annotator.report.figures.heat_map import Cell, draw_heat_map
from annotator.report.figures.intervals import Interval, draw_intervals
from annotator.report.figures.matrix import LIKELY, OPEN, Verdict, draw_matrix
from annotator.report.figures.spread import Spread, draw_spread
from tests.report.contrast import contrast

NAMES = ["a", "<script>alert(1)</script>", '" onload="x', "\x1b[2J\u202e\ud800\ufffe", "x" * 500]
SVG = "{http://www.w3.org/2000/svg}"


def intervals(name: str) -> Figure:
    rows = [
        Interval(name, f"{name}: 0.3", 0.3, (0.2, 0.4), (0.1, 0.9), sure=False),
        Interval("sure", "sure: 0.5", 0.5, None, (0.5, 0.5), sure=True),
        Interval("none", "none: undefined", None, None, None, sure=False),
    ]
    return draw_intervals("scores", name, name, rows)


def spread(name: str) -> Figure:
    return draw_spread("spread", name, name, [Spread(name, [0, 2, 1], 1.0, [("median 0.5", 0.5)])])


def heat_map(name: str) -> Figure:
    cells = [Cell(f"{name}: 0.3", 0.3, open=True), Cell("0", 0.0, open=False), Cell("", None, True)]
    return draw_heat_map("queries", name, name, [(name, cells)], name)


def differences(name: str) -> Figure:
    bars = [
        Bar(f"{name}: 0.2", 0.2, (-0.1, 0.3), open=True),
        Bar("-0.1", -0.1, None, open=False),
        Bar("0", 0.0, None, open=False),
    ]
    return draw_differences("difference-1", name, name, (name, name), bars)


def matrix(name: str) -> Figure:
    cells = {
        (name, "b"): Verdict("+0.1 *", f"{name} ahead", ahead=True, known=LIKELY),
        ("b", name): Verdict("-0.1", "open", ahead=False, known=OPEN),
    }
    return draw_matrix("verdicts", name, name, [name, "b"], cells)


FIGURES = [intervals, spread, heat_map, differences, matrix]


def tags(figure: Figure) -> list[Element]:
    return list(fromstring(figure.alone()).iter())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("draw", FIGURES)
def test_no_name_becomes_a_tag_or_breaks_the_file(draw: Callable[[str], Figure], name: str) -> None:
    known = {"svg", "title", "desc", "style", "defs", "pattern", "path", "circle", "text", "g"}
    for tag in tags(draw(name)):
        assert tag.tag.removeprefix(SVG) in known
        assert not any(key.startswith("on") or "href" in key for key in tag.attrib)
    assert not set("\x1b\u202e\ud800\ufffe") & set(draw(name).alone())


@pytest.mark.parametrize("draw", FIGURES)
def test_a_figure_has_a_name_and_a_finding_for_who_hears_it(draw: Callable[[str], Figure]) -> None:
    svg, *inside = tags(draw("a system"))
    named = svg.attrib["aria-labelledby"].split()
    assert svg.attrib["role"] == "img"
    assert [one.attrib.get("id") for one in inside[:2]] == named
    assert [one.text for one in inside[:2]] == ["a system", "a system"]


@pytest.mark.parametrize("draw", FIGURES)
def test_every_mark_says_its_value(draw: Callable[[str], Figure]) -> None:
    svg = fromstring(draw("ann").alone())
    titles = [one.text or "" for one in svg.iter(f"{SVG}title")]
    assert any("ann" in one and len(one) > 3 for one in titles[1:])
    if draw in (heat_map, differences):
        assert len(titles) == 1 + 3


@pytest.mark.parametrize(("draw", "look"), [(heat_map, "#open2"), (differences, "#open-one")])
def test_what_is_not_judged_is_hatched_and_no_other(
    draw: Callable[[str], Figure], look: str
) -> None:
    marks = [tag for tag in tags(draw("a")) if tag.find(f"{SVG}title") is not None]
    looks = [one.attrib.get("fill") or one.attrib.get("stroke", "") for one in marks]
    filled = [one for one in looks if "url" in one]
    assert filled == [f"url({look})"]


def test_a_point_that_nothing_can_change_is_full_and_others_are_hollow() -> None:
    looks = [tag.attrib["class"] for tag in tags(intervals("a")) if tag.tag == f"{SVG}circle"]
    assert looks == ["hollow", "one"]


@pytest.mark.parametrize("values", [[], [0.5], [0.0, 0.0], [0.661, 0.774], [-3.0, 1e-9], [0, 250]])
def test_a_scale_holds_all_values_between_round_ends(values: list[float]) -> None:
    along = scale(values, 0, 100)
    assert all(0 <= along(one) <= 100 for one in values)
    assert along.low <= min(values, default=0) + 1e-9
    assert along.high >= max(values, default=1) - 1e-9
    assert 2 <= len(along.ticks()) <= 11


def rgb(text: str) -> list[int]:
    return [int(text[at : at + 2], 16) for at in (1, 3, 5)]


@pytest.mark.parametrize(("part", "ground"), [(0, "#ffffff"), (1, "#1b1b1b")])
def test_texts_and_marks_are_readable_in_light_and_dark(part: int, ground: str) -> None:
    rules = STYLE.split("@media(prefers-color-scheme:dark)")[part]
    for name, least in ((".ink", 4.5), (".soft", 4.5), (".one", 3), (".two", 3)):
        colour = rules.split(f".figure {name}{{fill:")[1][:7]
        assert contrast(rgb(colour), rgb(ground)) >= least, name
