"""Score the instances of an interpretation by how often training targets have each continuation, as a baseline.

    python simulations/interpretation_baseline.py var/interpretation/results-small/instances.jsonl \\
        var/interpretation/targets.jsonl > var/interpretation/frequency.jsonl
    python -m al_worker.core equivalence results var/interpretation/evaluations.json var/interpretation/frequency.jsonl

It reads neither the source nor the prefix. What a model has above it comes from one of these. The score is the
logarithm of the share of the category's training spans that have these words, or this comment. One is added to each
count, so that none is 0.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import Any


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("instances", type=Path, help="instances.jsonl of a run")
    parser.add_argument("targets", type=Path, help="the targets, of which the split train is counted")
    arguments = parser.parse_args()
    spans = list(_spans(arguments.targets))
    n_spans = Counter(category for category, _, _ in spans)
    counts = Counter((category, part) for category, *parts in spans for part in parts)
    for row in _rows(arguments.instances):
        kind = row["annotation"].upper()
        scores = {
            f"log_p_{sign}": log((1 + counts[kind, row[sign]]) / (1 + n_spans[kind]))
            for sign in ("positive", "negative")
        }
        print(json.dumps(row | scores, ensure_ascii=False))


def _spans(targets: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the category of each training span with its words, and with its comment as a continuation has it."""
    for target in _rows(targets):
        for span in target["spans"] if target["split"] == "train" else []:
            yield span["category"], target["text"][span["start"] : span["end"]], f"({span['comment']})"


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line:
            yield json.loads(line)


if __name__ == "__main__":
    main()
