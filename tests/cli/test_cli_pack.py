"""Runs packed as Parquet: scored to the same bytes, and read no further than is asked for."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random

import pytest
from pyarrow import parquet

from annotator.actions.demo import write_files
from annotator.formats.runs import parquet_writer
from tests.cli.conftest import Run
from tests.peers import theirs

DEPTH, QUERIES = 150, [f"q{number}" for number in (2, 10, 1)]
MEASURES = ("-m", "nDCG@10,P@5,RR", "--format", "json", "--per-query")


@pytest.fixture
def deep(folder: Path) -> Path:
    """Two runs of 150 places and their qrels, with ties and documents that come twice."""
    random = Random(4)
    for name in ("one", "two"):
        places = [
            f"{query} Q0 d{random.randrange(400)} {rank} {(DEPTH - rank) // 2} t"
            for query in QUERIES
            for rank in range(1, DEPTH + 1)
        ]
        (folder / f"{name}.run").write_text("\n".join(places))
    grades = [
        f"{query} 0 d{at} {random.choice([-1, 0, 1, 2])}" for query in QUERIES for at in range(90)
    ]
    (folder / "labels.qrels").write_text("\n".join(grades))
    return folder


def scored(run: Run, folder: Path, suffix: str, *more: object) -> str:
    names = [folder / f"{name}.{suffix}" for name in ("one", "two")]
    result = run("score", "--qrels", "labels.qrels", "--run", *names, *MEASURES, *more)
    assert result.code == 0, result.err
    return result.out


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--first", 100),
        ("--first", 10),
        ("--first", 120),
        ("--ties", "trec"),
        ("--ties", "trec", "--first", 10),
    ],
)
def test_packed_runs_have_the_bytes_of_the_scores_of_text(
    run: Run, deep: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[object, ...]
) -> None:
    monkeypatch.setattr(parquet_writer, "ROWS", 64)  # several row groups of each
    assert run("pack", "one.run", "two.run").code == 0
    assert scored(run, deep, "parquet", *more) == scored(run, deep, "run", *more)


def test_demo_runs_are_packed_and_imported_to_the_same_scores(run: Run, folder: Path) -> None:
    write_files(folder / "data")
    runs = sorted((folder / "data/runs").glob("*.run"))
    assert run("pack", *runs, "--to", folder).code == 0
    again = [folder / f"{one.stem}.parquet" for one in runs]
    outs = [
        run("score", "--qrels", "data/qrels.txt", "--run", *files, *MEASURES).out
        for files in (runs, again)
    ]
    assert outs[0] == outs[1]
    for files, project in ((runs, "text.db"), (again, "packed.db")):
        assert run("-p", project, "init").code == 0
        assert run("-p", project, "import", "run", *files).code == 0
    exports = [
        run("-p", one, "export", "run", runs[0].stem, "-").out for one in ("text.db", "packed.db")
    ]
    assert sorted(exports[0].splitlines()) == sorted(exports[1].splitlines())


def test_only_the_first_places_are_read(
    run: Run, deep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "annotator.formats.input.source.BLOCK", 1024
    )  # of what columns are known by
    assert run("pack", "one.run", "two.run").code == 0
    whole = scored(run, deep, "run", "--first", 10)
    for name in ("one.parquet", "two.parquet"):
        content = bytearray((deep / name).read_bytes())
        rest = parquet.ParquetFile(deep / name).metadata.row_group(1).column(0)
        start = rest.dictionary_page_offset
        content[start : start + rest.total_compressed_size] = b"\xff" * rest.total_compressed_size
        (deep / name).write_bytes(content)
    assert scored(run, deep, "parquet", "--first", 10) == whole
    broken = run("score", "--qrels", "labels.qrels", "--run", "one.parquet", *MEASURES)
    assert broken.code == 3
    assert "damaged" in broken.err


@pytest.mark.parametrize("order", ["score", "document", "rank"])
def test_a_file_that_was_changed_after_packing_is_read_whole(
    run: Run, deep: Path, order: str
) -> None:
    assert run("pack", "one.run", "two.run").code == 0
    expected = scored(run, deep, "run", "--first", 20)
    for name in ("one.parquet", "two.parquet"):
        table = parquet.read_table(deep / name).sort_by(order)
        assert table.schema.metadata
        parquet.write_table(table, deep / name, row_group_size=70)
    assert scored(run, deep, "parquet", "--first", 20) == expected


def test_first_scores_what_trec_eval_scores_of_a_run_cut_there(run: Run, deep: Path) -> None:
    lines = [line.rsplit(" ", 2) for line in (deep / "one.run").read_text().splitlines()]
    unique, seen = [], set[tuple[str, str]]()
    for place, (front, _, _) in enumerate(lines):
        query, _, docid, _ = front.split()
        if (query, docid) not in seen:
            seen.add((query, docid))
            unique.append(f"{query} Q0 {docid} 1 {1000 - place} t")
    (deep / "one.run").write_text("\n".join(unique))
    kept = [
        one for query in QUERIES for one in [x for x in unique if x.startswith(f"{query} ")][:7]
    ]
    (deep / "cut.run").write_text("\n".join(kept))
    expected = theirs(deep / "labels.qrels", deep / "cut.run")
    rules = ("-m", "AP,nDCG,R@100", "--like", "trec_eval", "--first", 7, "--per-query")
    files = ("--qrels", "labels.qrels", "--run", "one.run")
    out = run("score", *files, *rules, "--format", "json").out
    names = {"AP": "map", "nDCG": "ndcg", "R@100": "recall_100"}
    for measure in json.loads(out)["systems"][0]["measures"]:
        for one in measure["per_query"]:
            value = expected[one["query"]][names[measure["measure"]]]
            assert one["zero_filled"] == pytest.approx(value, abs=1e-6)


def test_nothing_is_replaced_or_mixed_up(run: Run, deep: Path) -> None:
    assert run("pack", "one.run").code == 0
    again = run("pack", "one.run")
    assert (again.code, "--force" in again.err) == (2, True)
    assert run("pack", "one.run", "--force").code == 0
    (deep / "sub").mkdir()
    (deep / "sub" / "one.txt").write_text((deep / "one.run").read_text())
    twice = run("pack", "one.run", "sub/one.txt", "--force")
    assert (twice.code, "pack them apart" in twice.err) == (2, True)


@pytest.mark.parametrize(
    "options", [(), ("--qrels", "labels.qrels", "--run", "one.run", "--ties", "average")]
)
def test_first_is_refused_where_it_has_no_meaning(
    run: Run, deep: Path, options: tuple[str, ...]
) -> None:
    result = run("score", "--first", 10, *options)
    assert (result.code, "--first" in result.err) == (2, True)


def test_a_run_of_no_library_is_told_what_to_install(
    run: Run, deep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    result = run("pack", "one.run")
    assert result.code == 2
    assert "pool-annotator[parquet]" in result.err
    assert not list(deep.glob("*.parquet"))
