"""Time the selection, once predictions exist: `.venv/bin/python -m bench.selection`.

It times the acquisition functions on random logits and vectors (`--pool`, `--labeled`, `--dimensions`).
With `--texts FILE` (JSONL of id and text, plain or .gz) it also times n-gram density, in an empty cache folder. That is
the first batch with indexing, then a round after 150 issued sentences. Last comes the whole select step of such a
round, from files to files.
"""

import argparse
import gzip
import io
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import numpy as np

from al_worker.core.acquisition.inputs import Greedy, Inputs
from al_worker.core.acquisition.ngram_cache import NgramCache
from al_worker.core.acquisition.ranking import in_rank_order
from al_worker.core.acquisition.registry import REGISTRY
from al_worker.core.acquisition.select import select
from al_worker.core.run.config import RunConfig
from al_worker.core.run.progress import Progress
from al_worker.formats.run_directory import CONFIG, ISSUED, LABELED, POOL, Item, write_config, write_items
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


def _time(name: str, inputs: Inputs, said: str = "") -> list[int]:
    with _clock(said or name):
        scored = REGISTRY[name](inputs, check_options(name, {}))
        ordered = scored.picks(frozenset()) if isinstance(scored, Greedy) else in_rank_order(scored, inputs.pool_keys)
        return [index for index, _ in islice(ordered, QUERY_SIZE)]


def _time_ngrams(path: Path) -> None:
    opener: Callable = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        items = [Item(row["id"], row["text"]) for row in map(json.loads, file)]
    print(f"n-gram density on {len(items)} sentences")
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        first = set(_time("ngram_density", _ngram_inputs(items, [], cache), "first batch, indexing"))
        read = [item for index, item in enumerate(items) if index in first]
        left = [item for index, item in enumerate(items) if index not in first]
        _time("ngram_density", _ngram_inputs(left, read, cache), "later round")
        run = _run_directory(cache / "run", left, read)
        with _clock("later select step"):
            select(run, RunConfig.read(run), Progress("select", stream=io.StringIO()), cache)


def _ngram_inputs(pool: Sequence[Item], read: Sequence[Item], cache: Path) -> Inputs:
    return Inputs(
        pool_texts=[item.text for item in pool],
        pool_keys=np.array([tie_key(13, 0, item.id) for item in pool], dtype=np.bytes_),
        issued_texts=[item.text for item in read],
        make_ngram_table=NgramCache(cache).table,
    )


def _run_directory(run: Path, pool: Sequence[Item], read: Sequence[Item]) -> Path:
    run.mkdir()
    settings = {"number": 1, "query_size": QUERY_SIZE, "random_state": 13}
    write_config(run / CONFIG, {"round": settings, "strategy": {"name": "ngram_density"}})
    for name, items in ((POOL, pool), (ISSUED, read), (LABELED, [])):
        write_items(run / name, items)
    return run


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
    print(f"{name:22} {time.perf_counter() - wall:7.2f} s wall {time.process_time() - cpu:7.2f} s CPU", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pool", type=int, default=176_118)
    parser.add_argument("--labeled", type=int, default=1050)
    parser.add_argument("--dimensions", type=int, default=768)
    parser.add_argument("--texts", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
