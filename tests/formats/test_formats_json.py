"""A file that is one JSON value: read without holding it, and refused where it goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import InputError
from annotator.formats import Source
from annotator.formats.input import source
from annotator.formats.json import document as json_document
from annotator.formats.json.members import members
from tests.formats.reading import qrels, rows_of

Write = Callable[[str | bytes], Source]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"query_doc_pairs": 1, "doc_id": 2}', "expected a list under query_doc_pairs"),
        ('{"judgmentRatings": [1]}', "expected what is listed under judgmentRatings to be an obj"),
        ('{"judgmentRatings": [{"query": "a"', "not JSON"),
        ('{"q": {"d": 1, "d": 2}}', "the key d is there twice in one JSON object"),
        ('{"q": {"d": ' + "1" * 5000 + "}}", "a number in it is too long"),
        ('{"judgmentRatings": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_json_of_another_build_is_told_in_one_line(written: Write, text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        qrels(written(text))


def test_json_that_would_not_fit_into_memory_is_refused(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_document, "LARGEST", 10)
    with pytest.raises(InputError, match="one JSON value of more than"):
        qrels(written('{"judgmentRatings": [{"query": "a", "ratings": []}]}'))


def ranx_texts() -> st.SearchStrategy[str]:
    """Runs as ranx and BEIR write them, in many layouts."""
    ids = st.text(min_size=1, max_size=4).filter(lambda text: not text.isspace())
    scores = st.floats(-1e9, 1e9, allow_nan=False) | st.integers(-(10**9), 10**9)
    runs = st.dictionaries(ids, st.dictionaries(ids, scores, max_size=4), max_size=4)
    return st.builds(
        lambda run, indent, ascii_only: json.dumps(run, indent=indent, ensure_ascii=ascii_only),
        runs,
        st.sampled_from([None, 0, 3]),
        st.booleans(),
    )


@given(text=ranx_texts(), size=st.integers(1, 40))
def test_an_object_read_by_members_is_that_read_at_once(text: str, size: int) -> None:
    class Pieces(Source):
        def __init__(self) -> None:
            self.name = "run.json"

        def pieces(self) -> Iterator[str]:
            yield from (text[at : at + size] for at in range(0, len(text), size))

    assert list(members(Pieces())) == list(json.loads(text).items())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"q": {"d": 0.5}, "q": {"d": 1.5}}', "the key q is there twice"),
        ('{"q": {"d": 0.5}} {"r": {}}', ":1: not JSON: something follows .* at column 19"),
        ('{"q": {"d": 0.5}\n,\n "r" {"d": 1}}', ":3: not JSON: expected a colon at column 6"),
        ('{"q": {"d": 0.5},\n "r": {"d": nil}}', ":2: not JSON: Expecting value at column 13"),
        ('{"q": {"d": 0.5}, "r": {"d', "not JSON: Unterminated string"),
        ('{"q": {"d": 0.5}, "r": 3}', "expected what is said of query r to be an object"),
        ('{"q": {"d": 0.5}, 7: {}}', "expected a key in double quotes"),
    ],
)
def test_an_object_that_breaks_off_or_goes_wrong_is_told_by_its_place(
    written: Write, text: str, told: str
) -> None:
    with pytest.raises(InputError, match=told):
        rows_of(written(text))


def test_a_run_in_one_long_line_is_read_without_holding_it(
    written: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "LONGEST_LINE", 100)
    run = {f"q{n}": {f"d{n}": n + 0.5} for n in range(1000)}
    assert len(rows_of(written(json.dumps(run)))) == 1000
