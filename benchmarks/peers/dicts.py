"""Score dicts with ``rubric`` or pytrec_eval, ``NAME QRELS RUN…``: seconds of scoring alone.

Reading is not counted: both are given the dicts that pytrec_eval's own reader makes.
"""

import json
import sys
import time

import pytrec_eval

from rubric import score

name, qrels_path, *run_paths = sys.argv[1:]
with open(qrels_path) as lines:
    qrels = pytrec_eval.parse_qrel(lines)
spent = 0.0
for path in run_paths:
    with open(path) as lines:
        run = pytrec_eval.parse_run(lines)
    began = time.process_time()
    if name == "rubric":
        ndcg = score(qrels, run, ["nDCG@10(gain=linear)", "P@10", "R@1000", "RR", "AP"])
    else:
        asked = {"ndcg_cut.10", "P.10", "recall.1000", "recip_rank", "map"}
        pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    spent += time.process_time() - began
print(json.dumps({"seconds": spent}))
