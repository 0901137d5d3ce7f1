"""What many files have in common is one line, and what few have is a line each."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.actions.files.scores import score_files
from annotator.actions.imports.report import MOST_FILES, Found, take_shared
from annotator.scoring.options import RULES, Like, ScoreOptions

ODD = {
    "ties": ("q1 Q0 d1 1 9 t\nq1 Q0 d2 2 9 t\n", "2 rows have a tied score"),
    "duplicates": (
        "q1 Q0 d1 1 9 t\nq1 Q0 d2 2 8 t\nq1 Q0 d2 3 7 t\n", "1 document came twice",
    ),
    "contradictions": ("q1 Q0 d1 1 8 t\nq1 Q0 d2 2 9 t\n", "in 1 place a document"),
    "unknown queries": ("q1 Q0 d1 1 9 t\nq7 Q0 d2 1 8 t\n", "1 query is not in the qrels"),
}  # fmt: skip


def files(folder: Path, text: str, many: int) -> tuple[Path, list[tuple[str, Path]]]:
    qrels = folder / "labels.txt"
    qrels.write_text("q1 0 d1 1\nq1 0 d2 0\n")
    runs = [folder / f"r{number}.run" for number in range(many)]
    for run in runs:
        run.write_text(text)
    return qrels, [(run.stem, run) for run in runs]


@pytest.mark.parametrize("odd", ODD)
def test_each_oddity_is_one_line_where_many_runs_have_it(tmp_path: Path, odd: str) -> None:
    text, said = ODD[odd]
    _, notes = score_files(*files(tmp_path, text, MOST_FILES), ScoreOptions())
    assert len(notes) == MOST_FILES
    assert all(said in one for one in notes)
    _, notes = score_files(*files(tmp_path, text, MOST_FILES + 1), ScoreOptions())
    [note] = notes
    assert f"r2.run and {MOST_FILES - 2} more, each: {said}" in note


def test_ties_that_ranx_orders_otherwise_are_one_line_too(tmp_path: Path) -> None:
    text = "".join(f"q1 Q0 d{rank} {rank} 9 t\n" for rank in range(1, 20))
    options = ScoreOptions(**RULES[Like.RANX], like=Like.RANX)
    for many, lines in ((MOST_FILES, MOST_FILES), (MOST_FILES + 1, 1)):
        _, notes = score_files(*files(tmp_path, text, many), options)
        assert sum("which ranx puts into an order" in one for one in notes) == lines


def test_a_file_keeps_what_it_alone_has() -> None:
    found = [Found(f"{number}.run", "run") for number in range(MOST_FILES + 1)]
    for number, one in enumerate(found, start=2):
        one.note(number, "rows", "{count:row|rows} dropped")
    found[3].note(1, "others", "{count:other|others} dropped")
    found[3].warn("something else")
    [line] = take_shared(found)
    assert line == f"0.run, 1.run, 2.run and 3 more, each: 2 to {MOST_FILES + 2} rows dropped"
    own = ["1 other dropped", "something else"]
    assert [one.warnings for one in found if one.warnings] == [own]
    assert found[0].facts == {"rows": 2}
