"""Ranks and scores out of text, thousands at once: the same values as int() and float() give."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annotator.blocks.words import WORD, Text, WordArray
from annotator.domain import BoolArray, FloatArray, IntArray

EXACT = 2**53  # integers up to here, divided by a power of ten up to 22, are rounded once
MINUS = ord("-")

_HIGH = np.array([2**64 - 2 ** (8 * (WORD - n)) for n in range(WORD + 1)], dtype=np.uint64)
_POINTLESS = ~np.array([0, *(255 << (8 * n) for n in range(WORD - 1, -1, -1))], dtype=np.uint64)
_ZEROS = np.uint64(0x3030303030303030)
_DOTS = np.uint64(0x2E2E2E2E2E2E2E2E ^ 0x3030303030303030)
_TOP_BITS = np.uint64(0x8080808080808080)
_LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
_ABOVE_NINE = np.uint64(0x7676767676767676)
_STEPS = [  # neighbours are joined: digits to pairs, pairs to fours, fours to eights
    (np.uint64(multiplier), np.uint64(shift), np.uint64(mask))
    for multiplier, shift, mask in (
        (10 * 2**8 + 1, 8, 0x00FF00FF00FF00FF),
        (100 * 2**16 + 1, 16, 0x0000FFFF0000FFFF),
        (10_000 * 2**32 + 1, 32, 0x00000000FFFFFFFF),
    )
]
# By how many characters stand from the point to the end, the point itself counted; 0: no point.
_WHOLE = np.array([1, *(10**n for n in range(1, 2 * WORD + 1))], dtype=np.int64)
_POINT = np.array([0, *(9 * 10 ** (n - 1) for n in range(1, 2 * WORD + 1))], dtype=np.int64)
_SCALE = np.array([1, *(10 ** (n - 1) for n in range(1, 2 * WORD + 1))], dtype=np.float64)


def integers(text: Text, at: IntArray, lengths: IntArray) -> IntArray | None:
    """The integers in these fields; None if one of them is no number of 64 bits."""
    values, good = _digits(_last_word(text, at + lengths, lengths))
    good &= lengths <= WORD
    return values if _filled(values, good, text, at, lengths, int) else None


def decimals(text: Text, at: IntArray, lengths: IntArray) -> FloatArray | None:
    """The numbers in these fields; None if one of them is no finite number."""
    negative = text.bytes[at] == MINUS
    count = lengths - negative
    end = at + lengths
    point: IntArray | np.int64
    common = _common_point(text, at, lengths)
    word = _last_word(text, end, count)
    word, point = _without_point(word) if common is None else (word & _POINTLESS[common], common)
    number, good = _digits(word)
    if count.max(initial=0) > WORD:
        word = _last_word(text, end - WORD, np.maximum(count - WORD, 0))
        if common is None:
            word, earlier = _without_point(word)
            good &= (point == 0) | (earlier == 0)
            point = np.where((point == 0) & (earlier > 0), earlier + WORD, point)
        high, fine = _digits(word)
        good &= fine
        number += high * 10**WORD
    number -= _POINT[point] * (number // _WHOLE[point])
    good &= (count <= 2 * WORD) & (count > (point > 0)) & (number <= EXACT)
    values = number / _SCALE[point]
    np.negative(values, out=values, where=negative)
    return values if _filled(values, good, text, at, lengths, float) else None


def _common_point(text: Text, at: IntArray, lengths: IntArray) -> np.int64 | None:
    """How many characters stand from the point to the end, if that is the same in all fields."""
    if not at.size:
        return None
    _, point, decimals = text.field(int(at[0]), int(lengths[0])).rpartition(b".")
    place = np.int64(len(decimals) + 1)
    if not point or place > WORD or lengths.min() <= place:
        return None
    return place if (text.bytes[at + lengths - place] == ord(".")).all() else None


def _last_word(text: Text, end: IntArray, lengths: IntArray) -> WordArray:
    """The last eight bytes of each field, "0" as 0; what stands before the field is 0 as well."""
    word = text.words(end - WORD) ^ _ZEROS
    word &= _HIGH[np.minimum(lengths, WORD)]
    return word


def _digits(word: WordArray) -> tuple[IntArray, BoolArray]:
    """The number that eight digits make, and whether all of them are digits."""
    good = ((word + _ABOVE_NINE) | word) & _TOP_BITS == 0
    for multiplier, shift, mask in _STEPS:
        word = (word * multiplier) >> shift
        word &= mask
    return word.view(np.int64), good


def _without_point(word: WordArray) -> tuple[WordArray, IntArray]:
    """Put 0 for the last point, and say how many characters stand from it to the end, 0: none."""
    other = word ^ _DOTS
    found = ~(((other & _LOW_BITS) + _LOW_BITS) | other | _LOW_BITS)
    found &= ~(found - np.uint64(1))
    place = np.bitwise_count(found - np.uint64(1)).astype(np.int64) >> 3
    return word & ~((found >> np.uint64(7)) * np.uint64(255)), WORD - place


def _filled(
    values: IntArray | FloatArray,
    good: BoolArray,
    text: Text,
    at: IntArray,
    lengths: IntArray,
    convert: Callable[[bytes], float],
) -> bool:
    """Fill in what is not written plainly, one by one; False if something is no number."""
    if good.all():
        return True
    odd = np.flatnonzero(~good)
    places = zip(at[odd].tolist(), lengths[odd].tolist(), strict=True)
    fields = [text.field(*place) for place in places]
    try:
        values[odd] = np.array([convert(field) for field in fields], dtype=values.dtype)
    except (ValueError, OverflowError):
        return False
    return not any(b"_" in field for field in fields) and bool(np.isfinite(values[odd]).all())
