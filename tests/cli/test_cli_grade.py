"""``grade`` up to where the screens begin, and after they end."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from annotator.cli import grade, options, output
from annotator.results.standings import Standing
from annotator.tui.workplace import Workplace
from tests.cli.conftest import Run

Screens = Callable[[Callable[[Workplace], None]], None]


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch) -> Screens:
    """Put a function in the place of the screens, on a terminal."""
    monkeypatch.setattr(output, "has_terminal", lambda: True)

    def put(run_app: Callable[[Workplace], None]) -> None:
        module = ModuleType("annotator.tui.runner")
        module.run_app = run_app  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "annotator.tui.runner", module)

    return put


def grade_all(workplace: Workplace) -> None:
    session = workplace.session
    while session.card is not None:
        assert session.grade(session.card.pair, 1)


def test_without_a_terminal_other_ways_to_label_are_named(run: Run, small: Path) -> None:
    result = run("grade")
    assert result.code == 2
    assert "annotator import judgments FILE" in result.err
    assert "annotator import qrels FILE" in result.err


def test_without_a_pool_the_next_step_is_named(run: Run, screens: Screens) -> None:
    screens(grade_all)
    run("init")
    result = run("grade")
    assert result.code == 2
    assert "`annotator pool`" in result.err


def test_what_was_done_is_told_in_the_end(run: Run, small: Path, screens: Screens) -> None:
    screens(grade_all)
    result = run("grade", "--assessor", "ann")
    assert (result.code, result.out) == (0, "")
    assert "2 judged this time, 4 of 4 in all" in result.err
    assert "annotator score" in result.err
    assert "0 judged this time, 4 of 4 in all" in run("grade", "--assessor", "ann").err


def test_one_begins_with_the_query_asked_for(run: Run, small: Path, screens: Screens) -> None:
    seen: list[str] = []
    screens(lambda work: seen.append(work.session.query.qid if work.session.query else ""))
    run("grade", "--query", "q1")
    run("grade", "--query", "q2")
    assert seen == ["q1", "q2"]
    result = run("grade", "--query", "q9")
    assert result.code == 2
    assert "query q9 is not in the pool" in result.err


def test_the_scoreboard_is_read_afresh(run: Run, small: Path, screens: Screens) -> None:
    def look(work: Workplace) -> None:
        _, before = work.load_board(lambda: None)
        grade_all(work)
        board, after = work.load_board(lambda: None)
        assert (before.judged_pairs, after.judged_pairs) == (2, 4)
        assert board.systems == ["a", "b"]

    screens(look)
    assert run("grade").code == 0


def test_the_assessor_is_named_by_option_environment_or_login(
    run: Run, small: Path, screens: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    screens(lambda work: seen.append(work.assessor))
    monkeypatch.setattr("getpass.getuser", lambda: "log\x1bin")
    run("grade")
    monkeypatch.setenv("ANNOTATOR_ASSESSOR", "env")
    run("grade")
    run("grade", "--assessor", "ann")
    monkeypatch.delenv("ANNOTATOR_ASSESSOR")

    def nobody() -> str:
        raise KeyError("uid")

    monkeypatch.setattr("getpass.getuser", nobody)
    run("grade")
    assert seen == ["log\u241bin", "env", "ann", "assessor"]


def test_an_interrupt_keeps_the_grades(run: Run, small: Path, screens: Screens) -> None:
    def interrupted(work: Workplace) -> None:
        grade_all(work)
        raise KeyboardInterrupt

    screens(interrupted)
    result = run("grade")
    assert "every grade that was given is stored" in result.err
    assert "2 judged this time" in result.err


@pytest.mark.parametrize(
    "words",
    [("random",), ("mtf",), ("decide", "a", "b"), ("best",), ("rank",), ("best", "--stay")],
    ids=" ".join,
)
def test_every_order_leads_to_the_end_of_the_pool(
    run: Run, small: Path, screens: Screens, words: tuple[str, ...]
) -> None:
    screens(grade_all)
    result = run("grade", "--order", *words, "--assessor", "ann")
    assert result.code == 0
    assert "2 judged this time, 4 of 4 in all" in result.err


def test_in_a_large_pool_the_order_is_found_while_the_app_is_open(
    run: Run, small: Path, screens: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = [], []

    def find_and_grade(work: Workplace) -> None:
        before.append((work.find_order is None, work.session.card is None, work.session.order))
        if work.find_order is not None:
            work.find_order()()
        after.append((work.session.card is None, work.session.order))
        grade_all(work)

    monkeypatch.setattr(grade, "MANY", 1)
    screens(find_and_grade)
    result = run("grade", "--order", "best")
    assert "2 judged this time, 4 of 4 in all" in result.err
    assert (before, after) == ([(False, True, "depth")], [(False, "best")])
    assert "no system zzz" in run("grade", "--order", "decide", "a", "zzz").err
    run("grade", "--assessor", "bea")  # who has judged none of them yet
    assert before[-1] == (True, False, "depth")


def test_in_the_end_the_command_that_goes_on_in_the_same_order_is_named(
    run: Run, small: Path, screens: Screens
) -> None:
    def grade_one(work: Workplace) -> None:
        assert work.session.card is not None
        work.session.grade(work.session.card.pair, 1)

    screens(grade_one)
    words = ("--order", "decide", "a", "b", "-m", "P@5", "--stay")
    assert "annotator grade --order decide a b -m P@5 --stay  go on" in run("grade", *words).err


@pytest.mark.parametrize("measure", ["nDCG@3", "P@5", "RR@10", "Hit@2", "RBP"])
@pytest.mark.parametrize("order", ["decide", "best", "rank"])
def test_an_order_decides_on_the_measure_that_is_asked_for(
    run: Run, small: Path, screens: Screens, order: str, measure: str
) -> None:
    found: list[Standing] = []

    def look_and_grade(work: Workplace) -> None:
        grade_all(work)
        found.append(work.load_standing())

    screens(look_and_grade)
    systems = ("a", "b") if order == "decide" else ()
    assert run("grade", "--order", order, *systems, "-m", measure).code == 0
    (standing,) = found
    assert standing.measure == measure
    compared = run("compare", "a", "b", "-m", measure, "--format", "json")
    (known,) = json.loads(compared.out)["comparisons"]
    assert {pair.verdict.value for pair in standing.pairs} == {known["verdict"]}
    assert standing.reached == (known["verdict"] != "open")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--order", "decide", "a"), "two systems"),
        (("--order", "decide", "a", "zzz"), "no system zzz"),
        (("--order", "best", "a"), "takes no systems"),
        (("a", "b"), "takes no systems"),
        (("--stay",), "--stay goes with another order"),
        (("-m", "P@5"), "decide, best, rank"),
        (("--order", "mtf", "-m", "P@5"), "decide, best, rank"),
        (("--order", "best", "-m", "AP"), "no order decides on AP: take nDCG@10, P@10"),
        (("--order", "best", "-m", "nonsense"), "nonsense"),
    ],
)
def test_orders_that_make_no_sense_are_refused(
    run: Run, small: Path, screens: Screens, words: tuple[str, ...], why: str
) -> None:
    screens(grade_all)
    result = run("grade", *words)
    assert result.code == 2
    assert why in result.err


def test_where_the_file_is_gone_in_the_end_it_is_said_where_the_grades_are(
    run: Run, small: Path, screens: Screens
) -> None:
    def grade_and_move(workplace: Workplace) -> None:
        grade_all(workplace)
        small.rename(small.with_name("moved.db"))

    screens(grade_and_move)
    result = run("grade")
    assert (result.code, len(result.err.splitlines())) == (4, 1)
    assert "it was moved, deleted or replaced" in result.err
    assert "every grade that was shown as saved is in the file that was open" in result.err


def test_garbage_is_looked_for_again_and_a_backup_made_once_the_first_document_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backed_up: list[Path] = []
    monkeypatch.setattr(options, "back_up_in_background", backed_up.append)
    before = gc.get_threshold()
    gc.set_threshold(5_000)
    started = options.start_quickly(Path("a.db"))
    assert gc.get_threshold()[0] == options.STARTING
    started()
    gc.unfreeze()
    assert (gc.get_threshold()[0], backed_up) == (5_000, [Path("a.db")])
    gc.set_threshold(*before)


def test_that_a_name_is_in_use_or_looks_like_another_is_told_first(
    run: Run, small: Path, screens: Screens
) -> None:
    told: list[str] = []

    def first(work: Workplace) -> None:
        told.extend(work.greeting)
        grade_all(work)
        screens(second)
        run("grade", "--assessor", "ann")
        run("grade", "--assessor", "Ann")
        run("grade", "--assessor", "ben")

    def second(work: Workplace) -> None:
        told.extend(work.greeting)

    screens(first)
    run("grade", "--assessor", "ann")
    assert [one.split(":")[0].split(",")[0] for one in told] == [
        "ann grades this project in another window too",
        "you grade as Ann",
    ]
    assert "if that is you, leave and use --assessor ann" in told[1]
    told.clear()
    run("grade", "--assessor", "ann")
    assert told == []
