from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.blocks.numbers import decimals, integers
from annotator.blocks.words import MARGIN, Text

plain = st.from_regex(r"-?[0-9]{0,17}\.?[0-9]{0,17}", fullmatch=True).filter(bool)
floats = st.floats().map(repr)
others = st.text("0123456789.-+e_,n\u0663", min_size=1, max_size=20)


def fields(texts: Sequence[str]) -> tuple[Text, np.ndarray, np.ndarray]:
    encoded = [text.encode() for text in texts]
    length = np.array([len(text) for text in encoded], dtype=np.int64)
    at = np.cumsum(length + 1) - length - 1 + len(MARGIN)
    return Text(MARGIN + b" ".join(encoded) + MARGIN), at, length


def converted(texts: Sequence[str], convert: Callable[[bytes], float]) -> list[float] | None:
    try:
        values = [convert(text.encode()) for text in texts]
    except ValueError:
        return None
    if convert is int:
        usable = all(-(2**63) <= value < 2**63 for value in values)
    else:
        usable = all(map(math.isfinite, values))
    return values if usable and "_" not in "".join(texts) else None


@given(st.lists(plain, max_size=9) | st.lists(plain | floats | others, max_size=9))
@example(["12.345678", "9.345678", "-0.345678", ".345678"])
@example(["1.5", "15", "1..5"])
@example(["0", ".12345678.", "."])
@example(["9007199254740993", "9007199254740.993", "123456.78", "-.5", "-0.0"])
def test_scores_are_what_float_gives(texts: list[str]) -> None:
    values = decimals(*fields(texts))
    expected = converted(texts, float)
    assert (values is None) == (expected is None)
    if values is not None and expected is not None:
        assert list(map(repr, values.tolist())) == list(map(repr, expected))


@given(
    st.lists(
        st.integers(-(2**64), 2**64).map(str)
        | others
        | st.from_regex(r"[0-9]{1,9}", fullmatch=True),
        max_size=9,
    )
)
@example(["1", "10", "00000007", "123456789"])
def test_ranks_are_what_int_gives(texts: list[str]) -> None:
    values = integers(*fields(texts))
    assert (None if values is None else values.tolist()) == converted(texts, int)
