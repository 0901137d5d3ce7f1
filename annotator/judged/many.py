"""Reads many runs, on all processors where that pays."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeAlias

from annotator.formats.problems import Problems
from annotator.formats.source import Source
from annotator.judged.pairs import JudgedPairs
from annotator.judged.ranking import Order
from annotator.judged.reader import JudgedRun, read_judged_run

WORTH_A_PROCESS = 32 * 1024 * 1024
"""Bytes that take longer to read than a process takes to start."""

Read: TypeAlias = tuple[JudgedRun, Problems]


def read_judged_runs(
    sources: Sequence[Source],
    pairs: JudgedPairs,
    *,
    order: Order = "displayed",
    depth: int | None = None,
    keyed: bool = False,
    processes: int | None = None,
) -> Iterator[Read]:
    """Read run files as `read_judged_run` does; give each with its bad lines, in their order.

    Parameters
    ----------
    processes
        How many to read with; None for as many as there are processors and enough to read.
    """
    if processes is None:
        processes = _worthwhile(sources)
    if processes < 2:
        for source in sources:
            yield _read(source, pairs, order, depth, keyed)
        return
    # A copy of this process starts at once, where a new one would have to import everything.
    context = get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(
        processes - 1, context, initializer=_prepare, initargs=(pairs, order, depth, keyed)
    ) as pool:
        # Others begin at the end, this process at the beginning, until they meet.
        futures = [pool.submit(_read_prepared, source) for source in reversed(sources)][::-1]
        try:
            for source, future in zip(sources, futures, strict=True):
                yield (
                    _read(source, pairs, order, depth, keyed)
                    if future.cancel()
                    else future.result()
                )
        finally:
            pool.shutdown(cancel_futures=True)


def _worthwhile(sources: Sequence[Source]) -> int:
    size = sum(source.path.stat().st_size for source in sources if source.path.is_file())
    return min(len(sources), len(os.sched_getaffinity(0)), max(1, size // WORTH_A_PROCESS))


def _read(source: Source, pairs: JudgedPairs, order: Order, depth: int | None, keyed: bool) -> Read:
    problems = Problems(source.name)
    run = read_judged_run(source, pairs, problems, order=order, depth=depth, keyed=keyed)
    return run, problems


_prepared: tuple[JudgedPairs, Order, int | None, bool]


def _prepare(pairs: JudgedPairs, order: Order, depth: int | None, keyed: bool) -> None:
    global _prepared
    _prepared = (pairs, order, depth, keyed)


def _read_prepared(source: Source) -> Read:
    return _read(source, *_prepared)
