"""Every system against every other: one table of differences, one of adjusted p values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from annotator.report.answer import plain_sentence
from annotator.report.comparison_text import write_comparison
from annotator.report.tables import (
    Cell,
    Format,
    method_line,
    name,
    paragraph,
    render,
    title,
)
from annotator.report.withheld import why_withheld
from annotator.results.comparisons import Compared, ComparisonTable
from annotator.text.numbers import (
    ESTIMATE,
    UNDEFINED,
    ZEROED,
    chance,
    decimal,
    mark_of,
    p_value,
    plain,
)
from annotator.text.plural import counted
from rubric import Verdict
from rubric.model.stopping import MARGIN, SURE

MARKS = {
    Verdict.PROVED: "!",
    Verdict.CREDIBLE: "*",
    Verdict.WITHIN: "=",
    Verdict.EQUAL: "=",
    Verdict.OPEN: " ",
}
LEGEND = (
    "Row minus column, on these queries. Marked ! is proved, whatever the missing labels say; * is "
    f"credible (a chance of {chance(SURE)} or more by the grade model, on enough labels); = is "
    f"equal, or as surely within {plain(MARGIN)}; without a mark it is open. {ESTIMATE} is what is "
    f"expected once everything is judged, {ZEROED} counts unjudged documents as grade 0. "
    "`annotator compare A B` says more."
)
P_LEGEND = (
    "For queries like these in general: p of the randomisation test, adjusted (Holm) for all "
    "{pairs}. A proof on these queries says nothing of others."
)

WORDS = {
    "ahead": "ahead of",
    "level": "level with",
    "unknown": "not known yet whether ahead of",
    "behind": "behind",
}
"""How a system stands to another, by the size of their difference."""

Content = Callable[[Compared, int], str]


def write_matrix(
    table: ComparisonTable, form: Format, *, per_query: bool = False, width: int = 100
) -> str:
    """Write all pairs; for programs a list of them."""
    if not form.for_people:
        return write_comparison(table, form, per_query=per_query)
    names = best_first(table)
    measure = table.pairs[0].result.measure
    return "\n".join(
        [
            paragraph(_summary(table, names), form, width),
            title(f"{measure}, differences", form),
            _square(table, names, form, _difference),
            paragraph(" ".join([*why_withheld(table.method.expected), LEGEND]), form, width),
            title("Adjusted p", form),
            _square(table, names, form, _p),
            paragraph(P_LEGEND.format(pairs=counted(len(table.pairs), "pair")), form, width),
            method_line(table.line(), form, width),
        ]
    )


def _summary(table: ComparisonTable, names: list[str]) -> str:
    """Who comes first, how the others stand to it, and the answer on the first two."""
    sizes: Counter[str] = Counter()
    first_two = table.pairs[0]
    for one in table.pairs:
        if names[0] in (one.first, one.second):
            turned = {"ahead": "behind", "behind": "ahead"} if one.second == names[0] else {}
            sizes[turned.get(one.size, one.size)] += 1
        if {one.first, one.second} == set(names[:2]):
            first_two = one
    said = [f"{WORDS[size]} {count:,}" for size in WORDS if (count := sizes[size])]
    return (
        f"{name(names[0])} comes first of {counted(len(names), 'system')}: {', '.join(said)} of "
        "the others. " + plain_sentence(first_two)
    )


def best_first(table: ComparisonTable) -> list[str]:
    """The systems by the sum of their differences from all others."""
    sums: dict[str, float] = {}
    for one in table.pairs:
        difference = one.result.estimate or 0.0
        sums[one.first] = sums.get(one.first, 0.0) + difference
        sums[one.second] = sums.get(one.second, 0.0) - difference
    return sorted(sums, key=lambda system: -sums[system])


def _square(table: ComparisonTable, names: list[str], form: Format, content: Content) -> str:
    """A table whose columns are the numbers of its rows, since names are too wide for that."""
    cells = {}
    for one in table.pairs:
        cells[one.first, one.second] = content(one, 1)
        cells[one.second, one.first] = content(one, -1)
    rows: list[list[Cell]] = [
        [at, name(row), *(cells.get((row, column), "") for column in names)]
        for at, row in enumerate(names, start=1)
    ]
    headers = ["", "system", *(str(at) for at in range(1, len(names) + 1))]
    return render(headers, rows, form, align="rl" + "r" * len(names))


def _difference(one: Compared, sign: int) -> str:
    result = one.result
    number = result.estimate if result.value is None else result.value
    if number is None:
        return UNDEFINED
    return decimal(sign * number, mark=mark_of(result)) + MARKS[one.verdict]


def _p(one: Compared, _sign: int) -> str:
    return p_value(one.p_holm, mark=mark_of(one.result))
