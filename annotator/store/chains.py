"""The chains of the judgment log: one for each assessor of each project whose entries are here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from annotator.store import hash_chain
from annotator.store.sqlite.errors import replaced
from annotator.store.sqlite.file import ProjectFile

_CHAINS = (
    "SELECT chain.id, origin, name, start, entries, head FROM chain"
    " LEFT JOIN assessor ON assessor.id = assessor_id ORDER BY chain.id"
)


_OF_ASSESSOR = "SELECT id, start, entries, head FROM chain WHERE assessor_id = ? AND origin = ?"


class Chain(NamedTuple):
    """How many entries an assessor has from one project, and the head over them."""

    id: int
    origin: bytes
    assessor: str
    start: bytes
    entries: int
    head: bytes


def chains(file: ProjectFile) -> list[Chain]:
    """Every chain, in the order they began."""
    rows = file.tuples(_CHAINS)
    return [Chain(number, origin, name or "", *rest) for number, origin, name, *rest in rows]


class Growing:
    """The chains that entries are appended to, inside `writing`."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._own: dict[int, int] = {}
        self._open: dict[int, Chain] = {}
        self._at: dict[tuple[bytes, int, bytes], int] = {}  # origin, assessor and head

    def own(self, assessor: int) -> int:
        """The number of an assessor's chain of this project, which begins where there is none."""
        if assessor not in self._own:
            origin, name = self._named(assessor)
            rows = self._file.tuples(f"{_OF_ASSESSOR} ORDER BY id LIMIT 1", (assessor, origin))
            found = rows or [self._begun(origin, assessor, hash_chain.start(origin, name))]
            self._own[assessor] = self._opened(origin, *found[0])
        return self._own[assessor]

    def following(self, origin: bytes, assessor: int, before: bytes) -> int:
        """The number of a chain of any project that ends with this head, or begins with it."""
        if (origin, assessor, before) not in self._at:
            rows = self._file.tuples(
                f"{_OF_ASSESSOR} AND head = ? ORDER BY id LIMIT 1", (assessor, origin, before)
            )
            rows = [row for row in rows if row[0] not in self._open]
            found = rows or [self._begun(origin, assessor, before)]
            self._at[origin, assessor, before] = self._opened(origin, *found[0])
        return self._at[origin, assessor, before]

    def add(self, chain: int, identity: bytes) -> None:
        """Put one entry at the end of a chain."""
        one = self._open[chain]
        end = hash_chain.head(one.head, [identity])
        self._open[chain] = one._replace(entries=one.entries + 1, head=end)
        for key in [key for key, number in self._at.items() if number == chain]:
            del self._at[key]
            self._at[key[0], key[1], end] = chain

    def store(self) -> None:
        """Write down where the chains end now."""
        self._file.many(
            "UPDATE chain SET entries = ?, head = ? WHERE id = ?",
            [(one.entries, one.head, one.id) for one in self._open.values()],
        )
        self._file.seal("chain")

    def _opened(self, origin: bytes, number: int, start: bytes, entries: int, head: bytes) -> int:
        self._open.setdefault(number, Chain(number, origin, "", start, entries, head))
        return number

    def _named(self, assessor: int) -> tuple[bytes, str]:
        rows = self._file.tuples(
            "SELECT identity, name FROM project, assessor WHERE assessor.id = ?", (assessor,)
        )
        if not rows:  # a copy of another state or project is where the file was
            raise replaced(self._file.path)
        return rows[0][0], rows[0][1]

    def _begun(self, origin: bytes, assessor: int, start: bytes) -> tuple[int, bytes, int, bytes]:
        number = self._file.execute(
            "INSERT INTO chain (origin, assessor_id, start, entries, head) VALUES (?, ?, ?, 0, ?)",
            (origin, assessor, start, start),
        )
        return number, start, 0, start


def broken(stored: list[Chain], identities: Mapping[int, list[bytes]]) -> Iterator[str]:
    """Which chains do not hold these entries in this order, in words."""
    left = defaultdict(list, identities)
    for chain in stored:
        there = left.pop(chain.id, [])
        end = hash_chain.head(chain.start, there)
        if (len(there), end) != (chain.entries, chain.head):
            yield (
                f"the entries of {chain.assessor} are not as they were stored: {len(there)} are "
                f"there of {chain.entries}, or one was put in, removed or moved from outside"
            )
    if left:
        yield "there are entries of nobody's chain: they were put in from outside"
