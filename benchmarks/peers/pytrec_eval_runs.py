"""Score TREC runs with pytrec_eval as a short script does: ``QRELS RUN…``; JSON out."""

import json
import sys

import pytrec_eval

with open(sys.argv[1]) as lines:
    qrels = pytrec_eval.parse_qrel(lines)
asked = {"ndcg_cut.10", "P.10", "recall.1000", "recip_rank", "map"}
evaluator, means = pytrec_eval.RelevanceEvaluator(qrels, asked), {}
for path in sys.argv[2:]:
    with open(path) as lines:
        scored = evaluator.evaluate(pytrec_eval.parse_run(lines)).values()
    names = next(iter(scored))
    means[path] = {name: sum(one[name] for one in scored) / len(qrels) for name in names}
print(json.dumps(means))
