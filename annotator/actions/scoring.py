"""From a project to its scoreboard."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from annotator import __version__
from annotator.actions.model_labels import wanted_grades
from annotator.actions.rankings import ranked_documents
from annotator.domain import Int32Array, IntArray
from annotator.errors import UsageError
from annotator.results.benchmark import Benchmark
from annotator.results.method import Method
from annotator.results.scores import ScoreTable, joined
from annotator.scoring.board import Board
from annotator.scoring.complete_judgments import judged_completely
from annotator.scoring.neighbours import neighbours
from annotator.scoring.options import Like, MissingQueries, ScoreOptions, Unlisted
from annotator.scoring.pairs import BoardData
from annotator.scoring.peers import notes_on
from annotator.scoring.query_weights import ALIKE, QueryWeights
from annotator.store import Labels, Project
from annotator.text.safe import one_line


def score(project: Project, options: ScoreOptions) -> ScoreTable:
    """Score the systems on the labels there are.

    All systems of the project are on the board, whichever are asked for: the same documents count,
    and the grade model knows the same ranks.

    Raises
    ------
    UsageError
        If there is no system or query, or a named system or assessor is not there.
    """
    labels = load_labels(project, options)
    texts = {query.qid: query.text for query in project.queries.all().values() if query.text}
    tables = []
    for one in options.by_order():
        named = named_systems(project, one.systems)
        board = load_board(project, replace(one, systems=None), labels)
        if one.foresees:
            board.estimate()
        made = replace(method(project, one, labels), expected=board.basis)
        systems = board.table(named)
        pairs = neighbours(board, systems) if one.foresees else ()
        tables.append(ScoreTable(made, systems, pairs, texts))
    return joined(tables, [str(measure) for measure in options.measures])


def like_notes(project: Project, options: ScoreOptions) -> list[str]:
    """Where the numbers are not those of the tool whose rules are followed."""
    systems = named_systems(project, options.systems) if options.like is Like.RANX else {}
    rankings = {name: project.systems.rankings(number) for name, number in systems.items()}
    return notes_on(options, rankings)


def load_labels(project: Project, options: ScoreOptions) -> Labels:
    """The labels that count under the rubric in force, of the assessors asked for."""
    numbers = assessor_numbers(project, options.assessors)
    if models := project.models.models().keys() & set(options.assessors or ()):
        model = min(models)
        raise UsageError(
            f"{one_line(model, 40)} is a model: what it says is no label to score or compare by. "
            f"`annotator export qrels --assessor {shlex.quote(one_line(model))} FILE` writes it "
            "out, and `annotator agreement --models` compares it with people"
        )
    return project.judgments.labels(project.rubrics.counted(options.as_of), numbers, options.as_of)


def assessor_numbers(project: Project, names: Sequence[str] | None) -> list[int] | None:
    """The numbers of the named assessors, None where none are named.

    Raises
    ------
    UsageError
        If one is not in the project.
    """
    if names is None:
        return None
    known = project.judgments.assessors()
    if unknown := [name for name in names if name not in known]:
        raise UsageError(
            f"no assessor {', '.join(unknown)} in the project; there are: "
            f"{', '.join(known) or 'none yet'}"
        )
    return [known[name] for name in names]


def named_systems(project: Project, names: Sequence[str] | None) -> dict[str, int]:
    """The numbers of the named systems, of all where none are named.

    Raises
    ------
    UsageError
        If there is no system, or a named one is not in the project.
    """
    known = {system.name: system.id for system in project.systems.all()}
    if not known:
        raise UsageError("no systems yet; run `annotator import run FILE`")
    unknown = [name for name in names or () if name not in known]
    if out := project.systems.taken_out().intersection(unknown):
        raise UsageError(
            f"{', '.join(sorted(out))} was taken out of the project; "
            "`annotator remove list` shows it, `annotator remove undo` puts it back"
        )
    if unknown:
        close = difflib.get_close_matches(unknown[0], known, n=1, cutoff=0.5)
        hint = f" (did you mean {close[0]}?)" if close else ""
        raise UsageError(
            f"no system {', '.join(unknown)} in the project{hint}; there are: {', '.join(known)}"
        )
    return known if names is None else {name: known[name] for name in names}


def load_board(
    project: Project,
    options: ScoreOptions,
    labels: Labels | None = None,
    deepest: int | None = None,
) -> Board:
    """Load rankings (down to the deepest place), pool and labels into a scoreboard to be kept."""
    labels = labels or load_labels(project, options)
    return board_of(board_data(project, options, labels, deepest), project, options)


def board_of(data: BoardData, project: Project, options: ScoreOptions) -> Board:
    """The scoreboard that the options ask for."""
    return Board(
        data,
        options.measures,
        options.rules(project.rubrics.active(options.as_of).rubric),
        count_missing=options.missing_queries is MissingQueries.ZERO,
        weights=weighted(project, options).weights_of(data.qids),
        pause=project.file.pause,
    )


def weighted(project: Project, options: ScoreOptions) -> ScoreOptions:
    """The options with the weights that hold in the project, unless they have some.

    Other tools have no weights: by their rules all queries count alike.
    """
    if options.weights is not None:
        return options
    if options.like is not None:
        return replace(options, weights=ALIKE)
    kept = project.weights.in_force(options.as_of)
    return replace(options, weights=QueryWeights(*kept) if kept else ALIKE)


def board_data(
    project: Project, options: ScoreOptions, labels: Labels, deepest: int | None = None
) -> BoardData:
    """Rankings, pool and labels as a scoreboard takes them."""
    systems = named_systems(project, options.systems)
    queries = project.queries.all()
    numbers = np.array(list(queries), dtype=np.int64)
    chosen = list(systems.values())
    documents, tied = ranked_documents(project, chosen, numbers, options.ties, deepest)
    pooled_query, pooled_document = project.pool.pairs()
    data = BoardData(
        queries=numbers,
        qids=[query.qid for query in queries.values()],
        systems=list(systems),
        documents=documents,
        tied=tied,
        pooled_query=pooled_query,
        pooled_document=pooled_document,
        label_query=labels.query,
        label_document=labels.document,
        label_grade=labels.grade,
        label_by_eye=labels.by_eye,
        label_foreign=labels.foreign,
        label_given=labels.given,
        models=wanted_grades(project, options.as_of) if options.models else (),
        top=project.rubrics.active(options.as_of).rubric.top,
        pool_depth=project.pool.depth(),
    )
    complete = options.unlisted is Unlisted.ZERO
    return judged_completely(data, pooled_too=True) if complete else data


def of_earlier_text(project: Project, labels: Labels) -> int:
    """How many of the labels were given to another text than the document has now."""
    return len(project.judgments.of_earlier_texts().intersection(labels.event.tolist()))


def method(
    project: Project, options: ScoreOptions, labels: Labels, *, digests: bool = True
) -> Method:
    """Everything that defines the numbers; without ``digests`` not of which queries and labels."""
    version = project.rubrics.active(options.as_of)
    rules = options.rules(version.rubric)
    makings = project.pool.makings()
    qids = [query.qid for query in project.queries.all().values()]
    pooled, judged = _keys(*project.pool.pairs()), _keys(labels.query, labels.document)
    return Method(
        k=tuple(dict.fromkeys(one.k for one in options.measures if one.k is not None)),
        gain=str(rules.gain),
        threshold=rules.threshold,
        ties=options.ties,
        empty_ideal=options.empty_ideal,
        missing_queries=options.missing_queries,
        unlisted=options.unlisted,
        rubric={
            "name": version.rubric.name,
            "version": version.rubric.version,
            "fingerprint": version.fingerprint,
        },
        pool={
            "method": makings[0].method if makings else None,
            "depth": project.pool.depth(),
            "systems": list(dict.fromkeys(name for one in makings for name in one.systems)),
        },
        assessors=tuple(labels.assessors),
        disagreements="the latest label holds",
        disputed=labels.disputed,
        outdated=labels.outdated,
        earlier_text=of_earlier_text(project, labels),
        judged_pairs=len(judged),
        pooled_pairs=len(pooled),
        pooled_judged=int(np.isin(judged, pooled).sum()),
        tool=f"annotator {__version__}",
        ideal=options.ideal,
        weights=weighted(project, options).weighting_of(qids),
        as_of=None if options.as_of is None else options.as_of.isoformat(),
        like=options.like,
        benchmark=_benchmark(project, labels) if digests else None,
    )


def _benchmark(project: Project, labels: Labels) -> Benchmark:
    queries, names = project.queries.all(), project.documents.paired()
    columns = labels.query.tolist(), labels.document.tolist(), labels.grade.tolist()
    return Benchmark.of(
        (one.qid for one in queries.values()),
        ((queries[q].qid, names[d], grade) for q, d, grade in zip(*columns, strict=True)),
    )


def _keys(query: Int32Array, document: Int32Array) -> IntArray:
    """One number for each pair."""
    return query.astype(np.int64) << 32 | document
