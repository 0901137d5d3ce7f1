"""Every family of measures: its one line, its formula, its source, its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cutoff(StrEnum):
    """Whether a measure is written with ``@k``."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


@dataclass(frozen=True)
class Kind:
    """What a family of measures is: its one line, its formula, where it comes from.

    ``parameters`` are named with their defaults. The bounds of a score are exact, those of a
    ``difference`` of two as it says. ``also`` holds what other tools call it; case,
    hyphens and underscores do not matter.
    """

    name: str
    says: str
    formula: str
    source: str
    parameters: dict[str, str]
    cutoff: Cutoff = Cutoff.OPTIONAL
    difference: str = "exact"
    also: tuple[str, ...] = ()


_GAIN = {"gain": "the rubric's"}
_SEARCHED = "exact, or marked loose where too much is unjudged"
_REL = {"rel": "the rubric's threshold"}

KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "nDCG",
            "discounted gain as a share of the best that the judged documents allow",
            "DCG / DCG of the ideal ranking of all judged documents",
            "Järvelin and Kekäläinen 2002; exponential gain: Burges et al. 2005",
            _GAIN,
            also=("ndcg_cut", "normalized_dcg"),
        ),
        Kind(
            "DCG",
            "discounted cumulative gain",
            "sum of gain / log2(rank + 1)",
            "Järvelin and Kekäläinen 2002",
            _GAIN,
        ),
        Kind(
            "P",
            "precision: share of the top k that is relevant",
            "relevant in top k / k",
            "trec_eval P",
            _REL,
            Cutoff.REQUIRED,
            also=("precision", "prec"),
        ),
        Kind(
            "R",
            "recall: share of the relevant documents that the top k holds",
            "relevant in top k / relevant judged",
            "trec_eval recall",
            _REL,
            also=("recall", "set_recall"),
        ),
        Kind(
            "F",
            "weighted harmonic mean of precision and recall",
            "(1 + beta^2) P R / (beta^2 P + R)",
            "van Rijsbergen 1979; trec_eval set_F",
            {"beta": "1", **_REL},
            also=("f1", "f1_score", "set_F"),
        ),
        Kind(
            "Hit",
            "success: 1 if the top k holds a relevant document",
            "relevant in top k > 0",
            "trec_eval success",
            _REL,
            also=("success", "hit_rate"),
        ),
        Kind(
            "RR",
            "reciprocal rank of the first relevant document",
            "1 / rank of the first relevant, 0 if there is none",
            "Voorhees 1999; trec_eval recip_rank",
            _REL,
            also=("mrr", "recip_rank", "reciprocal_rank"),
        ),
        Kind(
            "AP",
            "average precision over the relevant documents",
            "sum of precision at each relevant rank / relevant judged",
            "Buckley and Voorhees 2000; trec_eval map",
            _REL,
            also=("map", "map_cut", "average_precision"),
            difference=_SEARCHED,
        ),
        Kind(
            "Rprec",
            "precision at R, the number of relevant judged documents",
            "relevant in top R / R",
            "trec_eval Rprec",
            _REL,
            Cutoff.NONE,
            also=("r_precision",),
        ),
        Kind(
            "RBP",
            "rank-biased precision: a reader goes on with chance p",
            "(1 - p) sum of worth * p^(rank - 1); worth 1 if relevant, or gain / top gain",
            "Moffat and Zobel 2008",
            {"p": "0.8", **_REL, "gain": "none"},
            also=("rank_biased_precision",),
        ),
        Kind(
            "ERR",
            "expected reciprocal rank of where a reader is satisfied",
            "sum of 1/rank * stop * product of (1 - stop) above; stop = gain / (top gain + 1)",
            "Chapelle et al. 2009",
            _GAIN,
            also=("expected_reciprocal_rank",),
            difference=_SEARCHED,
        ),
        Kind(
            "bpref",
            "how seldom judged non-relevant documents stand above relevant ones",
            "mean over relevant of 1 - min(non-relevant above, R) / min(R, N)",
            "Buckley and Voorhees 2004; trec_eval bpref",
            _REL,
            Cutoff.NONE,
            difference="loose, and so marked, unless both rank alike",
        ),
        Kind(
            "infAP",
            "average precision estimated from a partly judged pool",
            "mean over relevant of 1/r + (r-1)/r * pooled share * relevant share above",
            "Yilmaz and Aslam 2006; trec_eval infAP",
            _REL,
            Cutoff.NONE,
            difference=_SEARCHED,
        ),
        Kind(
            "Judged",
            "share of the top k that is judged",
            "judged in top k / documents in top k",
            "ir_measures Judged",
            {},
            Cutoff.REQUIRED,
        ),
    )
}
