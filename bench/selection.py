"""Seconds to select, once predictions exist: `python bench/selection.py [--pool 176118] [--labeled 1050]`.

Times the acquisition functions on random logits and vectors, and n-gram density on the sentences of a JSONL file
(`--texts FILE.jsonl` or `.jsonl.gz`, one {"id", "text"} a line) where one is given. Prints wall and CPU seconds.
"""

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np

from al_worker.core.acquisition.inputs import Greedy, Inputs
from al_worker.core.acquisition.ranking import in_rank_order
from al_worker.core.acquisition.registry import REGISTRY
from al_worker.formats.strategies import STRATEGIES, check_options
from al_worker.formats.ties import tie_key

QUERY_SIZE = 150


def main() -> None:
    arguments = _arguments()
    inputs = _random_inputs(arguments.pool, arguments.labeled, arguments.dimensions)
    print(f"{arguments.pool} items, {arguments.labeled} labelled, {arguments.dimensions} dimensions, best {QUERY_SIZE}")
    for name, declared in STRATEGIES.items():
        if declared.needs_model:
            _time(name, inputs)
    if arguments.texts:
        _time_ngrams(arguments.texts)


def _time(name: str, inputs: Inputs) -> None:
    with _clock(name):
        scored = REGISTRY[name](inputs, check_options(name, {}))
        ordered = scored.picks(frozenset()) if isinstance(scored, Greedy) else in_rank_order(scored, inputs.pool_keys)
        list(islice(ordered, QUERY_SIZE))


def _time_ngrams(path: Path) -> None:
    opener: Callable = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    keys = np.array([tie_key(13, 0, row["id"]) for row in rows], dtype=np.bytes_)
    texts = [row["text"] for row in rows]
    _time("ngram_density", Inputs(pool_texts=texts, pool_keys=keys))


def _random_inputs(n: int, m: int, d: int) -> Inputs:
    generator = np.random.default_rng(0)
    return Inputs(
        pool_texts=[""] * n,
        pool_keys=np.array([tie_key(13, 1, str(i)) for i in range(n)], dtype=np.bytes_),
        labeled_keys=np.array([tie_key(13, 1, f"l{i}") for i in range(m)], dtype=np.bytes_),
        pool_logits=generator.normal(size=(n, 2)),
        labeled_logits=generator.normal(size=(m, 2)),
        pool_vectors=generator.normal(size=(n, d)).astype(np.float32),
        labeled_vectors=generator.normal(size=(m, d)).astype(np.float32),
    )


@contextmanager
def _clock(name: str) -> Iterator[None]:
    wall, cpu = time.perf_counter(), time.process_time()
    yield
    print(f"{name:18} {time.perf_counter() - wall:7.2f} s wall {time.process_time() - cpu:7.2f} s CPU", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pool", type=int, default=176_118)
    parser.add_argument("--labeled", type=int, default=1050)
    parser.add_argument("--dimensions", type=int, default=768)
    parser.add_argument("--texts", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
