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
    """The chains of this project's own assessors while entries are appended, inside `writing`."""

    def __init__(self, file: ProjectFile) -> None:
        self._file = file
        self._open: dict[int, Chain] = {}

    def of(self, assessor: int) -> int:
        """The number of an assessor's own chain, which begins where there is none."""
        if assessor not in self._open:
            self._open[assessor] = self._found(assessor) or self._begun(assessor)
        return self._open[assessor].id

    def add(self, assessor: int, identity: bytes) -> None:
        """Put one entry at the end of an assessor's chain."""
        chain = self._open[assessor]
        end = hash_chain.head(chain.head, [identity])
        self._open[assessor] = chain._replace(entries=chain.entries + 1, head=end)

    def store(self) -> None:
        """Write down where the chains end now."""
        self._file.many(
            "UPDATE chain SET entries = ?, head = ? WHERE id = ?",
            [(one.entries, one.head, one.id) for one in self._open.values()],
        )
        self._file.seal("chain")

    def _found(self, assessor: int) -> Chain | None:
        rows = self._file.tuples(
            "SELECT id, origin, start, entries, head FROM chain WHERE assessor_id = ?"
            " AND origin = (SELECT identity FROM project) ORDER BY id LIMIT 1",
            (assessor,),
        )
        return Chain(rows[0][0], rows[0][1], "", *rows[0][2:]) if rows else None

    def _begun(self, assessor: int) -> Chain:
        rows = self._file.tuples(
            "SELECT identity, name FROM project, assessor WHERE assessor.id = ?", (assessor,)
        )
        if not rows:  # a copy of another state or project is where the file was
            raise replaced(self._file.path)
        origin, name = rows[0]
        number = self._file.execute(
            "INSERT INTO chain (origin, assessor_id, start, entries, head) VALUES (?, ?, ?, 0, ?)",
            (origin, assessor, start := hash_chain.start(origin, name), start),
        )
        return Chain(number, origin, name, start, 0, start)


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
