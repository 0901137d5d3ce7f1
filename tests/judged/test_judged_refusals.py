"""What is bad in runs and qrels is told as an import tells it, by file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats import run_trec
from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.judged import JudgedPairs, read_judged_run, read_judged_runs
from annotator.records import Qrel
from tests.judged.by_dicts import rows_of
from tests.judged.conftest import any_fixture

ODD_FIELDS = [
    "nan",
    "inf",
    "-inf",
    "1,5",
    "high",
    "1_0",
    "1e",
    "--1",
    "0x1",
    "1.2.3",
    "²",
    "-",
    ".",
]
ODD_FIELDS += [
    "1",
    "2.5",
    "9" * 30,
    "1e999",
    "9223372036854775808",
    "12.",
    "#",
    "1\x0b2",
    "\x01",
    "+7",
]


@any_fixture
@given(
    st.lists(
        st.lists(st.sampled_from(ODD_FIELDS), min_size=0, max_size=3).flatmap(
            lambda odd: st.permutations(["q", "Q0", "d", "1", "2.5", "tag", *odd]).map(
                lambda fields: fields if odd else ["q", "Q0", "d", "1", "2.5", "tag"]
            )
        ),
        min_size=1, max_size=12,
    ),
    st.sampled_from([b"", b"\xe9", b"\0", b"\xff\xfe", b"\r", b"\r\n\n", b"\t \n#"]),
    st.integers(0, 200),
)  # fmt: skip
@pytest.mark.usefixtures("batch")
def test_the_same_lines_are_bad_for_the_same_reasons_as_in_an_import(
    file_of: Callable[[bytes], Source], rows: list[list[str]], strange: bytes, at: int
) -> None:
    content = "\n".join(" ".join(fields) for fields in rows).encode()
    source = file_of(content[:at] + strange + content[at:])
    pairs = JudgedPairs.from_qrels([Qrel("q", "d", 1, 1)])

    def told(read: Callable[[Problems], object]) -> tuple[str, tuple[str, ...]]:
        problems = Problems("run")
        try:
            read(problems)
            problems.raise_if_any("a run")
        except InputError as error:
            return error.message, error.details
        return "", ()

    expected = told(lambda problems: list(run_trec.batches(source, problems)))
    assert told(lambda problems: read_judged_run(source, pairs, problems)) == expected


def test_qrels_that_contradict_themselves_are_refused() -> None:
    same = JudgedPairs.from_qrels([Qrel("1", "a", 2, 1), Qrel("1", "a", 2, 2)])
    assert same.counts(2).tolist() == [[0, 0, 1]]
    with pytest.raises(InputError, match=r"qrels:2: grade 1 .*which has grade 2 in line 1"):
        JudgedPairs.from_qrels([Qrel("1", "a", 2, 1), Qrel("1", "a", 1, 2)])
    with pytest.raises(InputError, match="qrels:7: grade 128 is above 127"):
        JudgedPairs.from_qrels([Qrel("1", "a", 128, 7)])


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("processes", [1, 2])
def test_many_runs_are_given_in_order_with_their_bad_lines(tmp_path: Path, processes: int) -> None:
    pairs = JudgedPairs.from_qrels([Qrel("1", f"d{n}", n, 1) for n in range(4)])
    sources = [Source(tmp_path / f"run{n}") for n in range(6)]
    for n, source in enumerate(sources):
        source.path.write_bytes(rows_of([("1", f"d{n}", 1, "2" if n != 4 else "two")]))
    read = list(read_judged_runs(sources, pairs, processes=processes))
    assert [problems.count for _, problems in read] == [0, 0, 0, 0, 1, 0]
    assert [run.grades.tolist() for run, _ in read[:4]] == [[[0]], [[1]], [[2]], [[3]]]
    sources[2].path.unlink()
    with pytest.raises(InputError, match="run2: there is no such file"):
        list(read_judged_runs(sources, pairs, processes=processes))
