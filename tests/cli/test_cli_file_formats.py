"""Files of every format that is imported are scored and compared, with what is said of them."""

from __future__ import annotations

import gzip
import io
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

from annotator.report.tables import Format, render, to_json
from tests.cli.conftest import Run

PLACES = [
    *(("q1", f"d{n}", n, 9.5 - n) for n in range(1, 6)),
    *(("q2", f"e{n}", n, 1.25 / n) for n in range(1, 4)),
]
GRADES = [("q1", "d2", 3), ("q1", "d4", 1), ("q1", "d5", 0), ("q2", "e1", 2), ("q2", "x", 1)]
MEASURES = ("-m", "nDCG@3,P@2,AP", "--format", "json", "--per-query")


def parquet(rows: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), out)
    return out.getvalue()


def lines(rows: list[Any]) -> bytes:
    return "".join(f"{row}\n" for row in rows).encode()


def nested(rows: list[tuple[str, str, Any]]) -> bytes:
    found: dict[str, dict[str, Any]] = {}
    for query, document, number in rows:
        found.setdefault(query, {})[document] = number
    return json.dumps(found).encode()


def records(names: tuple[str, ...], rows: list[Any]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


PLACE, GRADE = ("qid", "docid", "rank", "score"), ("qid", "docid", "grade")
TREC = lines([f"{q} Q0 {d} {rank} {score} t" for q, d, rank, score in PLACES])
RUNS = {
    "trec.run": TREC,
    "trec.run.gz": gzip.compress(TREC),
    "utf16.run": TREC.decode().encode("utf-16"),
    "table.csv": lines([",".join(PLACE), *(",".join(map(str, row)) for row in PLACES)]),
    "table.tsv": lines(["query\tdoc_id\tscore", *(f"{q}\t{d}\t{s}" for q, d, _, s in PLACES)]),
    "places.jsonl": lines([json.dumps(one) for one in records(PLACE, PLACES)]),
    "lists.jsonl": lines([
        json.dumps({"qid": q, "results": [d for one, d, *_ in PLACES if one == q]})
        for q in ("q1", "q2")
    ]),
    "ranx.json": nested([(q, d, score) for q, d, _, score in PLACES]),
    "places.parquet": parquet(records(PLACE, PLACES)),
}  # fmt: skip
QRELS = {
    "trec.qrels": lines([f"{q} 0 {d} {grade}" for q, d, grade in GRADES]),
    "beir.tsv": lines(["query-id\tcorpus-id\tscore", *("\t".join(map(str, r)) for r in GRADES)]),
    "table.csv": lines(["query,docid,rating", *(",".join(map(str, row)) for row in GRADES)]),
    "grades.jsonl": lines([json.dumps(one) for one in records(GRADE, GRADES)]),
    "ranx.json": nested(list(GRADES)),
    "grades.parquet": parquet(records(GRADE, GRADES)),
}


@pytest.fixture
def trec(folder: Path) -> Path:
    (folder / "labels.qrels").write_bytes(QRELS["trec.qrels"])
    (folder / "one.run").write_bytes(TREC)
    return folder


def systems(run: Run, qrels: str, *files: str) -> Any:
    result = run("score", "--qrels", qrels, "--run", *files, *MEASURES)
    assert result.code == 0, result.err
    return [one["measures"] for one in json.loads(result.out)["systems"]]


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_any_format_is_scored_and_compared(run: Run, trec: Path, name: str) -> None:
    (trec / f"other_{name}").write_bytes(RUNS[name])
    one, other = systems(run, "labels.qrels", "one.run", f"other_{name}")
    assert one == other
    compared = run("compare", "--qrels", "labels.qrels", "one.run", f"other_{name}")
    assert (compared.code, "equal" in compared.out) == (0, True)


@pytest.mark.parametrize("name", QRELS)
def test_qrels_of_any_format_give_the_same_scores(run: Run, trec: Path, name: str) -> None:
    (trec / f"other_{name}").write_bytes(QRELS[name])
    assert systems(run, f"other_{name}", "one.run") == systems(run, "labels.qrels", "one.run")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("three", lines([f"{q} {d} {grade}" for q, d, grade in GRADES]), ("--as", "trec-3")),
        (
            "subtopics",
            lines([f"{q} {sub} {d} {g * sub}" for q, d, g in GRADES for sub in (0, 1)]),
            ("--as", "trec-subtopics"),
        ),
        (
            "shares",
            lines([f"{q} 0 {d} {grade / 4}" for q, d, grade in GRADES]),
            ("--grades", "0:0,0.25:1,0.5:2,0.75:3"),
        ),
        (
            "odd.csv",
            lines(["frage,beleg,note", *(",".join(map(str, row)) for row in GRADES)]),
            ("--columns", "query=frage,docid=beleg,grade=note"),
        ),
        (
            "wide",
            "".join(f"{q} 0 {d} {grade}\n" for q, d, grade in GRADES).encode("utf-16-le"),
            ("--encoding", "utf-16-le"),
        ),
    ],
)
def test_what_is_said_of_a_file_is_about_the_file_it_fits(
    run: Run, trec: Path, name: str, content: bytes, words: tuple[str, ...]
) -> None:
    (trec / name).write_bytes(content)
    run_file = "one.run"
    if words[0] == "--encoding":
        run_file = "wide.run"
        (trec / run_file).write_bytes(TREC.decode().encode("utf-16-le"))
    plain = run("score", "--qrels", name, "--run", run_file, *MEASURES)
    assert plain.code == 3
    assert words[0] in plain.err
    assert "imported" not in plain.err
    result = run("score", "--qrels", name, "--run", run_file, *words, *MEASURES)
    assert result.code == 0, result.err
    found = [one["measures"] for one in json.loads(result.out)["systems"]]
    assert found == systems(run, "labels.qrels", "one.run")


