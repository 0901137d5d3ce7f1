"""Which of the project's queries the names in a file are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from annotator.actions.found import Found, some
from annotator.errors import UsageError
from annotator.records import Query
from annotator.sanitise import one_line

if TYPE_CHECKING:  # scoring files needs no database
    from annotator.store import Project

REMEMBERED = 100
"""How many ids of a file are looked at to tell why none of them is known."""


def known_queries(project: Project, qids: Sequence[str], found: Found) -> dict[str, int]:
    """The number of each of these that is a query of the project, by its id or else by its text.

    A project without queries' texts takes the ids of the file. Once queries were imported they
    are the project's queries, and no run or qrels adds to them.

    Raises
    ------
    UsageError
        If none of the file's queries is known.
    """
    settled = project.queries.have_text()
    if not settled:
        project.queries.store(Query(qid, "") for qid in qids)
    ids = project.queries.ids()
    known = {qid: ids[qid] for qid in qids if qid in ids}
    by_text = _by_text(project, qids, set(known.values())) if len(known) < len(qids) else {}
    known |= {qid: by_text[one_line(qid)] for qid in qids if one_line(qid) in by_text}
    found.note(len(known) - sum(qid in ids for qid in qids), "queries known by their text")
    unknown = [qid for qid in qids if qid not in known]
    alike = look_alikes(unknown, ids)
    if len(unknown) == len(qids):
        raise UsageError(
            f"{found.source}: none of its queries ({some(unknown, 3)}) is in the "
            f"project ({some(list(ids), 3)}); {alike or 'are these the ids of another query set?'}"
        )
    found.note(
        len(unknown),
        "unknown queries",
        "{count:query is|queries are} not in the project, so left out: "
        + some(unknown)
        + (f"; {alike}" if alike else ""),
    )
    if not settled:
        found.warnings.append(
            f"no queries are imported yet, so their ids were taken from the {found.kind}: "
            "`annotator import queries FILE` adds their texts"
        )
    return known


def _by_text(project: Project, qids: Sequence[str], taken: set[int]) -> dict[str, int]:
    """Queries by their text, where it is the text of just one that the file has no id of."""
    texts = {number: one_line(query.text) for number, query in project.queries.all().items()}
    counts = Counter(texts.values())
    names = Counter(map(one_line, qids))
    return {
        text: number
        for number, text in texts.items()
        if text and counts[text] == 1 and names[text] == 1 and number not in taken
    }


def strangers(judged: Sequence[str], returned: Sequence[str]) -> str:
    """What to say of judged documents of which no system returned any."""
    return (
        f"none of its documents ({', '.join(judged[:3])}, …) was returned by a system "
        f"({', '.join(returned[:3])}, …); "
        + (look_alikes(judged, returned) or "are these the ids of another collection?")
    )


def look_alikes(unknown: Sequence[str], known: Iterable[str]) -> str:
    """What may be the reason that names are not known, such as ``051`` and ``51``; else nothing."""
    bare: dict[str, str] = {}
    for name in known:
        bare.setdefault(_bare(name), name)
    pairs = [(name, bare[_bare(name)]) for name in unknown if bare.get(_bare(name), name) != name]
    if not pairs:
        return ""
    shown = some([f"{one_line(a, 30)} and {one_line(b, 30)}" for a, b in pairs], 2)
    return f"ids are compared as text, so these are not the same: {shown}"


def _bare(name: str) -> str:
    """An id without what tools add or take away: case, quotes, blanks, a prefix, leading zeros."""
    plain = re.sub(r"[\s\"'_-]", "", name).casefold()
    numbers = re.findall(r"\d+", plain)
    if len(numbers) == 1 and re.fullmatch(r"\D{0,6}\d+", plain):
        return str(numbers[0]).lstrip("0") or "0"
    return plain
