"""Large files are read by shorter roads, which lead to the same scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.actions.files import boards
from annotator.actions.files.grades import FileGrades
from annotator.actions.files.scores import score_files
from annotator.blocks.codes import Codes
from annotator.errors import InputError
from annotator.formats import each_qrel, qrel_columns
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.formats.runs import trec
from annotator.scoring.options import RULES, Like, ScoreOptions, Ties
from rubric import Measure

MEASURES = tuple(map(Measure.parse, ("nDCG@3", "P@2", "R@3", "RR", "AP")))
OPTIONS = [
    *(
        ScoreOptions(measures=MEASURES, like=tool, **RULES[tool])
        for tool in Like
        if tool != "sklearn"
    ),
    *(ScoreOptions(measures=MEASURES, ties=ties) for ties in (Ties.DISPLAYED, Ties.SCORE, Ties.ID)),
]
ROW = st.tuples(
    st.sampled_from("abc"), st.integers(0, 9), st.sampled_from([1.0, 2.0, 2.00000001, 3])
)


def written(folder: Path, name: str, lines: list[str]) -> Path:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.mark.parametrize("road", ["as they come", "by query", "by query and score"])
@settings(
    deadline=None,
    derandomize=True,
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(rows=st.lists(ROW, min_size=1, max_size=40), data=st.data())
def test_a_run_of_which_few_ids_are_kept_has_the_same_scores(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    road: str,
    rows: list[tuple[str, int, float]],
    data: st.DataObject,
) -> None:
    if road == "by query":
        rows = sorted(rows, key=lambda row: row[0])
    elif road == "by query and score":
        rows = sorted(rows, key=lambda row: (row[0], -row[2]))
        rows = list({row[:2]: row for row in reversed(rows)}.values())[::-1]
    run = written(
        tmp_path,
        "run",
        [f"{qid} Q0 {name}d {rank} {score!r} t" for rank, (qid, name, score) in enumerate(rows)],
    )
    judged = data.draw(st.dictionaries(st.tuples(st.sampled_from("abc"), st.integers(0, 9)),
                                       st.integers(0, 3), min_size=1, max_size=6))  # fmt: skip
    qrels = written(
        tmp_path, "qrels", [f"{qid} 0 {name}d {grade}" for (qid, name), grade in judged.items()]
    )
    options = data.draw(st.sampled_from(OPTIONS))

    def scored() -> object:
        try:
            table, notes = score_files(qrels, [("s", run)], options)
        except InputError as refused:
            return str(refused)
        return table.to_dict(per_query=True), [one for one in notes if "documents" not in one]

    expected = scored()
    with monkeypatch.context() as patch:
        patch.setattr(boards, "NAMED", data.draw(st.integers(0, 4)))
        patch.setattr(trec, "BATCH", data.draw(st.integers(20, 200)))
        assert scored() == expected


@settings(
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(["q1", "q2", "é"]), st.integers(0, 12), st.integers(-1, 4)),
        min_size=1,
        max_size=40,
    ),
    gap=st.sampled_from(" \t"),
)
def test_qrels_read_as_columns_are_those_read_row_by_row(
    tmp_path: Path, rows: list[tuple[str, int, int]], gap: str
) -> None:
    lines = [gap.join([qid, "0", f"d{name}", str(grade)]) for qid, name, grade in rows]
    source = Source(written(tmp_path, "qrels", lines))
    fast = FileGrades.of_columns(qrel_columns(source), Codes())
    slow = FileGrades.of(each_qrel(source, Problems("qrels")), Codes())
    for name in ("qids", "assessors", "repeated", "negative", "disputed"):
        assert getattr(fast, name) == getattr(slow, name)
    assert list(fast.faults(3)) == list(slow.faults(3))
    for name in ("query", "grade", "line", "assessor", "at"):
        assert np.array_equal(getattr(fast, name), getattr(slow, name))
    named = [one.documents.names(one.document) for one in (fast, slow)]
    assert named[0] == named[1]
    assert set(zip(*map(list, fast.pooled()), strict=True)) == set(
        zip(*map(list, slow.pooled()), strict=True)
    )
    if not list(slow.faults(4)):
        assert sorted(fast.named_labels()) == sorted(slow.named_labels())
