"""Grading line by line, without screens: for screen readers, dumb terminals and pipes."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import TextIO

from annotator.domain import Document, Mark
from annotator.errors import NotTakenBackError, ProjectError, RubricChangedError, UsageError
from annotator.judging import Session
from annotator.text.plural import counted
from annotator.text.safe import document_text, one_line

PAGE = 40
"""Lines of a text that are printed at once."""
LONGEST, LONGEST_LINE = 400_000, 2_000
"""Characters of a text, and of a title or another field, that are printed at most."""
HELP = """\
A line, then Enter:
  {grades}     grade the document and go on
  s       skip it for now; it comes back at the end
  x WHY   it cannot be judged, and why
  n TEXT  a note on it
  u       take back what you said last
  m       more of the text
  t       query and document again
  i       what else is known of the document
  r       what the grades mean
  b, f    look at the document before, or after
  p       how far you are
  q       leave (so does the end of the input); every grade is stored already"""


class PlainSession:
    """One assessor's session as lines: what is asked is printed, what is typed is done.

    Parameters
    ----------
    session
        Has its first document already.
    lines
        Where what is typed comes from.
    tell
        Prints a text with the line feed it ends in, or the question without one.
    width
        How many columns a line may have.
    """

    def __init__(
        self, session: Session, lines: TextIO, tell: Callable[[str], None], width: int
    ) -> None:
        self._session, self._lines, self._tell, self._width = session, lines, tell, width
        self._query: int | None = None
        self._rest: Iterator[str] = iter(())
        self._without_text: int | None = None

    def run(self) -> None:
        """Ask until nothing is left, or the assessor leaves."""
        self._show()
        while self._session.card is not None:
            self._tell(f"0-{self._session.rubric.top}, ? for more: ")
            typed = self._lines.readline()
            if not typed or not self._done(typed.strip()):
                return

    def _done(self, typed: str) -> bool:
        """Do what was typed; False to leave."""
        word, _, rest = typed.partition(" ")
        if word == "q":
            return False
        try:
            if word.isascii() and word.isdigit() and not rest:
                self._grade(int(word))
            elif (does := self._words().get(word)) is not None:
                does(rest.strip())
            else:
                what = one_line(typed, 40) or "an empty line"
                self._say(f"{what}: there is no such command; ? shows them")
        except RubricChangedError as error:
            self._session.take_rubric()
            self._say(f"{error.message}. These are the grades now.")
            self._rubric("")
        except (NotTakenBackError, ProjectError, UsageError) as error:
            self._say(error.message)
        return True

    def _words(self) -> dict[str, Callable[[str], None]]:
        return {
            "s": self._skip, "x": self._cannot, "n": self._note, "u": self._undo, "m": self._more,
            "t": self._again, "i": self._fields, "r": self._rubric, "b": self._back,
            "f": self._forward, "p": self._progress, "?": self._help,
        }  # fmt: skip

    def _say(self, text: str) -> None:
        self._tell(one_line(text, LONGEST_LINE) + "\n")

    def _grade(self, grade: int) -> None:
        card = self._session.card
        assert card is not None
        document = self._session.document()
        if document is not None and not _has_text(document) and self._without_text != card.pair:
            self._without_text = card.pair
            self._say("There is no text to judge it by; type the grade again to store it.")
            return
        if self._session.grade(card.pair, grade):
            self._say(f"saved: {grade}{self._label(grade)}")
            if self._session.reaches_goal():
                self._say("The comparison is known well enough: you may stop (q), or go on.")
        self._show()

    def _label(self, grade: int) -> str:
        levels = self._session.rubric.levels
        return f" {levels[grade].label}" if grade < len(levels) else ""

    def _skip(self, _: str) -> None:
        if (card := self._session.card) and self._session.later(card.pair):
            self._say("skipped; it comes back at the end")
        self._show()

    def _cannot(self, why: str) -> None:
        if not why:
            self._say("Say why in the same line, such as: x wrong language")
        elif (card := self._session.card) and self._session.cannot_judge(card.pair, why):
            self._say("saved: cannot be judged")
            self._show()

    def _note(self, text: str) -> None:
        if not text:
            self._say("Write the note in the same line, such as: n only the abstract")
        elif (card := self._session.card) and self._session.note(card.pair, text):
            self._say("saved: the note")

    def _undo(self, _: str) -> None:
        undone = self._session.undo()
        if undone is None:
            self._say("there is nothing to take back")
            return
        what = "the note"
        if undone.grade is not None and not undone.restates:
            what = f"grade {undone.grade}{self._label(undone.grade)}"
        elif undone.mark is not None and not undone.restates:
            what = "the skip" if undone.mark is Mark.LATER else "that it cannot be judged"
        self._say(f"took back {what}")
        self._show()

    def _more(self, _: str) -> None:
        lines = list(islice(self._rest, PAGE))
        if not lines:
            self._say("there is no more text")
            return
        self._tell("".join(f"{line}\n" for line in lines))
        following = list(islice(self._rest, 1))
        self._rest = chain(following, self._rest)
        if following:
            self._say("[m for more of the text]")

    def _again(self, _: str) -> None:
        self._query = None
        self._show()

    def _fields(self, _: str) -> None:
        document = self._session.document()
        if document is None:
            return
        said = [("id", document.docid), ("url", document.url), *document.metadata]
        for name, value in said:
            if value:
                self._say(f"{name}: {value}")

    def _rubric(self, _: str) -> None:
        for level in self._session.rubric.levels:
            self._say(f"{level.grade} {level.label}: {level.definition}")

    def _back(self, _: str) -> None:
        if not self._session.back():
            self._say("this is the first document of the pool")
        self._show()

    def _forward(self, _: str) -> None:
        if not self._session.forward():
            self._say("this is the last document of the pool")
        self._show()

    def _progress(self, _: str) -> None:
        totals = self._session.totals
        self._say(
            f"{totals.judged:,} of {counted(totals.pooled, 'pooled pair')} judged, "
            f"{totals.open + totals.later:,} left"
        )

    def _help(self, _: str) -> None:
        self._tell(HELP.format(grades=f"0-{self._session.rubric.top}") + "\n")

    def _show(self) -> None:
        """Print the document on the desk, below its query if that is another than before."""
        card, query, document = self._session.card, self._session.query, self._session.document()
        if card is None or query is None or document is None:
            self._say("Nothing is left to judge.")
            return
        self._tell("\n")
        if card.query != self._query:
            self._query = card.query
            at, every = self._session.query_position
            self._say(f"Query {query.qid} ({at} of {every}): {query.text}")
            for name, text in (("Description", query.description), ("Narrative", query.narrative)):
                if text:
                    self._say(f"{name}: {text}")
            if not self._session.is_blind:
                self._say("You have seen who returned what: your grades are not blind here.")
        at, every = self._session.position
        said = f" (judged: {card.grade})" if card.grade is not None else ""
        self._say(f"Document {at} of {every}{said}: {document.title or document.docid}")
        self._rest = _lines(document.text or "", self._width)
        if not _has_text(document):
            self._say("There is no text.")
        elif document.text:
            self._more("")


def _has_text(document: Document) -> bool:
    return bool(document.title.strip() or (document.text or "").strip())


def _lines(text: str, width: int) -> Iterator[str]:
    """The lines of a text, folded, with nothing in them that a terminal would obey."""
    for line in document_text(text[:LONGEST]).expandtabs(4).split("\n"):
        yield from textwrap.wrap(line, width, break_on_hyphens=False) or [""]
    if len(text) > LONGEST:
        yield f"[the text goes on for {counted(len(text) - LONGEST, 'character')}]"
