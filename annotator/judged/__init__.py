"""The fast way from a run file and judgments to graded rankings, where no project is wanted."""

from annotator.judged.many import read_judged_runs
from annotator.judged.pairs import JudgedPairs
from annotator.judged.qrels import read_judged_pairs
from annotator.judged.ranking import Order
from annotator.judged.reader import JudgedRun, read_judged_run
from annotator.ordering import Counts

__all__ = [
    "Counts",
    "JudgedPairs",
    "JudgedRun",
    "Order",
    "read_judged_pairs",
    "read_judged_run",
    "read_judged_runs",
]
