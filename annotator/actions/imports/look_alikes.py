"""Ids that look like other ids: why a file's queries or documents may not be the project's."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence

from annotator.text.plural import some
from annotator.text.safe import one_line

PART = re.compile(r"(.+?)[#_:/|@~. -]{1,2}(?:chunk|passage|part|seg(?:ment)?|[pcs])?[_ -]?\d{1,9}")
"""What systems call a part of a document: its id, a sign, a number."""

MOST_HELD = 1_000_000
"""Ids that are held in memory to be compared with others, which are not; each takes 150 bytes."""


def spelling(name: str) -> str:
    """An id without what makes two spellings of one: case, blanks, quotes, zeros, accents' form."""
    plain = unicodedata.normalize("NFKC", name).strip(" \t\"'\ufeff\u200b").casefold()
    if plain.isdecimal():
        return plain.lstrip("0") or "0"
    if plain[:1].isdecimal() and "." in plain:
        number = re.fullmatch(r"0*(\d+?)\.0+", plain)
        return number[1] if number else plain
    return plain


def bare(name: str) -> str:
    """An id without what tools add or take away too: signs between, a short prefix."""
    plain = re.sub(r"[\s\"'_-]", "", spelling(name))
    numbers = re.findall(r"\d+", plain)
    if len(numbers) == 1 and re.fullmatch(r"\D{0,6}\d+", plain):
        return str(numbers[0]).lstrip("0") or "0"
    return spelling(plain)


def look_alikes(
    unknown: Sequence[str], known: Iterable[str], form: Callable[[str], str] = bare
) -> str:
    """What may be the reason that names are not known, such as ``051`` and ``51``; else nothing."""
    wanted: dict[str, str] = {}
    for name in unknown:
        wanted.setdefault(form(name), name)
    like = {
        wanted[key]: name for name in known if (key := form(name)) in wanted and name != wanted[key]
    }
    return sentence([(name, like[name]) for name in unknown if name in like])


def strangers(judged: Sequence[str], returned: Sequence[str]) -> str:
    """What to say of judged documents of which no system returned any."""
    return (
        f"none of its documents ({', '.join(judged[:3])}, …) was returned by a system "
        f"({', '.join(returned[:3])}, …); "
        + (
            _parts(judged, returned)
            or _parts(returned, judged)
            or look_alikes(judged, returned)
            or "are these the ids of another collection?"
        )
    )


class Sought:
    """Ids that are sought in a file, and those of the file that only look like one of them."""

    def __init__(self, names: Collection[str]) -> None:
        few = names if len(names) <= MOST_HELD else ()
        self._names = {spelling(name): name for name in few}
        self._like: dict[str, str] = {}

    def see(self, name: str) -> None:
        """Take the next id of the file."""
        sought = self._names.get(spelling(name))
        if sought == name:
            self._names.pop(spelling(name))
            self._like.pop(sought, None)
        elif sought is not None:
            self._like.setdefault(sought, name)

    def sentence(self) -> str:
        """Which ids of the file look like one that it lacks; nothing if none does."""
        return sentence([(like, sought) for sought, like in self._like.items()])


def sentence(pairs: Collection[tuple[str, str]]) -> str:
    """A sentence on ids that look like others; nothing if there are none."""
    if not pairs:
        return ""
    shown = some([f"{quoted(a)} and {quoted(b)}" for a, b in pairs], 2)
    return f"ids are compared as text, so these are not the same: {shown}"


def quoted(name: str) -> str:
    """An id in one line, in quotes where blanks at its ends would not be seen."""
    shown = one_line(name, 30)
    if name != name.strip():
        before, after = (" " * one.isspace() for one in (name[0], name[-1]))
        return f'"{before}{shown}{after}"'
    if unicodedata.normalize("NFC", name) != name:
        return f"{shown} (accents apart)"
    return shown


def _parts(documents: Collection[str], others: Iterable[str]) -> str:
    """Which ids name parts of documents; empty if none does."""
    wanted = set(documents)
    for other in others:
        if (part := PART.fullmatch(other)) and part[1] in wanted:
            return (
                f"{quoted(other)} seems to be a part of {quoted(part[1])}: labels of documents do "
                "not count for their parts, nor those of parts for documents; use one kind of ids"
            )
    return ""
