"""Time the pairing of two lists of factoids, and the stability of rankings: `.venv/bin/python -m bench.factoids`.

By default a list has 300 factoids over 50 texts of 20 sentences. A factoid of A stands in 1 to 25 sentences. B's is a
copy in which each sentence is kept with a chance of 0.8 and up to three others are added. `--factoids`, `--texts` and
`--sentences` change the sizes. Printed is the median of five runs, and one run of the stability.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from al_worker.factoids.agreement import annotation_agreement
from al_worker.factoids.lists import FactoidList
from al_worker.factoids.pairing import pair
from al_worker.factoids.reading import factoid_list
from al_worker.factoids.scores import votes_of
from al_worker.factoids.stability import rank_stability


def main() -> None:
    arguments = _arguments()
    a, b = made_lists(arguments.factoids, arguments.texts, arguments.sentences)
    found = pair(a, b)
    print(f"{len(a.factoids)} x {len(b.factoids)} factoids, {len(a.texts)} texts of {arguments.sentences} sentences")
    print(f"{len(found.strong)} strong links, {len(found.weak)} weak ones")
    _time("pairing", lambda: pair(a, b))
    _time("pairing, descriptions too", lambda: pair(a, b, weight=0.5))
    _time("agreement of annotation", lambda: annotation_agreement([a, b]))
    _time("stability, 100 draws each", lambda: list(rank_stability(votes_of(a, a.texts), draws=100)), runs=1)


def made_lists(factoids: int, texts: int, sentences: int) -> tuple[FactoidList, FactoidList]:
    """Two lists with the same ids, the same for the same numbers."""
    draw = random.Random(0)
    names = [f"M{text:02}-{number:03}" for text in range(texts) for number in range(sentences)]
    words = [f"word{number}" for number in range(12)]
    a, b = [], []
    for at in range(factoids):
        own = draw.sample(names, draw.randint(1, 25))
        kept = {name for name in own if draw.random() < 0.8} | set(draw.sample(names, draw.randint(0, 3)))
        a.append({"id": f"P{at}", "description": " ".join(draw.sample(words, 6)), "sentences": own})
        b.append({"id": f"P{at}", "description": " ".join(draw.sample(words, 6)), "sentences": sorted(kept)})
    ids = [f"M{text:02}" for text in range(texts)]
    first, second = (
        factoid_list({"annotator": name, "texts": ids, "factoids": each}, name) for name, each in (("A", a), ("B", b))
    )
    return first, second


def _time(name: str, work: Callable[[], Any], runs: int = 5) -> None:
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    print(f"{name}: {statistics.median(taken):.3f} s")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--factoids", type=int, default=300)
    parser.add_argument("--texts", type=int, default=50)
    parser.add_argument("--sentences", type=int, default=20)
    return parser.parse_args()


if __name__ == "__main__":
    main()
