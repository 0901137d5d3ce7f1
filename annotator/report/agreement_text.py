"""Agreement of assessors as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from annotator.report.columns import Column, fitted
from annotator.report.tables import (
    Cell,
    Format,
    method_line,
    name,
    paragraph,
    render,
    title,
    to_json,
)
from annotator.results.agreement import STATISTICS, AgreementTable
from annotator.text.numbers import COARSE, decimal, interval, percent
from annotator.text.plural import counted
from rubric.agreement import Agreement, Estimate, PairAgreement

LEGEND = (
    "Equal, within one: the share of pairs with equal grades, and with grades at most one apart. "
    "Kappa and alpha are 1 where all agree and 0 where they agree no more than by chance: binary "
    "kappa of relevant or not, weighted kappa and alpha of grades, where far apart counts more. "
    "They are low wherever nearly all grades are equal, so none is a mark that one passes."
)
HARDEST = 5
ALL = "all together"


def write_agreement(table: AgreementTable, form: Format, *, width: int = 100) -> str:
    """Write agreement: a row for every two assessors, and the queries they agree on least."""
    if form is Format.JSON:
        return to_json(table.to_dict())
    if form in (Format.CSV, Format.TSV):
        return _rows(table, form)
    parts = [
        paragraph(_first_sentence(table), form, width),
        *(_of_two(table, form) if len(table.found.each) == 1 else [_of_many(table, form, width)]),
        *_hardest(table, form),
        paragraph(LEGEND, form, width),
        method_line(table.line(), form, width),
    ]
    return "\n".join(parts)


def _first_sentence(table: AgreementTable) -> str:
    """What the table comes to, in words."""
    found = table.found
    said = (
        f"{counted(found.pairs, 'pair')} of {counted(found.queries, 'query', 'queries')} have "
        f"grades of at least two assessors: equal in {percent(found.same.value)} and at most one "
        f"apart in {percent(found.within_one.value)} of all comparisons."
    )
    return " ".join([said, *_strictness(table)])


def _strictness(table: AgreementTable) -> Iterator[str]:
    """Who is stricter, where the interval leaves no doubt of it."""
    for one in table.found.each:
        low, high = one.mean_difference.low, one.mean_difference.high
        first, second = table.names(one)
        if one.mean_difference.value is not None and low is not None and high is not None:
            apart = f"{decimal(abs(one.mean_difference.value), COARSE)} of a grade"
            if low > 0:
                yield f"{name(first)} is stricter than {name(second)}, by {apart}."
            elif high < 0:
                yield f"{name(second)} is stricter than {name(first)}, by {apart}."


def _of_many(table: AgreementTable, form: Format, width: int) -> str:
    """A row for every two assessors, and one for all of them."""
    rows: list[PairAgreement | Agreement] = [*table.found.each, table.found]
    named = [
        " / ".join(map(name, table.names(one))) if isinstance(one, PairAgreement) else ALL
        for one in rows
    ]

    def column(heading: str, of: str, written: Callable[[Estimate], str]) -> Column:
        estimates = [getattr(one, of, None) for one in rows]
        return Column(heading, "r", [written(one) if one else "" for one in estimates])

    columns = [
        Column("assessors", "l", named),
        Column("pairs", "r", [one.pairs for one in rows]),
        Column("queries", "r", [one.queries for one in rows]),
        column("equal", "same", lambda one: percent(one.value)),
        column("within one", "within_one", lambda one: percent(one.value)),
        column("alpha", "alpha", _number),
        column("weighted kappa", "weighted_kappa", _number),
        column("binary kappa", "binary_kappa", _number),
        column("second grades higher by", "mean_difference", _number),
    ]
    return fitted(columns, form, width)


def _number(one: Estimate) -> str:
    ends = "" if one.low is None else f" {interval(one.low, one.high, COARSE)}"
    return decimal(one.value, COARSE) + ends


def _of_shares(one: Estimate) -> str:
    return f"[{percent(one.low)}, {percent(one.high)}]"


def _of_two(table: AgreementTable, form: Format) -> Iterator[str]:
    """A row for every statistic, and how often each grade of the one met each of the other."""
    (pair,) = table.found.each
    first, second = table.names(pair)
    shares = [("equal grades", pair.same), ("at most one apart", pair.within_one)]
    other = [
        ("alpha, ordinal", pair.alpha),
        ("weighted kappa", pair.weighted_kappa),
        (f"binary kappa, from grade {table.threshold}", pair.binary_kappa),
        (f"{name(second)} grades higher by", pair.mean_difference),
    ]
    rows: list[list[Cell]] = []
    rows += [[what, percent(one.value), _of_shares(one)] for what, one in shares]
    rows += [
        [what, _number(one._replace(low=None)), interval(one.low, one.high, COARSE)]
        for what, one in other
    ]
    yield render(["", "value", "95% interval"], rows, form, align="lrr")
    rows = [
        [f"{name(first)} {grade}", *counts] for grade, counts in enumerate(pair.confusion.tolist())
    ]
    yield title(f"Grades of {name(first)} (rows) and {name(second)} (columns)", form)
    yield render(["", *map(str, range(table.top + 1))], rows, form, align="l" + "r" * len(rows))


def _hardest(table: AgreementTable, form: Format) -> Iterator[str]:
    hardest = table.hardest()[:HARDEST]
    if len(table.qids) > 1 and hardest:
        yield title("Queries they agree on least", form)
        rows: list[list[Cell]] = [[name(qid), decimal(alpha, COARSE)] for qid, alpha in hardest]
        yield render(["query", "alpha"], rows, form, align="lr")


def _rows(table: AgreementTable, form: Format) -> str:
    """A row for every two assessors, and one for all of them, whose names are empty."""
    ends = ("", "_low", "_high")
    headers = ["first", "second", "pairs", "queries"]
    headers += [f"{statistic}{end}" for statistic in STATISTICS for end in ends] + ["method"]
    method = table.made()["fingerprint"]
    rows: list[list[Cell]] = [[*table.names(one), *_cells(one), method] for one in table.found.each]
    rows.append(["", "", *_cells(table.found), method])
    return render(headers, rows, form)


def _cells(one: Agreement | PairAgreement) -> list[Cell]:
    nothing = Estimate(None, None, None)
    estimates = [getattr(one, statistic, nothing) for statistic in STATISTICS]
    return [one.pairs, one.queries, *(number for estimate in estimates for number in estimate)]
