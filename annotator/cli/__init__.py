"""The command line: one module a command, and the boundary where an error becomes a message."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence

import click

from annotator import __version__, outcome
from annotator.cli import output
from annotator.cli.group import Lazy, LazyGroup, project_before
from annotator.errors import AnnotatorError, ExitCode
from annotator.text.safe import one_line

INTERRUPTED = 130
BROKEN = 70

COMMANDS = {
    "demo": Lazy("demo", "Try the program on real data that comes with it."),
    "init": Lazy("init", "Make a new project."),
    "import": Lazy("importing", "Bring in queries, runs, documents and labels."),
    "pool": Lazy("pool", "Choose the documents that are to be judged."),
    "grade": Lazy("grade", "Judge pooled documents in the terminal."),
    "plan": Lazy("plan", "Say how many labels and hours each goal is likely to take from here."),
    "status": Lazy("status", "Show what is judged and what is missing."),
    "score": Lazy("score", "Score the systems on the labels there are."),
    "compare": Lazy("compare", "Compare two systems, or all, and say what is proved."),
    "diff": Lazy("diff", "Show what moved between two rankings of a query."),
    "agreement": Lazy("agreement", "Show how far assessors agree, and who is stricter."),
    "disagreement": Lazy("disagreement", "Show what disagreement of assessors does to the scores."),
    "ceiling": Lazy("ceiling", "Show how much retrieval lost, and how much the ranking."),
    "pack": Lazy("pack", "Write runs of any format as Parquet, which is quicker to score."),
    "companions": Lazy(
        "companions", "Count near-duplicates in the top k, and how much of the catalog is shown."
    ),
    "report": Lazy("report", "Write a report to hand in: one page, with figures."),
    "export": Lazy("export", "Write labels, scores, texts or runs to a file."),
    "merge": Lazy("merge", "Bring together the work of people who graded apart."),
    "history": Lazy(
        "history", "Show who graded what, when, under which rubric, and what it replaced."
    ),
    "remove": Lazy(
        "remove", "Take queries, systems or labels out of the project, and put them back."
    ),
    "backup": Lazy("backup", "Copy a project; the copy is complete even while others grade."),
    "restore": Lazy("restore", "Put a copy of a backup in the place of the project."),
    "doctor": Lazy("doctor", "Check a project file, or save what is left of a damaged one."),
    "rubric": Lazy("rubric", "Show or change what the grades mean."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", message="annotator %(version)s")
@project_before
@click.pass_context
def group(ctx: click.Context) -> None:
    """Grade pooled documents, track what is judged, and score retrieval systems.

    A document that nobody has judged is never counted as worthless: scores come with the bounds
    that the missing labels leave.

    Without a command it says what is in this folder, and what to do next.

    Exit status: 0 done, 1 the answer is no, 2 wrong usage, 3 bad input file, 4 project file
    unusable, 5 not enough labels to tell.
    """
    if ctx.invoked_subcommand is None:
        from annotator.cli.overview import overview

        overview(ctx)


def main(args: Sequence[str] | None = None) -> int:
    """Run the program; its exit status. Every error ends here as a message on stderr."""
    output.prepare()
    with outcome.forgotten():
        outcome.begin()
        return _run(args)


def _run(args: Sequence[str] | None) -> int:
    try:
        return int(group.main(args, prog_name="annotator", standalone_mode=False) or 0)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        output.note(error.format_message())
        return ExitCode.USAGE
    except (AnnotatorError, click.ClickException, click.Abort, KeyboardInterrupt, OSError) as error:
        return _say(*_told(error))
    except Exception as error:
        if os.environ.get("ANNOTATOR_DEBUG") == "1":
            raise
        return _say(
            f"a fault of the program: {type(error).__name__} at {_place(error)}; please report "
            "this line (ANNOTATOR_DEBUG=1 shows more, which may hold texts of your documents)",
            (),
            BROKEN,
        )


def _told(error: BaseException) -> tuple[str, Sequence[str], int]:
    """An error that a person can meet: in one line, in more, and as an exit status."""
    match error:
        case AnnotatorError():
            return error.message, error.details, error.exit_code
        case click.UsageError():
            command = error.ctx.command_path if error.ctx else "annotator"
            hint = f"`{command} --help` shows what it takes"
            return error.format_message(), [hint], ExitCode.USAGE
        case click.ClickException():
            return error.format_message(), (), ExitCode.USAGE
        case OSError():
            output.give_up_if_broken()
            what = f"{error.filename}: " if error.filename else ""
            return f"{what}{error.strerror or type(error).__name__}", (), ExitCode.USAGE
    if stored := outcome.stored():
        what = ", ".join(one_line(str(path)) for path in stored)
        return f"stopped; by then this command had stored what it does in {what}", (), INTERRUPTED
    return "stopped; nothing of this command was stored", (), INTERRUPTED


def _say(message: str, details: Sequence[str], code: int) -> int:
    below = [f"  {one_line(detail)}" for detail in details]
    output.note("\n".join([f"annotator: {one_line(message)}", *below]))
    return int(code)


def _place(error: Exception) -> str:
    """The innermost line of this program's own that the error came from."""
    frames = [
        (str(frame.f_globals.get("__name__", "?")), line)
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    own = [one for one in frames if one[0].split(".")[0] in ("annotator", "rubric")]
    module, line = (own or frames or [("?", 0)])[-1]
    return f"{module}:{line}"
