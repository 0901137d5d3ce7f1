"""Near-duplicates by shingles, and coverage of the catalog."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.results.companions import MOST_SHINGLES, NEAR, SHINGLE
from annotator.scoring.near_duplicates import Catalog, Tally, near_earlier, sketch

WORDS = st.lists(st.sampled_from("abcdef"), max_size=30).map(" ".join)


def words(count: int, start: int = 0) -> str:
    return " ".join(f"w{number}" for number in range(start, start + count))


def jaccard(one: str, other: str) -> float | None:
    """The coefficient by its definition; None for texts too short for it."""
    sets = [
        {tuple(text.split()[at : at + SHINGLE]) for at in range(len(text.split()) - SHINGLE + 1)}
        for text in (one, other)
    ]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1]) if all(sets) else None


@given(one=WORDS, other=WORDS)
def test_near_is_the_jaccard_coefficient_of_shingles(one: str, other: str) -> None:
    expected = jaccard(one, other)
    near = sketch(one).near(sketch(other))
    assert near == sketch(other).near(sketch(one))
    assert near == (one.split() == other.split() if expected is None else expected >= NEAR)


def test_the_threshold_itself_is_near() -> None:
    # 9 and 9 shingles of which 8 are shared: 8 / 10.
    one, other = words(13), words(13, start=1)
    assert jaccard(one, other) == pytest.approx(0.8)
    assert sketch(one).near(sketch(other))
    assert not sketch(words(12)).near(sketch(words(12, start=1)))


def test_case_and_punctuation_do_not_part_texts() -> None:
    text = "The wing, at high speed, flutters and fails."
    assert sketch(text).near(sketch(text.upper().replace(",", ";")))


def test_short_texts_are_compared_as_a_whole() -> None:
    assert sketch("two words").near(sketch("Two  words!"))
    assert not sketch("two words").near(sketch("two words more"))
    assert not sketch("a b c d").near(sketch("a b c d e"))


def test_texts_without_words_are_near_only_if_equal() -> None:
    assert sketch("!!!").near(sketch("!!!"))
    assert not sketch("!!!").near(sketch("???"))


def test_a_huge_text_takes_bounded_memory() -> None:
    one = sketch(words(200_000))
    assert len(one.shingles) == MOST_SHINGLES
    assert one.near(sketch(words(200_000) + " end"))


def test_only_a_document_below_its_like_is_a_duplicate() -> None:
    sketches = {1: sketch(words(20)), 2: sketch(words(20)), 3: sketch(words(20, start=50))}
    assert near_earlier([1, 3, 2, 9, 0], sketches) == [False, False, True, None, None]
    assert near_earlier([2, 2], sketches) == [False, True]


EIGHT = Catalog(8, "eight documents")


def test_places_are_counted_over_queries_and_documents_once() -> None:
    documents = np.array([[[1, 2, 3], [1, 9, 0]], [[4, 0, 0], [0, 0, 0]]], dtype=np.int32)
    sketches = {1: sketch(words(20)), 2: sketch(words(20)), 3: sketch(words(20)), 4: sketch("x")}
    tally = Tally(documents)
    assert tally.wanted(0) == [1, 2, 3, 4]
    assert tally.wanted(1) == [1, 9]
    for query in range(2):
        tally.add(query, {n: sketches[n] for n in tally.wanted(query) if n in sketches})
    first = tally.companions(0, 3, EIGHT)
    assert (first.near_duplicates, first.with_text, first.without_text) == (2, 4, 1)
    assert (first.near_duplicate_rate, first.distinct, first.coverage) == (0.5, 4, 0.5)
    cut = tally.companions(0, 2, EIGHT)
    assert (cut.near_duplicates, cut.with_text, cut.distinct) == (1, 3, 3)
    second = tally.companions(1, 3, Catalog(0, "none"))
    assert (second.with_text, second.near_duplicate_rate, second.coverage) == (1, 0.0, None)
    nothing = Tally(np.zeros((1, 1, 1), dtype=np.int32)).companions(0, 1, Catalog(1, "one"))
    assert nothing.near_duplicate_rate is None
