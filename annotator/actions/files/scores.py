"""Scores and comparisons of run files against qrels, without a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from annotator import __version__
from annotator.actions.files.boards import Files, read_files
from annotator.actions.files.texts import query_texts
from annotator.formats import Hints, Kind
from annotator.formats.input.source import Source
from annotator.formats.naming import system_name
from annotator.formats.shared_hints import describe
from annotator.results.benchmark import Benchmark
from annotator.results.comparisons import Compared, ComparisonTable
from annotator.results.method import Basis, Method
from annotator.results.scores import ScoreTable, joined
from annotator.scoring.neighbours import neighbours
from annotator.scoring.options import ScoreOptions
from annotator.scoring.paired_systems import adjusted, compared_all, in_every_order
from annotator.scoring.peers import notes_on
from rubric import Rubric

ASSUMED = "taken as of pooled documents, none picked by eye"


def score_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    queries: Path | None = None,
) -> tuple[ScoreTable, list[str]]:
    """Score named run files against a qrels file; both may be of any format that is imported.

    Without a rubric grades go up to the highest in the qrels, gain is exponential and relevance
    begins at grade 1, unless the options say otherwise. The pool is what the qrels hold, negative
    grades among it as unjudged; bounds are over these and every run's top k. What is expected rests
    on the assumption that the labels are of pooled documents, none of which was picked by eye.
    ``queries`` is a file with the texts of the queries.

    Returns
    -------
    The scoreboard, and a sentence for each oddity of the files.

    Raises
    ------
    InputError
        If a file is bad, a grade outside the rubric, or a run shares no query with the qrels.
    UsageError
        If the hints do not fit the files.
    """
    files, tables = read(qrels, runs, options, rubric, hints), []
    texts = query_texts(queries, files.grades.qids)
    for one in options.by_order():
        board = files.board(one)
        if one.foresees:
            board.estimate()
        systems = board.table()
        made = method_of(files, one, rubric, board.basis)
        pairs = neighbours(board, systems) if one.foresees else ()
        tables.append(ScoreTable(made, systems, pairs, texts))
    said = files.notes + notes_on(options, files.runs)
    return joined(tables, [str(measure) for measure in options.measures]), said


def compare_files(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None = None,
    hints: Hints | None = None,
    *,
    seed: int = 0,
    watch: Callable[[int, int], object] | None = None,
) -> tuple[ComparisonTable, list[str]]:
    """Compare every two of the run files on each measure, p values adjusted if there are more.

    Pool, labels and oddities are as in :func:`score_files`, and so is what is raised.
    """
    files = read(qrels, runs, options, rubric, hints)

    def compared_in(options: ScoreOptions) -> tuple[Method, list[Compared]]:
        board = files.board(options)
        board.estimate()
        places = list(combinations(range(len(board.systems)), 2))
        pairs = [
            one
            for measure in options.measures
            for one in compared_all(board, places, measure, seed=seed, watch=watch)
        ]
        return method_of(files, options, rubric, board.basis), pairs

    made, pairs = in_every_order(options, compared_in)
    every = adjusted(pairs) if len(files.runs) > 2 else tuple(pairs)
    return ComparisonTable(made, seed, every), files.notes + notes_on(options, files.runs)


def read(
    qrels: Path,
    runs: Sequence[tuple[str, Path]],
    options: ScoreOptions,
    rubric: Rubric | None,
    hints: Hints | None,
    *,
    named: bool = False,
) -> Files:
    """Read a qrels file and named run files; what is raised is as in :func:`score_files`.

    ``named`` as in :func:`read_files`.
    """
    judged, sources = (
        Source(qrels, imported=False),
        [(name, Source(path, imported=False, depth=options.read)) for name, path in runs],
    )
    if hints is not None:
        describe([(Kind.QRELS, judged), *((Kind.RUN, source) for _, source in sources)], hints)
    return read_files(judged, sources, options, rubric, named=named)


def method_of(
    files: Files, options: ScoreOptions, rubric: Rubric | None, basis: Basis | None
) -> Method:
    """Everything that defines the numbers."""
    pooled, judged = len(files.grades.pooled()[0]), len(files.grades.labels()[0])
    assessors = [one or system_name(Path(files.name)) for one in files.grades.assessors]
    return Method(
        k=tuple(dict.fromkeys(one.k for one in options.measures if one.k is not None)),
        gain=str(files.rules.gain),
        threshold=files.rules.threshold,
        ties=options.ties,
        empty_ideal=options.empty_ideal,
        missing_queries=options.missing_queries,
        unlisted=options.unlisted,
        rubric={
            "name": rubric.name if rubric else f"none, grades 0 to {files.top} of the qrels",
            "version": rubric.version if rubric else None,
            "fingerprint": rubric.fingerprint if rubric else None,
        },
        pool={"method": "qrels", "depth": None, "systems": []},
        assessors=tuple(sorted(assessors)),
        disagreements="the latest label holds",
        disputed=files.grades.disputed,
        outdated=0,
        judged_pairs=judged,
        pooled_pairs=pooled,
        pooled_judged=judged,
        tool=f"annotator {__version__}",
        ideal=options.ideal,
        weights=options.weighting_of(files.grades.qids),
        unjudged="flagged; bounds over every grading of the unjudged rows of the qrels and of "
        "every run's top k",
        expected=None if basis is None else replace(basis, assumed=ASSUMED),
        like=options.like,
        first=options.first,
        benchmark=Benchmark.of(files.grades.qids, files.grades.named_labels()),
    )
