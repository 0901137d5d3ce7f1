"""Which of the project's queries the names in a file are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from annotator.actions.imports.look_alikes import bare, look_alikes, quoted, sentence, spelling
from annotator.actions.imports.report import Found
from annotator.domain import Query
from annotator.errors import UsageError
from annotator.text.plural import counted, some
from annotator.text.safe import one_line

if TYPE_CHECKING:  # scoring files needs no database
    from annotator.store import Project

REMEMBERED = 100
"""How many ids of a file are looked at to tell why none of them is known."""

ADVICE = "`annotator import queries FILE` adds queries"


def known_queries(
    project: Project, qids: Sequence[str], found: Found, *, labels: bool = False
) -> dict[str, int]:
    """The number of each of these that is a query of the project, by its id or else by its text.

    A project without queries takes the ids of the file. Once their texts were imported they are the
    project's queries, and no run or file of labels adds to them; nor do ``labels`` to those that
    runs brought.

    Raises
    ------
    UsageError
        If none of the file's queries is known.
    """
    with_text = project.queries.have_text()
    settled = with_text or (labels and bool(project.systems.all()))
    ids = project.queries.ids()
    known = {qid: ids[qid] for qid in qids if qid in ids}
    texts = _Texts(project, qids, set(known.values())) if len(known) < len(qids) else None
    if texts:
        by_text = {qid: texts.unique[one_line(qid)] for qid in qids if texts.has(qid, known)}
        found.note(len(by_text), "queries known by their text")
        known |= by_text
    unknown = [qid for qid in qids if qid not in known]
    if gone := project.queries.taken_out().intersection(unknown):
        found.note(
            len(gone),
            "removed queries",
            "{count:query was|queries were} removed, so left out: " + _some(sorted(gone)),
        )
        unknown = [qid for qid in unknown if qid not in gone]
    why = _why_unknown(unknown, ids, texts)
    if unknown and len(unknown) == len(qids) and (settled or why):
        raise UsageError(
            f"{found.source}: none of its queries ({_some(unknown, 3)}) is in the "
            f"project ({_some(list(ids), 3)}); {why or 'are these the ids of another query set?'}"
        )
    if settled:
        _tell_left_out(found, unknown, why, "" if with_text else ADVICE)
        return known
    return known | _taken(project, found, unknown, why)


def _taken(project: Project, found: Found, new: Sequence[str], why: str) -> dict[str, int]:
    """Take the ids of queries from a file, since the project has no others."""
    project.queries.store(Query(qid, "") for qid in new)
    ids = project.queries.ids()
    if new and why:
        found.warn(f"{counted(len(new), 'query is', 'queries are')} new; {why}")
    if twins := _twins(new):
        found.warn(twins)
    found.warn(
        f"no queries are imported yet, so their ids were taken from the {found.kind}: "
        "`annotator import queries FILE` adds their texts"
    )
    return {qid: ids[qid] for qid in new}


def _tell_left_out(found: Found, unknown: Sequence[str], why: str, advice: str) -> None:
    found.note(
        len(unknown),
        "unknown queries",
        "{count:query is|queries are} not in the project, so left out: "
        + "; ".join(filter(None, [_some(unknown), why, advice])),
    )


def _some(names: Sequence[str], shown: int = 5) -> str:
    return some([*map(quoted, names[:shown]), *names[shown:]], shown)


def _twins(names: Sequence[str]) -> str:
    """Which ids of one file look like one another."""
    first: dict[str, str] = {}
    pairs = [(first.setdefault(spelling(name), name), name) for name in names]
    return sentence([pair for pair in pairs if pair[0] != pair[1]])


class _Texts:
    """The queries of the project by their texts, each in one line."""

    def __init__(self, project: Project, qids: Sequence[str], taken: set[int]) -> None:
        self.qids: dict[str, list[str]] = {}
        numbers: dict[str, list[int]] = {}
        for number, query in project.queries.all().items():
            if text := one_line(query.text):
                numbers.setdefault(text, []).append(number)
                self.qids.setdefault(text, []).append(query.qid)
        names = Counter(map(one_line, qids))
        self.unique = {
            text: found[0]
            for text, found in numbers.items()
            if len(found) == 1 and names[text] == 1 and found[0] not in taken
        }

    def has(self, qid: str, known: Mapping[str, int]) -> bool:
        """Whether a name that is no id is the text of just one query that the file has no id of."""
        return qid not in known and one_line(qid) in self.unique


def _why_unknown(unknown: Sequence[str], ids: Mapping[str, int], texts: _Texts | None) -> str:
    """What may be the reason that names are not known; empty if nothing looks like them."""
    return "; ".join(filter(None, [look_alikes(unknown, ids), _why_no_text(unknown, texts)]))


def _why_no_text(unknown: Sequence[str], texts: _Texts | None) -> str:
    """Why a name that is the text of a query, or looks like one, does not stand for it."""
    if not texts or not texts.qids:
        return ""
    for qid in unknown:
        if of := texts.qids.get(one_line(qid)):
            many = f"queries {some(of, 3)}" if len(of) > 1 else f"query {of[0]}, which it has too"
            return f"{quoted(qid)} is the text of {many}"
    like = {bare(text): of[0] for text, of in texts.qids.items()}
    for qid in unknown:
        if bare(qid) in like:
            return f"{quoted(qid)} looks like the text of query {like[bare(qid)]}"
    return ""
