"""What to do next about two systems: a step for each case, which fits what is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotator.report.next_step import next_of_all, next_of_files, next_step
from annotator.results.comparisons import Compared, QueryDifference
from rubric import Comparison, Measure, Verdict
from tests.report.test_report_answer import compared as made

QUERY = QueryDifference("the worst", -0.5, -0.5, -0.5, -0.5, -0.5, -0.5, 0)


def pair(verdict: Verdict, value: float | None, p: float | None) -> Compared:
    result = made([[3, 2, 0, 0]] * 8, [[0, 0, 3, 2]] * 8).result
    known = replace(
        result, verdict=verdict, value=value, expected=value, p_value=p, more_labels=None,
        more_range=None,
    )  # fmt: skip
    return Compared("new", "old one", known, (0, 0), (QUERY,))


def command(one: Compared, left: int = 5, depth: int | None = 10) -> str:
    step = next_step(one, left, depth)
    return "" if step is None else step.command


def test_an_open_verdict_asks_for_labels_where_there_is_something_to_label() -> None:
    open_ = pair(Verdict.OPEN, None, None)
    assert command(open_) == "grade --order decide new 'old one'"
    assert command(open_, left=0).startswith("pool --depth ")
    assert command(open_, left=0, depth=None) == "pool"


@pytest.mark.parametrize("verdict", [one for one in Verdict if one is not Verdict.OPEN])
def test_what_is_known_on_these_queries_asks_for_more_of_them_or_for_a_look(
    verdict: Verdict,
) -> None:
    assert command(pair(verdict, 0.2, 0.5)) == "import queries FILE"
    assert command(pair(verdict, 0.2, 0.001)) == "diff new 'old one' --query 'the worst'"
    assert command(pair(verdict, 0.001, 0.5)) == "diff new 'old one' --query 'the worst'"


def test_a_deeper_pool_reaches_down_to_the_cutoff() -> None:
    deep = pair(Verdict.OPEN, None, None)
    assert isinstance(deep.result, Comparison)
    whole = replace(deep, result=replace(deep.result, measure=Measure("AP")))
    deep = replace(deep, result=replace(deep.result, measure=Measure("nDCG", 50)))
    assert command(deep, left=0) == "pool --depth 50"
    assert command(whole, left=0) == "pool --depth 20"


def test_all_systems_and_files_have_a_step_while_anything_is_open() -> None:
    open_, known = pair(Verdict.OPEN, None, None), pair(Verdict.PROVED, 0.2, 0.001)
    step = next_of_all([known, open_], 5, 10)
    assert step is not None
    assert step.command == "grade --order rank"
    assert next_of_all([known], 5, 10) is next_of_files([known]) is None
    files = next_of_files([known, open_])
    assert files is not None
    assert files.command == "init"


@pytest.mark.parametrize("name", ["\x1b]0;gone\x07", "two\nlines", "--force"])
def test_no_step_has_a_name_that_cannot_be_typed(name: str) -> None:
    open_ = replace(pair(Verdict.OPEN, None, None), second=name)
    assert command(open_) == "grade --order best"
    assert command(replace(pair(Verdict.PROVED, 0.2, 0.001), first=name)) == ""
