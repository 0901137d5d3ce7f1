"""Array types (shapes and units stand in the docstrings of what uses them) and division."""

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
