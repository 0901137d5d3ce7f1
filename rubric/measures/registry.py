"""Every measure by its name: a new one is a file beside this and a line here."""

from __future__ import annotations

from rubric.kind import Kind
from rubric.measures.average_precision import AP
from rubric.measures.bpref import BPREF
from rubric.measures.dcg import DCG
from rubric.measures.err import ERR
from rubric.measures.f_measure import F
from rubric.measures.hit import HIT
from rubric.measures.inf_ap import INF_AP
from rubric.measures.judged import JUDGED
from rubric.measures.ndcg import NDCG
from rubric.measures.precision import P
from rubric.measures.r_precision import R_PRECISION
from rubric.measures.rbp import RBP
from rubric.measures.recall import R
from rubric.measures.reciprocal_rank import RR

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        NDCG,
        DCG,
        P,
        R,
        F,
        HIT,
        RR,
        AP,
        R_PRECISION,
        RBP,
        ERR,
        BPREF,
        INF_AP,
        JUDGED,
    )
}
