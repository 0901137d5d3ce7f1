"""The inputs on which scorers differ, case by case: each tool's own numbers under its rules."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from annotator.actions.files.scores import score_files
from annotator.errors import InputError
from annotator.results.scores import ScoreTable
from annotator.scoring.options import RULES, Like, ScoreOptions
from rubric import Measure

CASES: dict[str, dict[str, Any]] = {
    case["name"]: case
    for case in json.loads(
        (Path(__file__).parents[1] / "data" / "tricky-cases.json").read_text("utf-8")
    )["cases"]
}
TOOLS = {
    "pytrec_eval": Like.TREC_EVAL,
    "trec_eval": Like.TREC_EVAL,
    "ir_measures": Like.IR_MEASURES,
    "ranx": Like.RANX,
    "sklearn": Like.SKLEARN,
}
MEASURES = {
    "ap": "AP",
    "bpref": "bpref",
    "infap": "infAP",
    "ndcg": "nDCG",
    "ndcg@3": "nDCG@3",
    "ndcg exp@3": "nDCG@3(gain=exponential)",
    "p@3": "P@3",
    "r@3": "R@3",
    "rr": "RR",
    "rbp.8": "RBP(p=0.8)",
    "judged@3": "Judged@3",
}
REFUSED = {
    "duplicate-doc-in-qrels": "grade 2 for a pair that line 1 gives 0: 1 a",
    "nan-score": "the score must be finite, not nan",
    "inf-score": "the score must be finite, not inf",
    "score-not-a-number": "the score must be a number, not high",
    "score-decimal-comma": "with a decimal point, not 1,5",
    "grade-decimal": "it is never rounded",
    "five-columns": "expected 6 columns",
    "qrels-fifth-column": "",
    "empty-run": "is empty",
    "latin-1-id": "not UTF-8 (byte 0xE9)",
}
DEVIATIONS = {
    # The first place of a document that comes twice stays; these tools keep the last score.
    ("duplicate-doc-in-run", tool, measure)
    for tool in ("ir_measures", "ranx", "sklearn")
    for measure in ("ap", "bpref", "infap", "ndcg", "ndcg@3", "ndcg exp@3", "rbp.8", "rr")
} | {
    # A byte order mark is no part of the first query's id.
    ("bom", tool, measure) for tool in TOOLS for measure in MEASURES
} | {
    # The Perl script behind it compares doubles; the rest of the tool single precision.
    ("float32-near-tie", "ir_measures", "ndcg exp@3"),
    # It leaves these two unfiltered when only judged documents are asked for.
    ("judged-only", "ir_measures", "infap"),
    ("judged-only", "ir_measures", "rbp.8"),
    # It counts rows with a negative grade as judged.
    ("negative-grade", "ir_measures", "judged@3"),
    # It attributes documents of queries that come back to the wrong query.
    ("interleaved-topics", "ir_measures", "rbp.8"),
} | {
    # They have no such mode.
    ("judged-only", tool, measure)
    for tool in ("ranx", "sklearn")
    for measure in ("ap", "ndcg", "ndcg@3", "ndcg exp@3", "rr")
} | {
    # Grades below the level lose their gain too, which in trec_eval they keep.
    (case, "ranx", measure)
    for case in ("level-2", "level-3-above-max")
    for measure in ("ndcg", "ndcg@3", "ndcg exp@3")
} | {
    # A query without any label has no number; it counts as 0 there.
    ("only-negative-grades", "ranx", measure) for measure in MEASURES
} | {
    # Negative grades are non-relevant to it; a query without relevant documents has bpref 0.
    ("negative-grade", "ranx", "bpref"),
    ("no-relevant", "ranx", "bpref"),
}  # fmt: skip


def _files(case: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    end = {"LF": "\n", "CRLF": "\r\n"}[case["line_end"]]
    for name in ("run", "qrels"):
        text = "".join(line + end for line in case[name])
        (folder / name).write_bytes(text.encode(case["encoding"]))
    return folder / "qrels", folder / "run"


def _scored(case: dict[str, Any], tool: str, measures: list[str], folder: Path) -> ScoreTable:
    qrels, run = _files(case, folder)
    options = replace(
        ScoreOptions(like=TOOLS[tool], **RULES[TOOLS[tool]]),
        threshold=case["relevance_level"],
        measures=tuple(Measure.parse(MEASURES[name]) for name in measures),
    )
    return score_files(qrels, [("system", run)], options)[0]


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("name", [name for name in CASES if name not in REFUSED])
def test_each_tool_is_reproduced_but_where_it_goes_wrong(
    name: str, tool: str, tmp_path: Path
) -> None:
    case = CASES[name]
    expected = case["expected"].get(tool, {})
    if "error" in expected or not expected:
        assert _scored(case, "trec_eval", ["ndcg@3"], tmp_path).systems
        return
    # Tools add raw grades or NaN here: see docs/peers.md.
    left_out = {"rbp.8"} if tool == "ranx" else set()
    known = {key for query in expected.values() for key in query} & MEASURES.keys()
    asked = sorted(known - left_out)
    if not asked:
        return
    table = _scored(case, tool, asked, tmp_path)
    for key, score in zip(asked, table.systems[0].measures, strict=True):
        found = {
            one.query: one.condensed if case["judged_only"] else one.zero_filled
            for one in score.per_query
        }
        for query, values in expected.items():
            if key in values and query in found:
                same = found[query] == pytest.approx(values[key], abs=6e-5)
                assert same or (name, tool, key) in DEVIATIONS, (key, query, found[query])


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("tool", TOOLS)
def test_what_no_score_can_be_trusted_on_is_refused_by_line(
    name: str, tool: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        _scored(CASES[name], tool, ["ndcg@3"], tmp_path)
    said = "\n".join([caught.value.message, *caught.value.details])
    assert REFUSED[name] in said


def test_ids_that_differ_by_leading_zeros_stay_different(tmp_path: Path) -> None:
    table = _scored(CASES["leading-zeros"], "trec_eval", ["p@3"], tmp_path)
    assert [one.query for one in table.systems[0].measures[0].per_query] == ["01"]
