"""What an import found, as facts to be shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotator.displayed_order import Counts, OrderRule
from annotator.formats.problems import Problems
from annotator.text.plural import counted
from annotator.text.safe import one_line

WIDTH = 300
FIRST_PLACES = 10
_COUNT = re.compile(r"\{count:([^|{}]*)\|([^{}]*)\}")


@dataclass
class Found:
    """What one file held and what was done with it.

    ``facts`` are counts by what they count; ``warnings`` are sentences that a person should read.
    """

    source: str
    kind: str
    facts: dict[str, int | str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def note(self, count: int, fact: str, warning: str = "") -> None:
        """Add a count if it is not 0, with a sentence on what it means.

        There ``{count:row has|rows have}`` is the count with what it counts.
        """
        if count:
            self.facts[fact] = count
            if warning:
                self.warnings.append(
                    _COUNT.sub(lambda found: counted(count, *found.groups()), warning)
                )

    def unchanged(self, is_so: bool) -> None:
        """Say that nothing changed, if that is so."""
        if is_so:
            self.warnings.append("nothing changed")


def some(names: Sequence[str], shown: int = 5) -> str:
    """The first few of many names: ``a, b, c and 4 more``."""
    rest = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {rest} more" if rest > 0 else "")


def note_reading(found: Found, problems: Problems) -> None:
    """Say what was taken for what in the file, what was not read, and what else is to be known."""
    if problems.read_as:
        found.facts["columns"] = one_line(problems.read_as, WIDTH)
    if problems.unused and found.kind != "documents":
        found.facts["not used"] = one_line(some(problems.unused, 12), WIDTH)
    for fact, (sentence, count) in problems.remarks.items():
        found.note(count, fact, sentence)
    found.warnings += problems.notes


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
        found.warnings.append(
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
