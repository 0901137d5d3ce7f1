"""What the flags beside a number mean."""

from __future__ import annotations

from collections.abc import Iterable

MEANINGS = {
    "unjudged": "results without a label",
    "undefined": "queries without a relevant document so far, left out of the mean",
    "ideal open": "missing labels may still change the best possible score",
}


def flags_explained(flags: Iterable[str]) -> list[str]:
    """A sentence on those flags that are there; none where no flag needs one.

    >>> flags_explained(["ideal open", "2 without results"])
    ['Ideal open: missing labels may still change the best possible score.']
    """
    text = " ".join(flags)
    said = [f"{flag.capitalize()}: {what}." for flag, what in MEANINGS.items() if flag in text]
    return [" ".join(said)] if said else []
