"""What an import found, as facts to be shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotator.displayed_order import Counts, OrderRule
from annotator.formats.problems import Problems
from annotator.text.plural import counted, some
from annotator.text.safe import one_line

WIDTH = 300
FIRST_PLACES = 10
_COUNT = re.compile(r"\{count:([^|{}]*)\|([^{}]*)\}")


MOST_FILES = 5
"""Files that each have a line of their own for one warning; of more there is one line for all."""


@dataclass(frozen=True)
class Warned:
    """A sentence that a person should read; ``{count:row has|rows have}`` in it is its count.

    It is from ``count`` to ``most`` where it is of several files.
    """

    sentence: str
    count: int | None = None
    most: int | None = None

    @property
    def text(self) -> str:
        """The sentence with its count."""
        least = self.count
        if least is None:
            return self.sentence
        most = least if self.most is None else self.most
        before = "" if least == most else f"{least:,} to "
        return _COUNT.sub(lambda found: before + counted(most, *found.groups()), self.sentence)


@dataclass
class Found:
    """What one file held and what was done with it.

    ``facts`` are counts by what they count.
    """

    source: str
    kind: str
    facts: dict[str, int | str] = field(default_factory=dict)
    warned: list[Warned] = field(default_factory=list)

    @property
    def warnings(self) -> list[str]:
        """Sentences that a person should read."""
        return [one.text for one in self.warned]

    def warn(self, sentence: str) -> None:
        """Add such a sentence."""
        self.warned.append(Warned(sentence))

    def note(self, count: int, fact: str, warning: str = "") -> None:
        """Add a count if it is not 0, with a sentence on what it means.

        There ``{count:row has|rows have}`` is the count with what it counts.
        """
        if count:
            self.facts[fact] = count
            if warning:
                self.warned.append(Warned(warning, count))

    def unchanged(self, is_so: bool) -> None:
        """Say that nothing changed, if that is so."""
        if is_so:
            self.warn("nothing changed")

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {"source": self.source, "kind": self.kind, "facts": self.facts,
                "warnings": self.warnings}  # fmt: skip


def take_shared(found: Sequence[Found]) -> list[str]:
    """Take out the warnings that many files have, and give one for all of these files."""
    holders: dict[str, list[tuple[Found, Warned]]] = {}
    for one in found:
        for warned in one.warned:
            holders.setdefault(warned.sentence, []).append((one, warned))
    lines = []
    for sentence, each in holders.items():
        if len({id(one) for one, _ in each}) <= MOST_FILES:
            continue
        counts = [warned.count for _, warned in each if warned.count is not None]
        files = list(dict.fromkeys(one.source for one, _ in each))
        whole = Warned(sentence, min(counts), max(counts)) if counts else Warned(sentence)
        lines.append(f"{some(files, 3)}, each: {whole.text}")
        for one, _ in each:
            one.warned = [warned for warned in one.warned if warned.sentence != sentence]
    return lines


def note_reading(found: Found, problems: Problems) -> None:
    """Say what was taken for what in the file, what was not read, and what else is to be known."""
    if problems.read_as:
        found.facts["columns"] = one_line(problems.read_as, WIDTH)
    if problems.unused:
        found.facts["not used"] = one_line(some(problems.unused, 12), WIDTH)
    for fact, (sentence, count) in problems.remarks.items():
        found.note(count, fact, sentence)
    for sentence in problems.notes:
        found.warn(sentence)


def note_own(found: Found, own: int, queries: int) -> None:
    """Say that queries find documents of their own ids first, if half of them do.

    A single equal id proves nothing: queries and documents may both be numbered from 1.
    """
    if own > 1 and own * 2 >= queries:
        found.note(
            own,
            f"queries with their own id in the first {FIRST_PLACES}",
            f"{{count:query|queries}} of {queries:,} return a document of their own id in the "
            f"first {FIRST_PLACES}. Where queries are documents, these places count as others: "
            "leave them out of the run if they are not to be judged and scored",
        )


def note_run(found: Found, seen: Counts, rule: OrderRule) -> None:
    """Add what is odd about a run: the order, duplicates, ties, scores against ranks."""
    if rule is OrderRule.SCORE:
        found.warn(
            "no rank tells the documents of a query apart, so they are ordered by score, and by "
            "file order where scores are equal"
        )
    found.note(
        seen.duplicates,
        "duplicate documents dropped",
        "{count:document|documents} came twice in one ranking; the first place stays",
    )
    found.note(seen.ties, "rows with a tied score")
    found.note(
        seen.tied_at_cutoff,
        "queries with a tie across rank 10",
        "in {count:query|queries} ranks 10 and 11 have one score: what is in the top 10 "
        "there is chance",
    )
    found.note(
        seen.contradictions,
        "places where rank and score disagree",
        "in {count:place|places} a document is ranked above one with a higher score; the order "
        "displayed follows the rank column, --ties trec the score",
    )
