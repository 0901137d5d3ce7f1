"""How this package and others read judgments and runs and score them: what scoring.py measures.

Each is asked for nDCG@10 (gain = grade), P@10, recall, RR and AP of each query.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAMES = ("ndcg", "p", "recall", "rr", "ap")
Scored = dict[str, dict[str, float]]  # measure, query, value


@dataclass(frozen=True)
class Contestant:
    """How to read judgments, how to read runs, how to score one of them.

    ``modules`` are imported before the clock starts.
    """

    modules: Sequence[str]
    judgments: Callable[[Path], Any]
    runs: Callable[[Any, Sequence[Path]], Iterator[Any]]
    score: Callable[[Any, Any], Scored]


def our_judgments(path: Path) -> Any:
    """The pairs, and what ideal rankings need."""
    from annotator.formats.problems import Problems
    from annotator.formats.source import Source
    from annotator.judged import read_judged_pairs

    return read_judged_pairs(Source(path), Problems(str(path)))


def our_runs(pairs: Any, paths: Sequence[Path]) -> Iterator[Any]:
    """Runs as graded rankings in the order of trec_eval."""
    from annotator.formats.source import Source
    from annotator.judged import read_judged_runs

    for run, problems in read_judged_runs([Source(path) for path in paths], pairs, order="trec"):
        problems.raise_if_any("TREC run")
        yield run


SPELLINGS = ("nDCG@10(gain=linear)", "P@10", "R", "RR", "AP")


def our_scores(pairs: Any, run: Any) -> Scored:
    """The five measures, unjudged documents counted as grade 0, as the others do."""
    from rubric import Measure, Rules, zero_filled

    rankings, rules = run.rankings(pairs, 3), Rules(empty_ideal_zero=True)
    scores = [zero_filled(Measure.parse(text), rankings, rules) for text in SPELLINGS]
    return _by_query(pairs, scores)


def our_scores_with_bounds(pairs: Any, run: Any) -> Scored:
    """The same with exact bounds and condensed scores beside each value."""
    from rubric import Measure, Rules, evaluate

    rankings, rules = run.rankings(pairs, 3), Rules(empty_ideal_zero=True)
    scores = [evaluate(Measure.parse(text), rankings, rules).zero_filled for text in SPELLINGS]
    return _by_query(pairs, scores)


def _by_query(pairs: Any, scores: Sequence[Any]) -> Scored:
    return {
        name: dict(zip(pairs.qids, row.tolist(), strict=True))
        for name, row in zip(NAMES, scores, strict=True)
    }


def dict_judgments(path: Path) -> dict[str, dict[str, int]]:
    """Judgments as dicts."""
    result: dict[str, dict[str, int]] = defaultdict(dict)
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            qid, _, docid, grade = line.split()
            result[qid][docid] = int(grade)
    return dict(result)


def dict_runs(_: Any, paths: Sequence[Path]) -> Iterator[Any]:
    """Runs as dicts."""
    for path in paths:
        result: dict[str, dict[str, float]] = defaultdict(dict)
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                qid, _, docid, _, score, _ = line.split()
                result[qid][docid] = float(score)
        yield dict(result)


def pytrec_eval_judgments(path: Path) -> Any:
    """Its evaluator."""
    import pytrec_eval

    asked = {"ndcg_cut.10", "P.10", "recall.1000", "recip_rank", "map"}
    return pytrec_eval.RelevanceEvaluator(dict_judgments(path), asked)


def pytrec_eval_scores(evaluator: Any, run: Any) -> Scored:
    """Its results, measure first."""
    results = evaluator.evaluate(run)
    theirs = ("ndcg_cut_10", "P_10", "recall_1000", "recip_rank", "map")
    return {
        name: {qid: values[their] for qid, values in results.items()}
        for name, their in zip(NAMES, theirs, strict=True)
    }


def ir_measures_judgments(path: Path) -> Any:
    """Its evaluator."""
    import ir_measures as im

    asked = [im.nDCG @ 10, im.P @ 10, im.R @ 1000, im.RR, im.AP]
    return im.evaluator(asked, list(im.read_trec_qrels(str(path))))


def ir_measures_runs(_: Any, paths: Sequence[Path]) -> Iterator[Any]:
    """Its own reading."""
    import ir_measures as im

    for path in paths:
        yield list(im.read_trec_run(str(path)))


def ir_measures_scores(evaluator: Any, run: Any) -> Scored:
    """Its results, measure first."""
    names = dict(zip(("nDCG@10", "P@10", "R@1000", "RR", "AP"), NAMES, strict=True))
    result: Scored = defaultdict(dict)
    for metric in evaluator.iter_calc(run):
        result[names[str(metric.measure)]][metric.query_id] = metric.value
    return result


def ranx_judgments(path: Path) -> Any:
    """Its judgments."""
    import ranx

    return ranx.Qrels.from_file(str(path), kind="trec")


def ranx_runs(_: Any, paths: Sequence[Path]) -> Iterator[Any]:
    """Its own reading."""
    import ranx

    for path in paths:
        yield ranx.Run.from_file(str(path), kind="trec")


def ranx_scores(judgments: Any, run: Any) -> Scored:
    """Its results, query by query."""
    import ranx

    theirs = ["ndcg@10", "precision@10", "recall", "mrr", "map"]
    ranx.evaluate(judgments, run, theirs, make_comparable=True)
    names = dict(zip(theirs, NAMES, strict=True))
    return {names[their]: dict(values) for their, values in run.scores.items()}


def _polars_columns(path: Path, columns: str, keep: str) -> Any:
    import polars as pl

    kinds = {"r": pl.Int64, "g": pl.Int64, "s": pl.Float64}
    schema = {name: kinds.get(name, pl.String) for name in columns}
    table = pl.read_csv(path, separator=" ", has_header=False, quote_char=None, schema=schema)
    return table.select(*keep)


def polars_judgments(path: Path) -> Any:
    """Judgments, and per query the ideal DCG and the number of relevant documents."""
    import polars as pl

    table = _polars_columns(path, "qidg", "qdg")
    relevant = table.filter(pl.col("g") > 0).sort("q", "g", descending=[False, True])
    relevant = relevant.with_columns(rank=pl.int_range(1, pl.len() + 1).over("q"))
    gain = pl.when(pl.col("rank") <= 10).then(pl.col("g") / (pl.col("rank") + 1).log(2))
    ideal = relevant.group_by("q").agg(ideal=gain.sum(), relevant=pl.len())
    return table, table.select("q").unique().join(ideal, on="q", how="left")


def polars_runs(_: Any, paths: Sequence[Path]) -> Iterator[Any]:
    """Three columns of each run."""
    for path in paths:
        yield _polars_columns(path, "qidrst", "qds")


def polars_scores(judgments: Any, run: Any) -> Scored:
    """One query over sorted rows; both cores."""
    import polars as pl

    table, ideals = judgments
    ranked = run.sort("q", "s", "d", descending=[False, True, True])
    ranked = ranked.with_columns(rank=pl.int_range(1, pl.len() + 1).over("q"))
    hits = ranked.join(table.filter(pl.col("g") > 0), on=["q", "d"]).sort("q", "rank")
    hits = hits.with_columns(seen=pl.int_range(1, pl.len() + 1).over("q"))
    top = pl.col("rank") <= 10
    gain = pl.when(top).then(pl.col("g") / (pl.col("rank") + 1).log(2)).otherwise(0.0)
    sums = hits.group_by("q").agg(
        dcg=gain.sum(),
        p=top.sum() / 10,
        found=pl.len(),
        rr=1 / pl.col("rank").min(),
        precision=(pl.col("seen") / pl.col("rank")).sum(),
    )
    result = ideals.join(sums, on="q", how="left").select(
        pl.col("q", "p", "rr"),
        ndcg=pl.col("dcg") / pl.col("ideal"),
        recall=pl.col("found") / pl.col("relevant"),
        ap=pl.col("precision") / pl.col("relevant"),
    )
    result = result.fill_null(0.0)
    return {name: dict(zip(result["q"], result[name], strict=True)) for name in NAMES}


OURS = ("annotator.judged", "annotator.formats.qrels_trec", "rubric")
CONTESTANTS = {
    "annotator": Contestant(OURS, our_judgments, our_runs, our_scores),
    "annotator+bounds": Contestant(OURS, our_judgments, our_runs, our_scores_with_bounds),
    "pytrec_eval": Contestant(
        ("pytrec_eval",), pytrec_eval_judgments, dict_runs, pytrec_eval_scores
    ),
    "polars": Contestant(("polars",), polars_judgments, polars_runs, polars_scores),
    "ir_measures": Contestant(
        ("ir_measures",), ir_measures_judgments, ir_measures_runs, ir_measures_scores
    ),
    "ranx": Contestant(("ranx",), ranx_judgments, ranx_runs, ranx_scores),
}
