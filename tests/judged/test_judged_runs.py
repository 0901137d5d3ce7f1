"""Runs in any file and any batches are graded as dicts and as an import would."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.formats import run_trec
from annotator.formats.blocks import words
from annotator.formats.blocks.codes import run_table
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.judged import JudgedPairs, JudgedRun, Order, read_judged_run
from annotator.judged.pairs import told_apart
from annotator.ordering import displayed, rule_of
from annotator.records import Qrel
from rubric import EMPTY, UNJUDGED, UNPOOLED
from tests.judged.by_dicts import Rows, oracle, rows_of
from tests.judged.conftest import any_fixture

ORDERS: tuple[Order, ...] = get_args(Order)
QUERIES = ["1", "2", "clueweb-query-12", "#7", "été"]
DOCUMENTS = ["a", "A", "ab", "12345678", "123456789", "passage_07_000000001", "d" * 300, "d" * 299]
DOCUMENTS += ["naïve", 'q"o', "NA", "007", "7", "7\x01", "x" * 256 + "y", "x" * 256 + "z"]
SCORES = ["1", "2.5", "2.50", "-3", "0.1", ".5", "5.", "1e3", "16777217", "16777216", "+4", "-0"]
SCORES += ["12.3456789012345678", "1e-320", "99999999999999999999", "9007199254740993", "1e300"]
GAPS = [" ", "\t", "  ", " \t "]


def grades_by_query(run: JudgedRun, pairs: JudgedPairs) -> dict[str, list[int]]:
    return {
        qid: [grade for grade in row if grade != EMPTY]
        for qid, row in zip(pairs.qids, run.grades.tolist(), strict=True)
    }


rows_of_runs = st.lists(
    st.tuples(
        st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS), st.integers(-2, 12),
        st.sampled_from(SCORES),
    ),
    min_size=1, max_size=40,
)  # fmt: skip
judgments = st.dictionaries(
    st.tuples(st.sampled_from([*QUERIES, "9"]), st.sampled_from(DOCUMENTS)), st.integers(-2, 3)
)


@st.composite
def run_files(draw: st.DrawFn) -> tuple[Rows, bytes]:
    """The rows of a run, mostly in order, and a file that holds them in one odd way or another."""
    rows = draw(rows_of_runs)
    if draw(st.booleans()):
        rows.sort(key=lambda row: row[0])
    if draw(st.booleans()):
        rows = [(qid, docid, 0, score) for qid, docid, _, score in rows]
    odd = draw(st.sampled_from(["", "gaps", "comments", "seventh", "crlf", "mixed"]))
    text = []
    for place, (qid, docid, rank, score) in enumerate(rows):
        strange = odd == "mixed" and draw(st.booleans())
        gap = draw(st.sampled_from(GAPS)) if odd == "gaps" or strange else " "
        begin = " " if qid.startswith("#") else ""
        line = begin + gap.join([qid, "Q0", docid, str(rank), score, "tag"])
        if odd == "seventh" or (strange and place % 3 == 0):
            line += " more words"
        if odd == "comments" or (strange and place % 3 == 1):
            line += " \n# 1 Q0 a 1 2.0 tag\n\n \t"
        text.append(line)
    ending = "\r\n" if odd == "crlf" else "\n"
    content = ending.join(text) + draw(st.sampled_from(["", ending]))
    return rows, draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + content.encode()


@pytest.fixture(params=["good keys", "all keys the same", "few keys"])
def keys(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of ids as they are, and such as no two ids should have."""
    mask = {"good keys": 2**64 - 1, "all keys the same": 0, "few keys": 3}[request.param]
    mixed = words._mixed
    monkeypatch.setattr(words, "_mixed", lambda word: mixed(word) & np.uint64(mask))


