"""Runs in any file and any batches are ranked as plain dicts would rank them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.blocks import words
from annotator.blocks.codes import Codes
from annotator.blocks.run_table import run_table
from annotator.displayed_order import displayed, rule_of
from annotator.formats import read_run
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.formats.runs import trec as run_trec
from annotator.scoring.options import Ties
from annotator.scoring.rankings import ranked

Rows = list[tuple[str, str, int, str]]
QUERIES = ["1", "2", "clueweb-query-12", "#7", "été"]
DOCUMENTS = ["a", "A", "ab", "12345678", "123456789", "passage_07_000000001", "d" * 300, "d" * 299]
DOCUMENTS += ["naïve", 'q"o', "NA", "007", "7", "7\x01", "x" * 256 + "y", "x" * 256 + "z"]
SCORES = ["1", "2.5", "2.50", "-3", "0.1", ".5", "5.", "1e3", "16777217", "16777216", "+4", "-0"]
SCORES += ["12.3456789012345678", "1e-320", "99999999999999999999", "9007199254740993", "1e300"]
GAPS = [" ", "\t", "  ", " \t "]
ORDERS = (Ties.DISPLAYED, Ties.SCORE, Ties.TREC)

any_fixture = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
rows_of_runs = st.lists(
    st.tuples(
        st.sampled_from(QUERIES), st.sampled_from(DOCUMENTS), st.integers(-2, 12),
        st.sampled_from(SCORES),
    ),
    min_size=1, max_size=40,
)  # fmt: skip


def expected(rows: Rows, ties: Ties) -> dict[str, list[str]]:
    """The documents of each query by dicts alone."""
    queries: dict[str, list[tuple[int, float, str]]] = {}
    for qid, docid, rank, score in rows:
        queries.setdefault(qid, []).append((rank, float(score), docid))
    several = [ranking for ranking in queries.values() if len(ranking) > 1]
    by_score = bool(several) and all(len({row[0] for row in r}) == 1 for r in several)
    result = {}
    for qid, rows_of in queries.items():
        ranking = sorted(rows_of, key=lambda row: -row[1] if by_score else row[0])
        once: dict[str, float] = {}
        for _, points, docid in ranking:
            once.setdefault(docid, points)
        places = list(once.items())
        if ties is Ties.SCORE:
            places.sort(key=lambda place: -place[1])
        if ties is Ties.TREC:
            with np.errstate(over="ignore"):
                places.sort(key=lambda one: (np.float32(one[1]), one[0].encode()), reverse=True)
        result[qid] = [docid for docid, _ in places]
    return result


def found(source: Source, ties: Ties) -> dict[str, list[str]]:
    """The documents of each query as a board has them."""
    problems, documents = Problems("run"), Codes()
    table = run_table(read_run(source, problems), documents)
    assert problems.count == 0
    rule = rule_of(table.query, table.rank)
    run = displayed(table.query, table.document, table.rank, table.score, rule)
    rankings = [one._replace(documents=one.documents + np.int32(1)) for one in run.rankings()]
    places = np.concatenate([[0], documents.places()])
    queries = np.arange(len(table.qids))
    ((*every,),), _ = ranked([rankings], queries, ties, lambda: places)
    names = documents.names()
    return {
        qid: [names[number - 1] for number in ranking.tolist() if number]
        for qid, ranking in zip(table.qids, every, strict=True)
    }


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


@pytest.fixture(params=[2**64 - 1, 3], ids=["good keys", "few keys"])
def keys(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of ids as they are, and such as no two ids should have."""
    mixed = words._mixed
    monkeypatch.setattr(words, "_mixed", lambda word: mixed(word) & np.uint64(request.param))


@pytest.fixture(params=[1, 300, 10**6])
def batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of so many bytes, which break lines and queries everywhere."""
    monkeypatch.setattr(run_trec, "BATCH", request.param)


@pytest.fixture(scope="module")
def file_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bytes], Source]:
    path = tmp_path_factory.mktemp("runs") / "run.txt"

    def write(content: bytes) -> Source:
        path.write_bytes(content)
        return Source(path)

    return write


@any_fixture
@given(case=run_files(), ties=st.sampled_from(ORDERS))
@pytest.mark.usefixtures("batch", "keys")
def test_a_run_is_ranked_as_dicts_would(
    file_of: Callable[[bytes], Source], case: tuple[Rows, bytes], ties: Ties
) -> None:
    rows, content = case
    source = file_of(content)
    source.hints = type(source.hints)(format="trec")
    assert found(source, ties) == expected(rows, ties)


def test_a_long_file_with_returning_queries_ties_and_duplicates_is_ranked_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_trec, "BATCH", 4096)
    random = np.random.default_rng(1)
    rows = [
        (f"q{query}", f"doc-{random.integers(150):012d}", rank, f"{20 - rank / 7:.1f}")
        for query in [*range(30), 4, 17, 99]
        for rank in range(1, 101)
    ]
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} {r} {s} t\n" for q, d, r, s in rows))
    for ties in ORDERS:
        assert found(Source(tmp_path / "run"), ties) == expected(rows, ties)
