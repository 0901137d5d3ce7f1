"""HTML and SVG in which no text can become a tag: what is not :class:`Markup` is escaped."""

from __future__ import annotations

import re
from typing import TypeAlias

from annotator.text.safe import visible

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_NO_CHARACTER = re.compile("[\ufffe\uffff]")  # XML has none of these

Attribute: TypeAlias = str | float | None


class Markup(str):
    """Text with tags that this program wrote."""

    __slots__ = ()


def escape(text: str) -> Markup:
    """A text as it is shown: no tag, no entity, and nothing that turns or hides what stands near.

    >>> escape("a<b")
    'a&lt;b'
    """
    if isinstance(text, Markup):
        return text
    return Markup(_NO_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", visible(text)).translate(_ESCAPES))


def element(tag: str, /, *inside: str, **attributes: Attribute) -> Markup:
    """A tag around texts, which are escaped, and markup, which is not.

    ``class_`` and ``aria_label`` are the attributes class and aria-label; one that is None is left
    out.

    >>> element("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(written(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{said}>{''.join(map(escape, inside))}</{tag}>")


def written(value: str | float) -> str:
    """An attribute: a number has one decimal at most.

    >>> written(2.0), written(0.25)
    ('2', '0.2')
    """
    return value if isinstance(value, str) else f"{value:.1f}".removesuffix(".0")


def joined(*parts: str) -> Markup:
    """Texts and markup one behind the other."""
    return Markup("".join(map(escape, parts)))