def check(source: Source, rows: Rows, qrels: list[Qrel]) -> None:
    pairs = JudgedPairs.from_qrels(qrels)
    table = run_table(run_trec.batches(source, Problems("run")))
    rule = rule_of(table.query, table.rank)
    counts = displayed(table.query, table.document, table.rank, table.score, rule).counts
    several = len({row[0] for row in rows}) < len(rows)
    grades = {(row.qid, row.docid): max(row.grade, UNJUDGED) for row in qrels}
    places = pairs.places()
    for order in ORDERS:
        problems = Problems("run")
        run = read_judged_run(source, pairs, problems, order=order)
        assert problems.count == 0
        expected = oracle(rows, qrels, order)
        assert grades_by_query(run, pairs) == {
            qid: [grades.get((qid, docid), UNPOOLED) for docid in docids]
            for qid, docids in expected.items()
        }
        keyed = read_judged_run(source, pairs, problems, order=order, keyed=True)
        assert (keyed.grades == run.grades).all()
        assert keyed.keys is not None
        for row, (qid, docids) in enumerate(expected.items()):
            found = np.array([places.get((qid, docid), -1) for docid in docids], dtype=np.int64)
            named = told_apart(found, pairs.keys_in(row, docids))
            assert keyed.keys[row, : len(docids)].tolist() == named.tolist()
        assert run.retrieved.tolist() == np.count_nonzero(run.grades != EMPTY, axis=1).tolist()
        assert run.unknown == tuple(dict.fromkeys(r[0] for r in rows if r[0] not in pairs.qids))
        assert counts == run.counts
        assert run.order_rule is rule or not several


@any_fixture
@given(run_files(), judgments)
@pytest.mark.usefixtures("batch", "keys")
def test_a_run_is_graded_as_dicts_and_as_the_import_would(
    file_of: Callable[[bytes], Source],
    case: tuple[Rows, bytes],
    judged: dict[tuple[str, str], int],
) -> None:
    rows, content = case
    qrels = [Qrel(qid, docid, grade, 1) for (qid, docid), grade in judged.items()]
    check(file_of(content), rows, qrels)


def test_a_long_file_with_returning_queries_ties_and_duplicates_is_right(
    file_of: Callable[[bytes], Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_trec, "BATCH", 4096)
    random = np.random.default_rng(1)
    rows = [
        (f"q{query}", f"doc-{random.integers(150):012d}", rank, f"{20 - rank / 7:.1f}")
        for query in [*range(30), 4, 17, 99]
        for rank in range(1, 101)
    ]
    judged = {(qid, docid): int(random.integers(-1, 4)) for qid, docid, *_ in rows[::9]}
    qrels = [Qrel(qid, docid, grade, 1) for (qid, docid), grade in judged.items()]
    check(file_of(rows_of(rows[:3000])), rows[:3000], qrels)
    check(file_of(rows_of(rows)), rows, qrels)


def test_only_the_asked_ranks_are_given(file_of: Callable[[bytes], Source]) -> None:
    pairs = JudgedPairs.from_qrels([Qrel("1", "a", 2, 1), Qrel("2", "b", -1, 2)])
    rows: Rows = [("1", "x", 1, "3"), ("1", "a", 2, "2"), ("1", "y", 3, "1"), ("2", "b", 1, "1")]
    run = read_judged_run(file_of(rows_of(rows)), pairs, Problems("run"), depth=2)
    assert run.grades.tolist() == [[UNPOOLED, 2], [UNJUDGED, EMPTY]]
    assert run.retrieved.tolist() == [3, 1]
    rankings = run.rankings(pairs, 3)
    assert rankings.judged.tolist() == [[0, 0, 1, 0], [0, 0, 0, 0]]
    assert rankings.unjudged.tolist() == [1, 1]


def test_a_gzip_file_is_read(tmp_path: Path) -> None:
    rows: Rows = [("1", "a", 1, "3")]
    (tmp_path / "run.gz").write_bytes(gzip.compress(rows_of(rows)))
    check(Source(tmp_path / "run.gz"), rows, [Qrel("1", "a", 2, 1)])
