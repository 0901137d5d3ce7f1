"""Run files and qrels as scoreboards, without a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from annotator.actions.files.grades import FileGrades, read_grades
from annotator.actions.imports.ids import REMEMBERED
from annotator.actions.imports.look_alikes import MOST_HELD, look_alikes, spelling, strangers
from annotator.actions.imports.report import FIRST_PLACES, Found, note_own, note_run, take_shared
from annotator.blocks.codes import Codes
from annotator.blocks.run_table import NamesNeededError, RunTable, run_table
from annotator.displayed_order import OrderedRun, displayed, rule_of
from annotator.domain import Int32Array, IntArray, Ranking
from annotator.errors import InputError
from annotator.formats import read_run
from annotator.formats.input.source import Source
from annotator.formats.problems import Problems
from annotator.scoring.board import Board
from annotator.scoring.complete_judgments import judged_completely
from annotator.scoring.options import MissingQueries, ScoreOptions, Ties, Unlisted
from annotator.scoring.pairs import BoardData
from annotator.scoring.rankings import ranked
from annotator.text.plural import some
from rubric import Rubric, Rules

NAMED = 2**17
"""Ids of documents nobody judged that are kept of a single run; of more only what must have one."""
SCALE = "; where the scale reaches further, --rubric says so"


@dataclass(frozen=True, eq=False)
class Files:
    """A qrels file and named run files as they are scored.

    Parameters
    ----------
    name
        The qrels file's name.
    grades
        Its rows.
    runs
        The rankings of each run: queries by their places in the qrels, documents by numbers from 1.
    top, rules
        The highest grade, and what the measures take from rubric and options.
    notes
        A sentence for each oddity of the files.
    """

    name: str
    grades: FileGrades
    runs: dict[str, list[Ranking]]
    top: int
    rules: Rules
    notes: list[str]

    def board(self, options: ScoreOptions) -> Board:
        """The scoreboard that the options ask for."""
        documents, tied = self.ranked(options.ties, options.first)
        pooled_query, pooled_document = self.grades.pooled()
        label_query, label_document, label_grade = self.grades.labels()
        data = BoardData(
            queries=np.arange(len(self.grades.qids)),
            qids=self.grades.qids,
            systems=list(self.runs),
            documents=documents,
            tied=tied,
            pooled_query=pooled_query,
            pooled_document=pooled_document + np.int32(1),
            label_query=label_query,
            label_document=label_document + np.int32(1),
            label_grade=label_grade,
            top=self.top,
        )
        if options.unlisted is Unlisted.ZERO:
            data = judged_completely(data, pooled_too=False)
        counts = options.missing_queries is MissingQueries.ZERO
        weights = options.weights_of(data.qids)
        return Board(data, options.measures, self.rules, count_missing=counts, weights=weights)

    def ranked(self, ties: Ties, first: int | None = None) -> tuple[Int32Array, IntArray | None]:
        """The documents of each run, query and rank, and where ties begin if they are averaged.

        ``first`` is how many ranks count, None: all.
        """
        queries = np.arange(len(self.grades.qids))
        return ranked(self.runs.values(), queries, ties, lambda: self._id_places, first)

    def named(self, numbers: Sequence[int]) -> dict[int, str]:
        """The ids of documents by their numbers."""
        names = self.grades.documents.names(np.array(numbers, dtype=np.int64) - 1)
        return dict(zip(numbers, names, strict=True))

    @cached_property
    def _id_places(self) -> IntArray:
        return np.concatenate([[0], self.grades.documents.places()])


def read_files(
    qrels: Source,
    runs: Sequence[tuple[str, Source]],
    options: ScoreOptions,
    rubric: Rubric | None,
    *,
    named: bool = False,
) -> Files:
    """Read a qrels file and run files of any format.

    Of a single long run not every id is kept, unless :meth:`Files.named` will be asked for them.

    Without a rubric the scale reaches to the highest grade of the qrels (and of what is asked for
    by the rules of another tool).

    Raises
    ------
    InputError
        If a file is bad, a grade outside the rubric, or a run shares no query with the qrels.
    UsageError
        If a threshold is above the scale.
    """
    documents = Codes()
    grades = read_grades(qrels, documents, rubric)
    judged = documents.count
    top = rubric.top if rubric else _scale(grades, qrels.name, options)
    found = [_of_qrels(grades, qrels.name)]
    rankings: dict[str, list[Ranking]] = {}
    known = np.zeros(judged, dtype=np.bool_)
    most = None if named or len(runs) > 1 else judged + NAMED
    for name, source in runs:
        table = read_table(source, documents, most)
        rankings[name], seen = _read_run(source, table, grades.qids, qrels.name)
        found.append(seen)
        for one in rankings[name]:
            known[one.documents[one.documents <= judged] - 1] = True
    shared = take_shared(found)
    notes = [f"{one.source}: {warning}" for one in found for warning in one.warnings] + shared
    if said := _likeness(documents, judged, known.any(), most):
        notes.append(f"{qrels.name}: {said}")
    return Files(qrels.name, grades, rankings, top, options.rules(rubric), notes)


def _own(run: OrderedRun, qids: Sequence[str], documents: Codes) -> int:
    """How many queries have a document of their own id among the first."""
    own = documents.known(qids)
    place = np.arange(len(run.query)) - np.searchsorted(run.query, run.query)
    found = (run.document == own[run.query]) & (place < FIRST_PLACES)
    return int(np.count_nonzero(found))


def _likeness(documents: Codes, judged: int, some_returned: np.bool_, most: int | None) -> str:
    """What there is to say of how judged documents are called, and those that nobody judged."""
    if not judged or (some_returned and documents.count >= (most or MOST_HELD)):
        return ""
    if not some_returned:
        returned = sorted(documents.names(np.arange(judged, documents.count)))
        return strangers(documents.names(np.arange(min(judged, REMEMBERED))), returned)
    keys = documents.spelling_keys(spelling)
    others = judged + np.flatnonzero(np.isin(keys[judged:], keys[:judged]))
    known = np.flatnonzero(np.isin(keys[:judged], keys[others]))
    alike = look_alikes(documents.names(others), documents.names(known), spelling)
    return f"documents: {alike}" if alike else ""


def _scale(grades: FileGrades, name: str, options: ScoreOptions) -> int:
    """The highest grade of the qrels: the top of a scale that nobody has named.

    Other tools give 0 where a threshold is above it; their numbers are reproduced there too.
    """
    top = max(1, int(grades.grade.max(initial=1)))
    if options.like is None:
        options.check_grades(top, name, SCALE)
        return top
    return max(top, options.threshold or 1, *(one.rel or 1 for one in options.measures))


def _of_qrels(grades: FileGrades, name: str) -> Found:
    """What is odd about the qrels."""
    found = Found(name, "qrels")
    found.note(
        grades.negative,
        "negative grades",
        "{count:row has|rows have} no grade or one below 0: pooled, and not judged",
    )
    found.note(grades.repeated, "repeated", "{count:row says|rows say} again what another says")
    return found


def read_table(source: Source, documents: Codes, most: int | None) -> RunTable:
    """The rows of a run.

    Raises
    ------
    InputError
        If it is bad.
    """
    problems = Problems(source.name)
    try:
        table = run_table(read_run(source, problems), documents, most)
    except NamesNeededError:
        return read_table(source, documents, None)
    problems.raise_if_any("a run")
    return table


def _read_run(
    source: Source, table: RunTable, qids: Sequence[str], qrels: str
) -> tuple[list[Ranking], Found]:
    """The rankings of a run, and what is odd about it.

    Raises
    ------
    InputError
        If it has no query in common with the qrels.
    """
    found = Found(source.name, "run")
    rule = rule_of(table.query, table.rank)
    run = displayed(table.query, table.document, table.rank, table.score, rule)
    note_run(found, run.counts, rule)
    note_own(found, _own(run, table.qids, table.documents), len(table.qids))
    if run.counts.ties and not run.counts.tied_at_cutoff:
        found.note(run.counts.ties, "tied scores", "{count:row has|rows have} a tied score")
    rows = {qid: row for row, qid in enumerate(qids)}
    numbers = [rows.get(qid, -1) for qid in table.qids]
    unknown = [qid for qid in table.qids if qid not in rows]
    alike = look_alikes(unknown, qids)
    if len(unknown) == len(table.qids):
        raise InputError(
            f"{source.name}: none of its queries ({some(unknown, 3)}) is in {qrels} "
            f"({some(qids, 3)}); {alike or 'are these the ids of another query set?'}"
        )
    found.note(
        len(unknown),
        "unknown queries",
        "{count:query is|queries are} not in the qrels, so left out: "
        + some(unknown) + (f"; {alike}" if alike else ""),
    )  # fmt: skip
    found.note(
        len(qids) - len(set(numbers) - {-1}),
        "queries without a ranking",
        "{count:query of the qrels has|queries of the qrels have} no results",
    )
    rankings = [
        Ranking(numbers[one.query], one.documents + np.int32(1), one.scores)
        for one in run.rankings()
        if numbers[one.query] >= 0
    ]
    return rankings, found
