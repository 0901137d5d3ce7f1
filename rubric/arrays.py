"""Array types (shapes and units stand in the docstrings of what uses them), division, products."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

GradeArray: TypeAlias = npt.NDArray[np.int8]
IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def ratio(
    part: FloatArray | IntArray, whole: FloatArray | IntArray, undefined: float = np.nan
) -> FloatArray:
    """Divide element by element; ``undefined`` where ``whole`` is not above 0."""
    out = np.full(whole.shape, undefined, dtype=np.float64)
    np.divide(part, whole, out=out, where=whole > 0)
    return out


_SMALL = 250_000
"""Multiplications of one product up to which BLAS does not call in further threads."""
_LARGE = 100_000
"""Numbers that each piece would read or add anew: with more, pieces cost more than threads."""


def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """``left @ right`` for a tall ``left`` (n, p), in pieces that stay on one thread.

    To wait for other threads takes longer than such a product, and far longer on a busy machine.
    """
    if right.size > _LARGE:
        return np.asarray(left @ right)
    size = max(1, _SMALL // max(1, right.size))
    pieces = len(left) // size
    rows, whole = pieces * size, np.empty((len(left), right.shape[1]))
    stacked = whole[:rows].reshape(pieces, size, right.shape[1])
    np.matmul(left[:rows].reshape(pieces, size, left.shape[1]), right, out=stacked)
    np.matmul(left[rows:], right, out=whole[rows:])
    return whole


def inner_product(left: FloatArray, right: FloatArray) -> FloatArray:
    """``left.T @ right`` for tall matrices (n, p) and (n, q), in pieces as :func:`product`."""
    cells = left.shape[1] * right.shape[1]
    if cells > _LARGE // 10:
        return np.asarray(left.T @ right)
    size = max(1, _SMALL // max(1, cells))
    pieces = len(left) // size
    rows = pieces * size
    one = left[:rows].reshape(pieces, size, left.shape[1]).swapaxes(1, 2)
    two = right[:rows].reshape(pieces, size, right.shape[1])
    total: FloatArray = (one @ two).sum(axis=0) + left[rows:].T @ right[rows:]
    return total


def wide_product(left: FloatArray, right: FloatArray) -> FloatArray:
    """``left @ right`` for a wide ``right`` (p, n), in pieces as :func:`product`."""
    if left.size > _LARGE:
        return np.asarray(left @ right)
    size = max(1, _SMALL // max(1, left.size))
    whole = np.empty((len(left), right.shape[1]))
    for start in range(0, right.shape[1], size):
        part = slice(start, start + size)
        whole[:, part] = left @ right[:, part]
    return whole
