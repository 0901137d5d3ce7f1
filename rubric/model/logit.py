"""From log odds to chances."""

from __future__ import annotations

import numpy as np

from rubric.arrays import FloatArray

LARGEST_LOGIT = 30.0
"""Log odds beyond which a chance can not be told from 0 or 1."""


def logistic(values: FloatArray) -> FloatArray:
    """1 / (1 + exp(-value)); values beyond what a chance can be told from 0 or 1 are cut."""
    out: FloatArray = 1 / (1 + np.exp(-np.clip(values, -LARGEST_LOGIT, LARGEST_LOGIT)))
    return out
