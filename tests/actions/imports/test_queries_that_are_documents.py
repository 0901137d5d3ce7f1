"""Where queries are documents too, those that find themselves are counted and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.actions.files.scores import score_files
from annotator.actions.imports.texts import import_run
from annotator.scoring.options import ScoreOptions
from tests.projects import new_project, run_lines, write


def fillers(count: int) -> list[str]:
    return [f"x{number}" for number in range(count)]


@pytest.mark.parametrize(
    ("rankings", "own"),
    [
        ({"d1": ["d1", "x"], "d2": ["d2"]}, "2 queries of 2 return"),
        ({"d1": ["x", "d1"], "d2": ["y", "d2"], "d3": ["z"], "d4": ["z"]}, "2 queries of 4 return"),
        ({"d1": ["d1"], "d2": ["d2"], "d3": ["z"], "d4": ["z"], "d5": ["z"]}, ""),
        ({"d1": ["d1"], "d2": ["d1"]}, ""),
        ({"d1": ["d1"]}, ""),
        ({"1": [*fillers(10), "1"], "2": [*fillers(12), "2"]}, ""),
        ({"d1": ["D1"], "d2": ["D2"]}, ""),
    ],
)
def test_queries_that_return_themselves_are_counted_where_it_is_half_of_them(
    tmp_path: Path, rankings: dict[str, list[str]], own: str
) -> None:
    run = write(tmp_path / "self.run", run_lines(rankings))
    qrels = write(tmp_path / "l.qrels", "".join(f"{qid} 0 x 1\n" for qid in rankings))
    project = new_project(tmp_path / "judgments.db")
    for said in (
        import_run(project, run).warnings,
        score_files(qrels, [("self", run)], ScoreOptions())[1],
    ):
        found = [one for one in said if "of their own id" in one]
        assert len(found) == bool(own)
        assert all(own in one for one in found)
