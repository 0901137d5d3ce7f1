"""Equal to ir_measures for every query, under its rules, on real collections and on tied files."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.actions.files.scores import compare_files, score_files
from annotator.scoring.board import Board
from annotator.scoring.options import RULES, Like, ScoreOptions
from annotator.scoring.peers import notes_on
from rubric import Measure

DATA = Path(__file__).parents[1] / "data"
COLLECTIONS = {
    "cranfield": "qrels.0-3.txt",
    "dl-hard": "qrels.passage.txt",
    "trec-covid-r1": "qrels.rnd1.txt",
}
SHARED = {
    "nDCG@10": "nDCG@10",
    "nDCG": "nDCG",
    "nDCG@5(gain=exponential)": "nDCG(gains={0:0,1:1,2:3,3:7})@5",
    "P@5": "P@5",
    "R@10": "R@10",
    "R": "SetR",
    "F": "SetF",
    "Hit@3": "Success@3",
    "RR": "RR",
    "RR@1": "RR@1",
    "RR@5": "RR@5",
    "RR@10": "RR@10",
    "RR@3(rel=2)": "RR(rel=2)@3",
    "AP": "AP",
    "AP@5": "AP@5",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "RBP(p=0.8)": "RBP(p=0.8,rel=1)",
    "RBP(p=0.5,rel=2)": "RBP(p=0.5,rel=2)",
    "P@10(rel=2)": "P(rel=2)@10",
    "AP(rel=3)": "AP(rel=3)",
    "Judged@3": "Judged@3",
    "Judged@10": "Judged@10",
}
OPTIONS = ScoreOptions(
    **{**RULES[Like.IR_MEASURES], "measures": tuple(Measure.parse(name) for name in SHARED)},
    like=Like.IR_MEASURES,
)
RUNS = [
    (name, path.name)
    for name in COLLECTIONS
    for path in sorted((DATA / name / "runs").glob("*.run"))
][::2]


def theirs(qrels: Path, run: Path) -> dict[str, dict[str, float]]:
    """Each query's values by our spelling.

    A measure with gains of its own is asked for alone: in one call with others ir_measures may
    compute those from the same gains, as its set of measures happens to be ordered.
    """
    peer: Any = ir_measures  # partly typed
    parsed = {name: peer.parse_measure(text) for name, text in SHARED.items()}
    judged, ranked = list(peer.read_trec_qrels(str(qrels))), list(peer.read_trec_run(str(run)))
    expected: dict[Any, dict[str, float]] = defaultdict(dict)
    own_gains = [one for name, one in parsed.items() if "gains" in SHARED[name]]
    others = [one for one in parsed.values() if one not in own_gains]
    for asked in (others, *([one] for one in own_gains)):
        for metric in peer.iter_calc(asked, judged, ranked):
            expected[metric.measure][metric.query_id] = metric.value
    return {name: expected[measure] for name, measure in parsed.items()}


def assert_equal_to_ir_measures(qrels: Path, run: Path, *, but: frozenset[str]) -> int:
    with patch.object(Board, "estimate"):  # what is expected has no peer, and takes its time
        table, _ = score_files(qrels, [("t", run)], OPTIONS)
    expected, count = theirs(qrels, run), 0
    for score in table.systems[0].measures:
        if score.measure in but:
            continue
        for one in score.per_query:
            value = expected[score.measure].get(one.query, 0.0)
            assert one.zero_filled == pytest.approx(value, abs=1e-6), (score.measure, one.query)
            count += 1
    return count


NEGATIVE = frozenset({"Judged@3", "Judged@10", "infAP"})
"""What ir_measures counts otherwise where grades are below 0."""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(("name", "run"), RUNS)
def test_every_shared_measure_and_query_agrees(name: str, run: str) -> None:
    folder = DATA / name
    count = assert_equal_to_ir_measures(
        folder / COLLECTIONS[name], folder / "runs" / run, but=frozenset()
    )
    assert count >= 30 * len(SHARED)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@settings(deadline=None, max_examples=40, derandomize=True)
@given(data=st.data())
def test_random_files_full_of_ties_agree(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Ids that tie come in an order that is neither rising nor falling."""
    folder = tmp_path_factory.mktemp("tied")
    names = [f"d{number}" for number in (3, 21, 1, 100, 2, 10, 30)] + ["é", "Z", "a"]
    rows, judged = [], []
    for qid in ("2", "10"):
        ranked = data.draw(st.permutations(names))[: data.draw(st.integers(1, len(names)))]
        scores = sorted(data.draw(st.lists(st.integers(0, 3), min_size=10, max_size=10)))[::-1]
        rows += [
            f"{qid} Q0 {docid} {rank} {scores[rank - 1] / 4} t\n"
            for rank, docid in enumerate(ranked, start=1)
        ]
        grades = data.draw(st.lists(st.integers(-1, 3), min_size=10, max_size=10))
        judged += [f"{qid} 0 zz 2\n", f"{qid} 0 yy 0\n"]
        judged += [
            f"{qid} 0 {docid} {grade}\n"
            for docid, grade in zip(names, grades, strict=True)
            if data.draw(st.booleans())
        ]
    (folder / "qrels").write_text("".join(judged), "utf-8")
    (folder / "run").write_text("".join(rows), "utf-8")
    negative = NEGATIVE if " -1\n" in "".join(judged) else frozenset()
    assert_equal_to_ir_measures(folder / "qrels", folder / "run", but=negative)


def test_a_measure_keeps_its_order_where_two_runs_are_compared(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 b 1\n1 0 a 0\n")
    (tmp_path / "tied").write_text("1 Q0 a 1 1.0 t\n1 Q0 b 2 1.0 t\n")
    (tmp_path / "none").write_text("1 Q0 a 1 1.0 t\n")
    measures = tuple(map(Measure.parse, ["RR@10", "nDCG@10", "RR"]))
    options = ScoreOptions(**{**RULES[Like.IR_MEASURES], "measures": measures})
    runs = [(name, tmp_path / name) for name in ("tied", "none")]
    table, _ = compare_files(tmp_path / "qrels", runs, options)
    found = {str(one.result.measure): one.result.zero_filled for one in table.pairs}
    assert found == {"RR@10": 0.5, "nDCG@10": 1.0, "RR": 1.0}
    assert list(found) == ["RR@10", "nDCG@10", "RR"]
    assert "id for RR@10" in table.line()


def test_what_a_tool_lacks_or_counts_otherwise_is_said() -> None:
    cases = {
        Like.TREC_EVAL: ("nDCG@10,P@5,RR,AP,F,R,infAP", "DCG,RBP,ERR@10,RR@10,F@5,Judged@5,Hit"),
        Like.IR_MEASURES: (
            "nDCG@10,RR@10,RBP,Hit@5",
            "DCG@5,ERR@10,F@5,F(beta=2),RBP(gain=linear),Hit",
        ),
        Like.RANX: ("DCG@5,F@5,Hit@5,RR@10,AP@10", "RBP,ERR,infAP,Judged@5,F(beta=2)"),
        Like.SKLEARN: ("nDCG,nDCG@10,DCG@5", "P@5,R@5,RBP"),
    }
    for tool, (shared, other) in cases.items():
        rules = RULES[tool]
        for text, equal in ((shared, True), (other, False)):
            options = ScoreOptions(
                **{**rules, "measures": tuple(Measure.parse_all(text))}, like=tool
            )
            said = " ".join(notes_on(options, {}))
            for measure in options.measures:
                assert (f"{measure}" not in said.split("has nothing")[0]) is equal, (tool, measure)
