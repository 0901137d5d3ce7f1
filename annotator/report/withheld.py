"""What stands where nothing is expected: why, and what to do."""

from __future__ import annotations

from annotator.results.method import Basis
from rubric.kind import FORESEEN_TO
from rubric.model.evidence import Withheld
from rubric.model.stopping import LEAST_LABELS

_ADVICE = {
    Withheld.NO_LABELS: "Grade some documents first: `annotator grade`.",
    Withheld.BY_EYE: "Grade more of the pool in an order of `annotator grade`.",
    Withheld.BY_GRADE: (
        "If every document that is not listed is known to be irrelevant, score with `--unlisted "
        f"zero`. Else grade some of the pool: {LEAST_LABELS} labels that you give in an order of "
        "`annotator grade` are enough to learn from."
    ),
}


def why_withheld(basis: Basis | None) -> list[str]:
    """Sentences that say so; none where something is expected, or nothing is open."""
    if basis is None:
        return []
    if basis.withheld is not None:
        return [
            f"Nothing is expected or claimed but what is proved: {basis.why}.",
            _ADVICE[basis.withheld],
        ]
    if not basis.without:
        return []
    return [
        f"On {', '.join(basis.without)} nothing is expected: what the model says holds for "
        f"measures of the first {FORESEEN_TO} ranks, not for those that look deeper or count every "
        "relevant document."
    ]
