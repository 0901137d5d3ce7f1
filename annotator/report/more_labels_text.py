"""How many more labels something takes, in words."""

from __future__ import annotations

from annotator.results.more_labels import MoreLabels
from annotator.text.plural import counted


def rounded(labels: int) -> int:
    """Labels that are foreseen, to two figures: no more is known."""
    return labels if labels < 100 else round(labels, 1 - len(str(labels)) + 1)


def label_range(more: MoreLabels) -> str:
    """Between how many.

    >>> label_range(MoreLabels(120, 70, 284)), label_range(MoreLabels(3, 3, 3))
    ('70 to 280', '3')
    """
    fewest, most = rounded(more.fewest), rounded(more.most)
    return f"{fewest:,} to {most:,}" if fewest < most else f"{most:,}"


def about_more(more: MoreLabels) -> str:
    """About how many, with their noun.

    >>> about_more(MoreLabels(120, 70, 284)), about_more(MoreLabels(1, 1, 1))
    ('about 70 to 280 more labels', 'about 1 more label')
    """
    noun = counted(rounded(more.most), "more label").partition(" ")[2]
    return f"about {label_range(more)} {noun}"
