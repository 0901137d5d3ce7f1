"""``annotator grade``: opens the screens."""

from __future__ import annotations

import getpass
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from importlib import import_module
from inspect import isclass
from pathlib import Path

import click

from annotator.cli import completion, output
from annotator.cli.judging_order import BY_QUERY, ORDERS, JudgingOrder, OrderLoader, measure_option
from annotator.cli.options import (
    back_up_in_background,
    command_line,
    next_steps,
    opened,
    project_option,
    start_quickly,
    wait_for_backup,
)
from annotator.errors import AnnotatorError, ProjectError, UsageError
from annotator.judging import Session
from annotator.store import Desk, Project
from annotator.text.safe import one_line
from annotator.tui.workplace import Live, Workplace

_COLOR_SYSTEMS = ("auto", "standard", "256", "truecolor", "windows")

MANY = 20_000
"""From so many pooled pairs on the app is open before it is found which comes first."""
APP_WAITS = 0.25
"""Seconds that a key may be held up by another program's write before the app says so."""


def _assessor(_ctx: click.Context, _param: click.Parameter, value: str | None) -> str:
    """Who judges: as named, else by the environment, else whoever is logged in."""
    if value is not None:
        if not one_line(value):
            raise UsageError("--assessor: the name is empty")
        return one_line(value)
    try:
        login = getpass.getuser()
    except (OSError, KeyError, ImportError):
        login = ""
    return one_line(os.environ.get("ANNOTATOR_ASSESSOR", "")) or one_line(login) or "assessor"


assessor_option = click.option(
    "--assessor",
    metavar="NAME",
    shell_complete=completion.assessors,
    callback=_assessor,
    help="Who judges. [default: $ANNOTATOR_ASSESSOR, else the login name]",
)


@click.command("grade")
@project_option
@assessor_option
@click.option(
    "--query", metavar="ID", shell_complete=completion.queries, help="Begin with this query."
)
@click.option(
    "--order",
    type=click.Choice(ORDERS),
    default=ORDERS[0],
    show_default=True,
    help="Which document comes next.",
)
@measure_option
@click.option(
    "--stay",
    is_flag=True,
    help="Show up to five documents of a query in a row: quicker to judge, but a verdict takes "
    "more labels.",
)
@click.option(
    "--plain",
    is_flag=True,
    help="Line by line, without screens: for screen readers, dumb terminals and pipes.",
)
@click.argument("systems", nargs=-1, metavar="[A B]", shell_complete=completion.systems)
def command(
    project: Path,
    assessor: str,
    query: str | None,
    order: str,
    measure: str | None,
    stay: bool,
    plain: bool,
    systems: Sequence[str],
) -> None:
    """Judge pooled documents in the terminal.

    Every grade is stored at once, so you can stop at any time and go on where you were.

    \b
    Orders, all of them blind:
      depth       query by query
      random      all pairs shuffled
      mtf         move-to-front pooling
      decide A B  what tells most about which of two systems is better
      best        what tells most about which system is best
      rank        what tells most about how all systems rank

    The last three end in a verdict on these queries, on nDCG@10 or the measure of `-m`.

    \b
    Examples:
      annotator grade
      annotator grade --order decide bm25 dense
      annotator grade --order best -m P@5 --stay
      annotator grade --plain
    """  # fmt: skip
    asked = JudgingOrder(order, systems, measure, stay)
    with opened(project) as opened_project:
        if not opened_project.pool.makings():
            raise UsageError(
                f"{project}: nothing is pooled yet; run `{command_line(project, 'pool')}`"
            )
        asked.check(opened_project)
        if plain:
            _judge_plainly(opened_project, project, assessor, query, asked)
            return
        if not output.has_terminal():
            raise UsageError(
                "grading needs a terminal for both input and output (`--plain` does without); "
                "labels made elsewhere come "
                f"in by `{command_line(project, 'import judgments FILE')}` or "
                f"`{command_line(project, 'import qrels FILE')}`"
            )
        judge(opened_project, project, assessor, query, asked)


def judge(
    project: Project,
    path: Path,
    assessor: str,
    query: str | None = None,
    asked: JudgingOrder = BY_QUERY,
) -> None:
    """Open the screens; say in the end what was done, and how one goes on."""
    started = start_quickly(path)
    _check_environment()
    from annotator.tui.runner import run_app  # the only import of Textual, which takes 0.2 s

    desk = Desk(project, assessor)
    greeting = tuple(_greeting(desk))
    session, find_order, load_order = Session(desk), None, asked.loader(assessor)
    if load_order is not None and query is None and session.totals.pooled >= MANY:
        find_order = partial(_find, project, path, session, load_order)
    else:
        if load_order is not None:
            session.follow(partial(load_order, project, project))
        session.start(query)
    workplace = Workplace(
        project=path.name,
        assessor=assessor,
        session=session,
        load_board=partial(_board, path),
        load_standing=partial(asked.standing, path),
        once_shown=started,
        find_order=find_order,
        has_goal=asked.has_goal,
        greeting=greeting,
    )
    with _at_desk(desk, path, asked.again()):
        run_app(workplace)


