"""Measures as values: ``nDCG@10(gain=linear)`` parses to one and prints as the same text."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from rubric.errors import RubricError
from rubric.gains import Gain


@dataclass(frozen=True)
class Kind:
    """What a family of measures is: its one line, its formula, where it comes from."""

    name: str
    says: str
    formula: str
    source: str
    parameter: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "nDCG",
            "discounted gain as a share of the best that the judged documents allow",
            "sum of gain(rank) / log2(rank + 1) to k, over the same sum of the ideal ranking",
            "Järvelin and Kekäläinen 2002; exponential gain: Burges et al. 2005",
            "gain",
        ),
        Kind("P", "precision: share of the top k that is relevant", "relevant in top k / k",
             "trec_eval P", "rel"),
        Kind("R", "recall: share of the relevant documents that the top k holds",
             "relevant in top k / relevant judged", "trec_eval recall", "rel"),
        Kind("Hit", "success: 1 if the top k holds a relevant document", "relevant in top k > 0",
             "trec_eval success", "rel"),
        Kind("RR", "reciprocal rank of the first relevant document in the top k",
             "1 / rank of the first relevant, 0 if there is none", "trec_eval recip_rank", "rel"),
    )
}  # fmt: skip

_SPELLING = re.compile(r"([A-Za-z]+)@([0-9]+)(?:\(([^()]*)\))?")


@dataclass(frozen=True)
class Measure:
    """One measure: a name, a cutoff, and the parameters that differ from the rubric's.

    ``gain`` None stands for the rubric's gain, ``rel`` None for its relevance threshold.

    >>> Measure.parse("nDCG@10(gain=linear)")
    Measure(name='nDCG', k=10, gain=Gain(kind='linear', table=()), rel=None)
    >>> str(Measure.parse("P@5(rel=2)"))
    'P@5(rel=2)'
    """

    name: str
    k: int
    gain: Gain | None = None
    rel: int | None = None

    def __str__(self) -> str:
        given = [f"gain={self.gain}"] if self.gain else []
        given += [f"rel={self.rel}"] if self.rel is not None else []
        return f"{self.name}@{self.k}" + (f"({','.join(given)})" if given else "")

    @classmethod
    def parse(cls, text: str) -> Measure:
        """Read one spelling.

        Raises
        ------
        RubricError
            For an unknown name (the nearest known one is named), a missing or zero cutoff, or a
            parameter that the measure does not have.
        """
        what = f"measure {text!r}"
        match = _SPELLING.fullmatch(text.strip())
        if not match:
            raise RubricError(what, ["expected a name and a cutoff such as nDCG@10 or P@5(rel=2)"])
        name, k = match[1], int(match[2])
        if name not in KINDS:
            raise RubricError(what, [_nearest(name)])
        if k < 1:
            raise RubricError(what, ["the cutoff must be 1 or more"])
        gain, rel = _parameters(what, KINDS[name], match[3] or "")
        return cls(name, k, gain, rel)


def _nearest(name: str) -> str:
    by_lower = {known.lower(): known for known in KINDS}
    close = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=0.4)
    hint = f"did you mean {by_lower[close[0]]}? " if close else ""
    return f"no measure is called {name}; {hint}known: {', '.join(KINDS)}"


def _parameters(what: str, kind: Kind, text: str) -> tuple[Gain | None, int | None]:
    gain: Gain | None = None
    rel: int | None = None
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, _, value = part.partition("=")
        if key.strip() != kind.parameter:
            raise RubricError(
                what, [f"{kind.name} has no parameter {key.strip()!r}, only {kind.parameter}"]
            )
        if kind.parameter == "gain":
            gain = Gain.parse(value)
        elif value.strip().isdecimal() and int(value) >= 1:
            rel = int(value)
        else:
            raise RubricError(what, [f"rel must be a grade of 1 or more, not {value!r}"])
    return gain, rel
