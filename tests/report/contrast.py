"""How well a colour is read on another."""

from __future__ import annotations

from collections.abc import Sequence


def contrast(first: Sequence[float], second: Sequence[float]) -> float:
    """By WCAG 2.2, from 1 to 21, of red, green and blue from 0 to 255."""
    high, low = sorted((_light(first), _light(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _light(colour: Sequence[float]) -> float:
    parts = [one / 255 for one in colour]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
