"""What the screens say about where one is and how far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.content import Content

from annotator.domain import Card, Document, Mark, Query, Undone
from annotator.text.numbers import BRIEF, duration, likely, pace, part, span
from annotator.text.plural import counted
from annotator.text.safe import one_line
from annotator.tui.query_words import terms_of
from annotator.tui.widgets.page import Source
from annotator.tui.workplace import Estimated, Workplace

if TYPE_CHECKING:
    from annotator.results.comparisons import Compared
    from annotator.results.scores import Neighbours, SystemScore
    from annotator.scoring.board import Board

DEEP = 1_000
"""The cutoff of coverage where the measure has none."""

MOST_TOLD = 240
"""Characters of metadata, about three lines: a key shows all of it."""

NOT_BLIND = "you have seen who returned what: your grades of this query count as not blind"
UNBLINDS = "enter shows who returned what; your grades of it then count as not blind"
NO_TEXT = (
    "not graded: this document has no text. Press again to grade it all the same, or x to say that "
    "it cannot be judged"
)
HELD = "key ignored: it came before this document could be read"
SKIPPED = "skipped, comes back at the end"
REASONS = ("no text", "wrong language", "broken", "duplicate", "not sure")
"""Why documents often cannot be judged."""
GIVEN_UP = "NOT saved: another program is writing to this project; try again"
FINISHED = "Nothing is left to judge."
NEXT = (
    "",
    "What you can do next:",
    "  annotator compare A B            is one system better than another?",
    "  annotator export qrels FILE      the labels, for other programs",
    "  annotator import run FILE        another system; then annotator pool queues what it adds",
)
LIKELY = "~ is what is likely once everything is judged, ± how far its 95% interval reaches."
ZERO_FILLED = "° counts unjudged documents as grade 0; what is likely is not known."


def place(work: Workplace, width: int, grades_left: int | None, verdict_key: str) -> Content:
    """The first line: which query and document, how far the pool is, and whether one may stop.

    Where there is no room for all of it, the share is left out first, then the time.
    """
    session = work.session
    totals, here = session.totals, session.query_progress
    reached = f"verdict reached: {verdict_key} · " if session.goal_reached else ""
    said = [f"{totals.judged:,} of {totals.pooled:,} judged"]
    said += [part(totals.judged, totals.pooled)] if totals.pooled else []
    if grades_left and (rate := session.pace()):
        time = duration(grades_left * rate)
        said.append(f"~{time} {'to a verdict' if work.has_goal else 'left'}")
    left = f" {one_line(work.project, 30)}"
    if here and session.card:
        number, queries = session.query_position
        at, of = session.position
        left = f" query {one_line(here.qid, 24)} ({number:,} of {queries:,})"
        left += f" · document {at:,} of {of:,}"
        left += " · noted" if session.card.note else ""
        left += "" if session.is_blind else " · not blind"
    most = width - cell_len(left + reached) - 2
    while said and cell_len(" · ".join(said)) > most:
        del said[min(1, len(said) - 1)]
    share = " · ".join(said)
    room = max(1, width - cell_len(left + reached + share) - 2)
    right = [(reached, "$text-success bold"), (share, "$foreground-muted")]
    return Content.assemble((left, "bold"), " " * room, *right)


def about(document: Document) -> list[str]:
    """What stands below a document's title: where it is, what its file told of it.

    Its id stands there too if its text is missing, since that is what to look for.
    """
    missing = document.text is None and document.title
    told = " · ".join(
        f"{one_line(name, 40)}: {one_line(value, 100)}" for name, value in document.metadata
    )
    return [
        f"document {document.docid}" if missing else "",
        document.url,
        one_line(told, MOST_TOLD),
    ]


def source(query: Query | None, card: Card, document: Document) -> Source:
    """A document as it is to be shown, with the words of its query marked."""
    terms = terms_of(query.text) if query else None
    return Source(document.title or card.docid, document.text, tuple(about(document)), terms)


def state(card: Card) -> str:
    """What is known of a card that one looks at again."""
    note = f" · note: {one_line(card.note, 80)}" if card.note else ""
    if card.grade is not None:
        when = " when it had another text" if card.earlier else ""
        stays = "another grade replaces it, the old one stays in the log"
        return f"graded {card.grade}{when}; {stays}{note}"
    if card.mark is Mark.LATER:
        return SKIPPED + note
    if card.mark is Mark.CANNOT:
        return f"cannot be judged: {one_line(card.note, 80)}"
    return "not judged yet" + note


def models_said(found: Sequence[tuple[str, int | None]] | None) -> str:
    """What models said of a document."""
    if found is None:
        return "what models said is shown once you have graded the document"
    said = [f"{one_line(name, 30)} {'no grade' if grade is None else grade}"
            for name, grade in found]  # fmt: skip
    return f"models: {', '.join(said)}" if said else "no model has said anything of this document"


def took_back(work: Workplace, undone: Undone) -> str:
    """What an undo has done, once its document is on the desk again."""
    title = ""
    if document := work.session.document():
        title = f" of '{one_line(document.title or document.docid, 40)}'"
    if undone.restates or (undone.grade is None and undone.mark is None):
        return f"took back the note{title}"
    if undone.grade is not None:
        levels = work.rubric.levels
        known = undone.grade < len(levels)
        label = f" {one_line(levels[undone.grade].label, 24)}" if known else ""
        return f"took back {undone.grade}{label}{title}"
    what = "the skip" if undone.mark is Mark.LATER else "can't judge"
    return f"took back {what}{title}"


def edge(work: Workplace, which: str) -> str:
    """What is said where one cannot go on looking: at the first or the last document."""
    if not work.session.only_open:
        return f"this is the {which} document of the pool"
    return f"nothing unjudged {'before' if which == 'first' else 'after'} this"


def finished(work: Workplace, found: Estimated | None) -> str:
    """The end screen: what was reached, what the scores are, and what next."""
    totals = work.session.totals
    if not totals.pooled:
        return "The pool is empty. Make one with: annotator pool"
    lines = [f"{totals.judged:,} of {counted(totals.pooled, 'pooled pair')} judged."]
    if totals.cannot:
        lines.append(
            f"You marked {counted(totals.cannot, 'document')} as not judgeable: "
            "unjudged in the scores."
        )
    lines += ["", *(_reached(*found) if found else ["The scores are being read …"])]
    lines += ["", "Everything is saved. v verdict · b scores · q queries · ^q quit", *NEXT]
    return "\n".join(lines)


def _reached(
    board: Board,
    table: Sequence[SystemScore],
    _pairs: Sequence[Neighbours],
    leader: Compared | None,
) -> list[str]:
    """Who is ahead; then coverage and score of every system, best first, as on the scoreboard."""
    measure = board.measures[-1]
    judged, places = board.coverage(measure.k or DEEP)
    rows = [(one, at) for at, one in enumerate(table)]
    rows.sort(key=lambda row: -(row[0].measures[-1].summary.point or -1))
    cells = [["system", "judged", str(measure), "bounds", "flags"]]
    for system, at in rows:
        score = system.measures[-1]
        cells.append(
            [
                one_line(system.system, 28),
                part(int(judged[at].sum()), int(places[at].sum())),
                likely(score.summary, BRIEF, filled=score.summary.zero_filled),
                span(score.summary.lower, score.summary.upper, BRIEF),
                ", ".join(score.flags()),
            ]
        )
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    lines = [
        "  ".join(
            cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in cells
    ]
    open_ = [one for system in table if (one := system.measures[-1].summary).value is None]
    if open_:
        is_known = any(one.expected is not None for one in open_)
        lines += ["", LIKELY if is_known else ZERO_FILLED]
    from annotator.report.answer import plain_sentence

    return [*([plain_sentence(leader), ""] if leader else []), *lines]


def speed(work: Workplace) -> str:
    """How fast the assessor is, and how long the rest of the pool takes at that pace."""
    session = work.session
    totals = session.totals
    left = totals.open + totals.later
    said = f"{left:,} left to judge" + (" in the whole pool" if work.has_goal else "")
    rate = session.pace()
    return said if rate is None else f"{said} · {pace(rate)} · about {duration(left * rate)}"
