#!/usr/bin/python3
"""Write tests/eval/fixtures/sklearn_metrics.json: scores with scikit-learn's AUC and AP.

Needs python3-sklearn; run it again only to change the cases.
"""

import json
import pathlib

import numpy
import sklearn
from sklearn.metrics import average_precision_score, roc_auc_score

TARGET = pathlib.Path(__file__).parents[1] / "tests/eval/fixtures/sklearn_metrics.json"


def scored(name, positives, negatives):
    # As float32 first: the library ranks floats, and rounding must not break or make ties.
    positives = numpy.asarray(positives, dtype=numpy.float32)
    negatives = numpy.asarray(negatives, dtype=numpy.float32)
    labels = numpy.concatenate([numpy.ones(len(positives)), numpy.zeros(len(negatives))])
    scores = numpy.concatenate([positives, negatives])
    return {
        "name": name,
        "positives": positives.tolist(),
        "negatives": negatives.tolist(),
        "auc": float(roc_auc_score(labels, scores)),
        "ap": float(average_precision_score(labels, scores)),
    }


def main():
    draw = numpy.random.default_rng(1)
    tenths = lambda shift, count: numpy.round(draw.normal(shift, 1, count), 1)
    cases = [
        scored("by hand", [2, 0], [1, 0]),
        scored("no ties", draw.normal(1, 1, 30).round(4), draw.normal(0, 1, 40).round(4)),
        scored("some ties", tenths(1, 40), tenths(0, 40)),
        scored("many ties", draw.integers(1, 6, 50), draw.integers(0, 5, 70)),
        scored("two values", draw.integers(0, 2, 25), draw.integers(0, 2, 35)),
        scored("all equal", [0.5] * 7, [0.5] * 11),
        scored("perfect", [3, 4, 4, 5], [1, 2, 2, -1]),
        scored("reversed", [1, 2, 2, -1], [3, 4, 4, 5]),
        scored("few positives", tenths(0, 2), tenths(0, 60)),
        scored("few negatives", tenths(0, 60), tenths(0, 2)),
        scored("signed zero", [0.0, -0.0, 1], [-0.0, 0.0, -1]),
    ]
    lines = ",\n".join(json.dumps(case) for case in cases)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(
        f'{{"scikit-learn": "{sklearn.__version__}", "cases": [\n{lines}\n]}}\n'
    )
    print(f"{TARGET}: {len(cases)} cases, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
