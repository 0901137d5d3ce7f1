"""What the screens say about where one is and how far."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content

from annotator.records import Card, Mark
from annotator.sanitise import one_line
from annotator.tui.workplace import Workplace


def place(work: Workplace, width: int) -> Content:
    """The first line: which query and document, and how much of the pool is judged."""
    session = work.session
    totals, here = session.totals, session.query_progress
    share = f"{totals.judged} of {totals.pooled} judged"
    if totals.pooled:
        share += f" · {100 * totals.judged // totals.pooled}%"
    left = f" {one_line(work.project, 30)}"
    if here and session.card:
        number = session.progress.index(here) + 1
        at, of = session.position
        left = (
            f" query {one_line(here.qid, 24)} ({number} of {len(session.progress)})"
            f" · document {at} of {of}"
        )
        left += " · noted" if session.card.note else ""
    room = max(1, width - cell_len(left) - cell_len(share) - 2)
    return Content.assemble((left, "bold"), " " * room, (share, "$foreground-muted"))


def state(card: Card) -> str:
    """What is known of a card that one looks at again."""
    note = f" · note: {one_line(card.note, 80)}" if card.note else ""
    if card.grade is not None:
        return f"graded {card.grade}; another grade replaces it, the old one stays in the log{note}"
    if card.mark is Mark.LATER:
        return "put aside for later" + note
    if card.mark is Mark.CANNOT:
        return f"cannot be judged: {one_line(card.note, 80)}"
    return "not judged yet" + note


def finished(work: Workplace) -> str:
    """The end screen: what was reached, and what next."""
    totals = work.session.totals
    if not totals.pooled:
        return "The pool is empty. Make one with: annotator pool"
    lines = [f"{totals.judged} of {totals.pooled} pooled pairs are judged."]
    if totals.cannot:
        lines.append(f"{totals.cannot} you marked as not to be judged; they count as unjudged.")
    lines += [
        "",
        "The keys below lead to the scores and to every query; all that was said is saved.",
    ]
    return "\n".join(lines)


def duration(seconds: float) -> str:
    """A time left, no more exact than it can be known."""
    minutes = seconds / 60
    if minutes < 1:
        return "less than a minute"
    return f"about {minutes:.0f} min" if minutes < 90 else f"about {minutes / 60:.1f} h"


def pace(work: Workplace) -> str:
    """How fast the assessor is, and how long the rest takes at that pace."""
    session = work.session
    totals = session.totals
    left = totals.open + totals.later
    rate = session.pace()
    if rate is None:
        return f"{left} left to judge"
    return f"{left} left to judge · {rate:.0f} s a judgment · {duration(left * rate)}"
