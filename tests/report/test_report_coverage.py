"""Coverage as text."""

from __future__ import annotations

import csv
import json
from dataclasses import replace

from annotator.domain import QueryProgress
from annotator.report.coverage_text import write_coverage
from annotator.report.tables import Format
from annotator.results.coverage import Coverage, Covered, QueryCoverage, SystemCoverage

STATUS = Coverage(
    total=QueryProgress(0, "", pooled=10, judged=4, later=1, cannot=2),
    depth=5,
    rubric="general v1",
    assessors=("ann", "b\x1bob"),
    systems=(SystemCoverage("=sys", (Covered(3, 1, 3), Covered(10, 0, 0))),),
    queries=(
        QueryCoverage(QueryProgress(1, "q|1", 10, 4, 1, 2), (Covered(3, 1, 3), Covered(10, 0, 0))),
    ),
    outside=7,
    disputed=0,
    outdated=2,
    without_text=3,
    pace=12.0,
    timed=40,
)


def test_the_whole_pool_is_accounted_for() -> None:
    text = write_coverage(STATUS, Format.TABLE)
    facts = dict(line.split("  ", 1) for line in text.splitlines()[:10])
    counts = ["judged", "marked later", "cannot judge", "left"]
    assert [facts[name].split()[0] for name in counts] == ["4", "1", "2", "3"]
    assert "33.3% (1 of 3)" in text
    assert "disputed" not in text
    assert "\x1b" not in text


def test_the_time_left_is_for_what_is_left_and_put_aside() -> None:
    assert STATUS.seconds_left == 48
    assert "about 48 s for the 4 left" in write_coverage(STATUS, Format.TABLE)


def test_without_enough_judgments_there_is_no_pace() -> None:
    text = write_coverage(replace(STATUS, pace=None, timed=2), Format.TABLE)
    assert "not known before five documents are judged" in text


def test_no_places_are_no_coverage() -> None:
    data = json.loads(write_coverage(STATUS, Format.JSON))
    assert [at["share"] for at in data["systems"][0]["judged"]] == [1 / 3, None]
    assert "queries" not in data


def test_rows_for_programs_are_systems_or_queries() -> None:
    [system, _] = csv.DictReader(write_coverage(STATUS, Format.CSV).splitlines())
    assert (system["system"], system["k"], system["share"]) == ("'=sys", "3", str(1 / 3))
    [query] = csv.DictReader(write_coverage(STATUS, Format.CSV, per_query=True).splitlines())
    assert (query["query"], query["left"], query["judged@10"]) == ("q|1", "3", "")


def test_markdown_is_escaped() -> None:
    assert r"q\|1" in write_coverage(STATUS, Format.MARKDOWN, per_query=True)