def test_a_hint_that_fits_no_file_is_refused(run: Run, trec: Path) -> None:
    given = "score", "--qrels", "labels.qrels", "--run", "one.run"
    for words, why in (
        (("--as", "nothing"), "no format of qrels or runs is called so"),
        (("--columns", "grade=stars"), "no column or key stars is in labels.qrels, one.run"),
    ):
        result = run(*given, *words)
        assert (result.code, why in result.err) == (2, True)
    assert run("score", "--as", "trec").code == 2


def test_what_is_odd_about_a_run_is_told_as_an_import_tells_it(run: Run, trec: Path) -> None:
    rows = [f"q1 Q0 d{n} {n} {score} t" for n, score in enumerate([1.0] * 12 + [5.0, 1.0], start=1)]
    (trec / "odd.run").write_bytes(lines([*rows, "q1 Q0 d1 15 1 t"]))
    err = run("score", "--qrels", "labels.qrels", "--run", "odd.run", *MEASURES).err
    run("init")
    told = run("import", "run", "odd.run").out
    for words in ("came twice in one ranking", "ranks 10 and 11 have one score",
                  "a document is ranked above one with a higher score"):  # fmt: skip
        assert words in err
        assert words in told


@pytest.mark.parametrize("other", ["chunk", "zeros", "unicode"])
def test_judged_documents_that_no_run_returned_are_told(run: Run, trec: Path, other: str) -> None:
    judged, returned = {
        "chunk": ("d1", "d1#0"), "zeros": ("051", "51"), "unicode": ("caf\u00e9", "cafe\u0301"),
    }[other]  # fmt: skip
    (trec / "far.qrels").write_text(f"q1 0 {judged} 1\n", "utf-8")
    (trec / "far.run").write_text(f"q1 Q0 {returned} 1 1 t\n", "utf-8")
    err = run("score", "--qrels", "far.qrels", "--run", "far.run").err
    assert "none of its documents" in err


def test_a_run_from_standard_input_has_a_name(
    run: Run, trec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert trec.is_dir()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TREC)))
    out = run("score", "--qrels", "labels.qrels", "--run", "-", "--format", "csv").out
    assert out.splitlines()[1].startswith("standard input,")


def test_a_column_has_a_tools_name_only_where_its_numbers_stand(run: Run, trec: Path) -> None:
    given = "--qrels", "labels.qrels"
    for command in (("score", *given, "--run"), ("compare", *given, "one.run")):
        assert trec.is_dir()
        assert "trec_eval" not in run(*command, "one.run", "-m", "nDCG@3").out
        for tool in ("trec_eval", "ir_measures"):
            assert tool in run(*command, "one.run", "-m", "nDCG@3", "--like", tool).out


def test_a_result_says_which_queries_and_labels_it_is_of(run: Run, trec: Path) -> None:
    result = run("score", "--qrels", "labels.qrels", "--run", "one.run", *MEASURES)
    rows = sorted(f"{q}\t{d}\t{grade}\n" for q, d, grade in GRADES)
    benchmark = json.loads(result.out)["method"]["benchmark"]
    assert benchmark == {
        "queries": 2,
        "labels": 5,
        "query_digest": "sha256:" + sha256(b"q1\nq2\n").hexdigest(),
        "label_digest": "sha256:" + sha256("".join(rows).encode()).hexdigest(),
    }
    (trec / "topics.tsv").write_text("q1\tone\nq2\ttwo\n")
    run("init")
    for words in (("queries", "topics.tsv"), ("run", "one.run"), ("qrels", "labels.qrels")):
        assert run("import", *words).code == 0
    there = json.loads(run("score", "--format", "json").out)
    assert there["method"]["benchmark"] == benchmark
    assert "2 queries, 5 labels" in run("score").out.replace("\n", " ")


def test_no_number_is_minus_zero() -> None:
    assert "-0" not in to_json({"a": -0.0, "b": [(-0.0,), {"c": -0.0}]})
    assert "-0" not in render(["a"], [[-0.0]], Format.CSV)
