"""Score TREC runs with ranx as a short script does: ``QRELS RUN…``; JSON out."""

import json
import sys

import ranx

qrels = ranx.Qrels.from_file(sys.argv[1], kind="trec")
asked = ["ndcg@10", "precision@10", "recall@1000", "mrr", "map"]
means = {}
for path in sys.argv[2:]:
    run = ranx.Run.from_file(path, kind="trec")
    scores = ranx.evaluate(qrels, run, asked, make_comparable=True)
    means[path] = {name: float(value) for name, value in scores.items()}
print(json.dumps(means))
