from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.actions.imports.look_alikes import spelling
from annotator.blocks import codes, words
from annotator.blocks.codes import Codes
from annotator.blocks.lines import Lines
from annotator.blocks.words import WORD

IDS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    st.integers(28, 36).map(lambda size: "é" + "z" * size),
    st.sampled_from(
        ["a", "a\0", "a\0\0", "x" * 32, "x" * 256, "x" * 256 + "y", "x" * 700, "12345678"]
    ),
)


@pytest.fixture(params=["good keys", "all keys the same", "few keys"])
def keys(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of ids as they are, and such as no two ids should have."""
    mask = {"good keys": 2**64 - 1, "all keys the same": 0, "few keys": 3 << 62}[request.param]
    mixed = words._mixed
    monkeypatch.setattr(words, "_mixed", lambda word: mixed(word) & np.uint64(mask))


@pytest.mark.usefixtures("keys")
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(IDS, min_size=1, max_size=30), max_size=5))
def test_every_id_has_one_number_in_order_of_appearance(blocks: list[list[str]]) -> None:
    known, expected = Codes(), dict[str, int]()
    for block in blocks:
        lines = Lines.of(block, block, np.zeros(len(block), np.int64), np.zeros(len(block)))
        found = known.of(lines.text, lines.docid_at, lines.docid_length)
        # Within a block the order is that of appearance unless ids share a key.
        for name, number in zip(block, found.tolist(), strict=True):
            assert expected.setdefault(name, number) == number
    assert sorted(expected.values()) == list(range(known.count))
    assert {name: number for number, name in enumerate(known.names())} == expected
    ordered = known.names(known.in_order())
    assert sorted(ordered) == sorted(expected)
    starts = [name.encode()[: WORD * codes.SORTED].rstrip(b"\0") for name in ordered]
    assert starts == sorted(starts)


def test_more_ids_than_there_was_room_for_are_all_found_again() -> None:
    names = [f"document-{number:06}" for number in range(3 * codes.FIRST_SLOTS)]
    lines = Lines.of(names, names, np.zeros(len(names), np.int64), np.zeros(len(names)))
    known = Codes()
    first = known.of(lines.text, lines.docid_at, lines.docid_length)
    assert first.tolist() == list(range(len(names)))
    assert known.of(lines.text, lines.docid_at, lines.docid_length).tolist() == first.tolist()
    assert known.names() == names


SPELLED = st.text(st.sampled_from("aAbZ01289.- \"'é\u200bß"), min_size=1, max_size=6) | st.integers(
    0, 30
).map(lambda size: "0" * size + "7")


@settings(deadline=None, max_examples=400, derandomize=True)
@given(ids=st.lists(SPELLED | SPELLED.map(lambda one: one + "x" * 40), min_size=1, unique=True))
def test_ids_have_equal_keys_just_where_they_are_spelled_alike(ids: list[str]) -> None:
    codes = Codes()
    numbers = codes.of_names(ids)
    keys = codes.spelling_keys(spelling)[numbers].tolist()
    for one, key in zip(ids, keys, strict=True):
        for other, another in zip(ids, keys, strict=True):
            assert (key == another) == (spelling(one) == spelling(other)), (one, other)