@contextmanager
def _at_desk(desk: Desk, path: Path, again: str) -> Iterator[None]:
    """Let other windows know that somebody grades here; say in the end what was done."""
    project, before = desk.project, desk.last_event()
    project.file.answer_keys(APP_WAITS)
    desk.arrive()
    try:
        yield
    except KeyboardInterrupt:
        output.note("stopped; every grade that was given is stored")
    finally:
        with suppress(AnnotatorError):  # a window that is gone is known as such
            desk.leave()
        wait_for_backup()
    try:
        _tell_done(project, path, desk.assessor, before, again)
    except ProjectError as error:
        kept = "every grade that was shown as saved is in the file that was open"
        raise ProjectError(f"{error.message}; {kept}") from error


def _judge_plainly(
    project: Project,
    path: Path,
    assessor: str,
    query: str | None,
    asked: JudgingOrder,
) -> None:
    """Ask line by line; say in the end what was done."""
    from annotator.cli.plain_session import PlainSession

    desk = Desk(project, assessor)
    for line in _greeting(desk):
        output.note(line)
    session, load_order = Session(desk), asked.loader(assessor)
    if load_order is not None:
        session.follow(partial(load_order, project, project))
    session.start(query)
    back_up_in_background(path)
    with _at_desk(desk, path, asked.again(plain=True)):
        PlainSession(session, sys.stdin, output.ask, min(output.width(), 100)).run()
        output.ask("\n")


def _greeting(desk: Desk) -> Iterator[str]:
    """What to know before the first grade: that the name is in use, or looks like another."""
    name = one_line(desk.assessor, 40)
    for other in desk.other_windows()[:1]:
        since = datetime.fromisoformat(other.since).astimezone().strftime("%H:%M")
        yield (
            f"{name} grades this project in another window too, since {since} on "
            f"{one_line(other.host, 40)}: u takes back only what you said in this window"
        )
    if alike := [one_line(one, 40) for one in desk.look_alikes()]:
        yield (
            f"you grade as {name}, a new name; {' and '.join(alike)} has graded here before and "
            f"counts as somebody else: if that is you, leave and use --assessor "
            f"{shlex.quote(alike[0])}"
        )


def _check_environment() -> None:
    """Refuse what Textual would fail on in its own words."""
    colors = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    if colors not in _COLOR_SYSTEMS:
        raise UsageError(
            f"TEXTUAL_COLOR_SYSTEM is {one_line(colors, 40)}; it takes {', '.join(_COLOR_SYSTEMS)}"
        )
    driver = os.environ.get("TEXTUAL_DRIVER")
    if driver is None:
        return
    module, _, name = driver.partition(":")
    try:
        there = isclass(getattr(import_module(module), name, None))
    except (ImportError, TypeError, ValueError):
        there = False
    if not there:
        raise UsageError(
            f"TEXTUAL_DRIVER is {one_line(driver, 60)}; it takes a driver as MODULE:CLASS, and is "
            "best left unset"
        )


def _find(
    project: Project,
    path: Path,
    session: Session,
    load_order: OrderLoader,
) -> Callable[[], None]:
    """Find the order over a connection of its own; what then brings the first document."""
    with opened(path) as read:
        found = [load_order(read, project)]

    def begin() -> None:
        session.follow(lambda: found.pop() if found else load_order(project, project))
        session.start()

    return begin


def _board(path: Path, pause: Callable[[], None]) -> Live:
    from annotator.actions.scoring import load_board, load_labels, method
    from annotator.scoring.options import ScoreOptions

    options = ScoreOptions()
    with opened(path) as project:
        project.file.pause = pause
        labels = load_labels(project, options)
        return load_board(project, options, labels), method(project, options, labels, digests=False)


def _tell_done(project: Project, path: Path, assessor: str, before: int, again: str) -> None:
    said = {
        (one.qid, one.docid): one.grade
        for one in project.judgments.events()
        if one.event > before and one.assessor == assessor
    }
    now = sum(grade is not None for grade in said.values())
    total = Session(Desk(project, assessor)).totals
    output.note(f"{now:,} judged this time, {total.judged:,} of {total.pooled:,} in all")
    if total.open or total.later:
        output.note(next_steps(path, (again, "go on"), ("score", "the scores so far")))
    else:
        output.note(next_steps(path, ("score", "the scores"), ("export qrels FILE", "the labels")))
