"""How the numbers were made, as a paragraph for a paper, with its references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from annotator.report.tables import name
from annotator.results.method import Method
from annotator.results.reports import Judging, Report
from annotator.text.plural import counted
from annotator.text.safe import one_line

_NDCG = (
    "K. Järvelin, J. Kekäläinen. Cumulated gain-based evaluation of IR techniques. ACM "
    "Transactions on Information Systems 20(4), 2002, 422-446. doi:10.1145/582415.582418"
)
_BOUNDS = (
    "A. Moffat, J. Zobel. Rank-biased precision for measurement of retrieval effectiveness. ACM "
    "Transactions on Information Systems 27(1), 2008, article 2. doi:10.1145/1416950.1416952"
)
_TEST = (
    "M. D. Smucker, J. Allan, B. Carterette. A comparison of statistical significance tests for "
    "information retrieval evaluation. CIKM 2007, 623-632. doi:10.1145/1321440.1321528"
)
_HOLM = (
    "S. Holm. A simple sequentially rejective multiple test procedure. Scandinavian Journal of "
    "Statistics 6(2), 1979, 65-70."
)
_BOOTSTRAP = (
    "T. Sakai. Evaluating evaluation metrics based on the bootstrap. SIGIR 2006, 525-532. "
    "doi:10.1145/1148170.1148261"
)
_DISAGREEMENT = (
    "E. M. Voorhees. Variations in relevance judgments and the measurement of retrieval "
    "effectiveness. Information Processing & Management 36(5), 2000, 697-716. "
    "doi:10.1016/S0306-4573(00)00010-8"
)
_KINDS = {"human": "given by hand", "imported": "imported"}
_MODEL = "model"


def method_paragraph(report: Report) -> str:
    """What was judged, how it was scored, what is known of what was not judged, and by what."""
    return " ".join([*_judged(report), *_scored(report), *_compared(report), *_stamped(report)])


def references(report: Report) -> list[str]:
    """What the paragraph rests on, in the order it is spoken of."""
    measures = [one.measure for one in report.scores.systems[0].measures]
    found = [_NDCG] if any("DCG" in one for one in measures) else []
    found += [_BOUNDS, _BOOTSTRAP]
    if report.comparisons is not None:
        found += [_TEST, *([_HOLM] if len(report.comparisons.pairs) > 1 else [])]
    agreed = report.judging is not None and report.judging.agreement is not None
    return [*found, *([_DISAGREEMENT] if agreed else [])]


def _judged(report: Report) -> Iterator[str]:
    method, judging = report.scores.method, report.judging
    queries = method.benchmark.queries if method.benchmark else 0
    systems = counted(len(report.scores.systems), "system")
    depth = method.pool["depth"]
    pool = f", pooled to depth {depth}" if depth else ""
    yield (
        f"We compared {systems} on {counted(queries, 'query', 'queries')}{pool}: "
        f"{method.pooled_judged:,} of {counted(method.pooled_pairs, 'pair')} of a query and a "
        f"document are judged{_by_kind(judging)}."
    )
    yield from _by_models(report)
    yield f"Labels are those of {', '.join(map(name, method.assessors)) or 'nobody yet'}."
    if method.disputed:
        disputed = counted(method.disputed, "pair has", "pairs have")
        yield f"{disputed} more than one grade; {method.disagreements}."
    rubric = method.rubric
    version = f", version {rubric['version']}" if rubric["version"] else ""
    yield (
        f"The rubric is {one_line(rubric['name'])}{version}; a document is relevant from grade "
        f"{method.threshold}."
    )


def _by_kind(judging: Judging | None) -> str:
    """How many grades people gave in all, by kind; a later grade of a pair replaces an earlier.

    Nothing is said of files.
    """
    kinds = _kinds(judging)
    said = ", ".join(f"{kinds[kind]:,} {what}" for kind, what in _KINDS.items() if kinds[kind])
    return f" (grades in the log: {said})" if said else ""


def _by_models(report: Report) -> Iterator[str]:
    """What models gave is named, and which numbers rest on it."""
    if not (count := _kinds(report.judging)[_MODEL]):
        return
    labels = counted(count, "label from a language model is", "labels from language models are")
    basis = report.scores.method.expected
    if basis is not None and basis.models:
        models = ", ".join(map(name, basis.models))
        yield (
            f"In addition {labels} kept as evidence ({models}): they have a part in what is "
            "expected, and in no value, bound or test."
        )
    else:
        yield f"In addition {labels} kept as evidence; no number here counts them."


def _kinds(judging: Judging | None) -> Counter[str]:
    """The grades in the log by kind of assessor."""
    kinds: Counter[str] = Counter()
    for one in judging.days if judging else ():
        kinds[one.kind] += one.labels
    return kinds


def _scored(report: Report) -> Iterator[str]:
    method = report.scores.method
    measures = ", ".join(one.measure for one in report.scores.systems[0].measures)
    yield (
        f"Systems are scored by {measures} with {method.gain} gain; the ideal ranking is made of "
        f"{method.ideal}. Queries without a relevant document: {method.empty_ideal}; queries for "
        f"which a system returned nothing: {method.missing_queries}."
    )
    if method.unlisted == "zero":
        yield "A document without a label counts as grade 0, as the judgments are complete."
        return
    yield (
        "A document that nobody judged is not counted as irrelevant: each score comes with exact "
        "bounds over all grades that such documents could have."
    )
    yield from _expected(method)


def _expected(method: Method) -> Iterator[str]:
    basis = method.expected
    if basis is not None and not basis.withheld:
        yield (
            f"Where these differ, the expected score and its 95% interval are those under "
            f"{counted(basis.draws, 'draw')} of the missing grades from a model of grades by rank, "
            f"which learned from {counted(basis.labels, 'label')}."
        )


def _compared(report: Report) -> Iterator[str]:
    yield "Intervals of means are percentile bootstrap intervals over queries."
    if report.comparisons is None:
        return
    pairs = len(report.comparisons.pairs)
    holm = f", p values adjusted by Holm for {counted(pairs, 'pair')}" if pairs > 1 else ""
    yield f"Differences were tested by a paired randomisation test, two-sided{holm}."


def _stamped(report: Report) -> Iterator[str]:
    method = report.scores.method
    digests = ""
    if method.benchmark:
        digests = (
            f", queries {method.benchmark.query_digest[:15]}, "
            f"labels {method.benchmark.label_digest[:15]}"
        )
    rubric = method.rubric["fingerprint"]
    fingerprint = f", rubric {rubric[:15]}" if rubric else ""
    made = report.scores.made()["fingerprint"]
    yield f"Computed by {method.tool} (method {made}{digests}{fingerprint})."
    if report.judging is not None and report.judging.heads:
        known = "; ".join(one.partition(" ")[0][:24] for one in report.judging.heads[:3])
        heads = len(report.judging.heads)
        more = f" and {heads - 3:,} more" if heads > 3 else ""
        yield f"Log of judgments up to {report.judging.last[:19]} UTC (heads {known}{more})."
