"""Compare one active-learning iteration with small-text's, on the same machine, weights, sentences and libraries.

    .venv/bin/python -m pip install --target /tmp/peer --no-deps small-text==1.4.1 dill
    .venv/bin/python -m bench.al_iteration --with /tmp/peer

small-text (MIT) is not a dependency of the project. It is read from the folder after `--with`, and both arms run on
the libraries of this environment. Two calls that transformers 5 renamed or dropped are restored, in the peer's process
only. `--quick` is a smoke run of a minute or two that measures nothing.

There are three arms:

- ours: the product's own steps on a run directory, with files and hashes;
- tuned peer: max_length is the longest sentence of the pool rounded up to 8, in batches of `--peer-batch`;
- default peer: max_length 512, in batches of 12.

Sentences have at most `--most-words` words, so that no outlier widens the peer's batches. Every arm is a process of its
own, and arms take turns. Each repetition gives a peer another part of the pool. Its batches are as wide as the longest
sentence whatever the pool's size, so its cost per sentence does not depend on the size. Ours scores the whole pool each
time.

Gates come first: our trained weights in the peer must give the same probabilities to 1e-5, and 149 of the same top 150.
bf16 is measured separately where the processor has it, with a gate of its own (2e-3, 145 of 150).
"""

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from al_worker.core.acquisition.entropy import scores
from al_worker.core.acquisition.inputs import Inputs
from al_worker.core.acquisition.ranking import rank_order
from al_worker.formats.models import MINILM, model_folder
from al_worker.formats.run_directory import (
    CONFIG,
    ISSUED,
    LABELED,
    POOL,
    PREDICTIONS,
    Item,
    write_config,
    write_items,
)

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
QUICK = {"labeled": 20, "pool": 120, "tuned_pool": 60, "default_pool": 22, "gate": 40, "query": 20, "repeats": 1,
         "epochs": 1}  # fmt: skip


class Bench:
    """Run the arms of one measurement, and check that they agree."""

    def __init__(self, arguments: argparse.Namespace, folder: Path) -> None:
        self.given, self.folder, self.run = arguments, folder, folder / "run"
        self.width = 0

    def prepare(self) -> None:
        given = self.given
        labeled = _read(given.labeled_file)
        pool = [item for item in _read(given.pool_file) if 4 <= len(item.text.split()) <= given.most_words]
        draw = random.Random(given.seed)
        labeled = draw.sample([Item(i.id, i.text, str(i.label)) for i in labeled if i.label is not None], given.labeled)
        pool = [Item(item.id, item.text) for item in draw.sample(pool, given.pool)]
        self.run.mkdir()
        training = {"epochs": given.epochs, "threads": given.threads, "precision": "fp32"}
        tables: dict[str, Any] = {
            "round": {"number": 1, "query_size": given.query, "random_state": given.seed},
            "strategy": {"name": "entropy"},
            "model": {"name": MINILM, "labels": ["0", "1"]},
            "training": training,
        }
        write_config(self.run / CONFIG, tables)
        for name, items in ((LABELED, labeled), (ISSUED, []), (POOL, pool)):
            write_items(self.run / name, items)
        self.pool = pool
        self.width = -(-_longest([item.text for item in pool]) // 8) * 8

    def arm(self, name: str, *more: Any) -> dict[str, Any]:
        """Run an arm in a process of its own and return its JSON line."""
        command = [
            sys.executable,
            "-W",
            "ignore",
            "-m",
            "bench.al_iteration_arms",
            name,
            str(self.run),
            *map(str, more),
        ]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_WAIT_POLICY": "PASSIVE", "HF_HUB_OFFLINE": "1",
                                    "OMP_NUM_THREADS": str(self.given.threads)}  # fmt: skip
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout.splitlines()[-1])

    def ours(self, name: str, number: int) -> dict[str, Any]:
        return self.arm(name, "--cache", self.folder / f"cache-{number}")

    def peer(self, width: int, batch: int, first: int, last: int, out: Path) -> dict[str, Any]:
        return self.arm(
            "peer-score", "--peer", self.given.peer, "--threads", self.given.threads, "--max-length", width,
            "--batch", batch, "--first", first, "--last", last, "--out", out, "--query", self.given.query,
        )  # fmt: skip

    def predict(self, precision: str, last: int, out: Path) -> dict[str, Any]:
        cache = self.folder / f"cache-{precision}"
        return self.arm("ours-predict", "--cache", cache, "--last", last, "--precision", precision, "--out", out)

    def train(self) -> dict[str, dict[str, Any]]:
        given = self.given
        found = {"ours": self.ours("ours-train", 0)}
        common = "--pretrained", model_folder(MINILM), "--peer", given.peer, "--threads", given.threads
        found["tuned"] = self.arm("peer-train", *common, "--max-length", self.width, "--batch", 50)
        return found

    def gate(self) -> None:
        """Stop the run where the arms do not agree on the first sentences."""
        ours, peer = self.folder / "gate-ours.npz", self.folder / "gate-peer.npz"
        self.predict("fp32", self.given.gate, ours)
        self.peer(self.width, self.given.peer_batch, 0, self.given.gate, peer)
        with np.load(ours) as a, np.load(peer) as b:
            self.agree(f"gate, {self.given.gate} sentences", a["logits"], b["proba"], 1e-5, 1)

    def agree(self, said: str, logits: np.ndarray, proba: np.ndarray, most: float, fewer: int) -> None:
        """Check for equal probabilities, to `most`, and for all but `fewer` of the same best items.

        `logits` and `proba` have shape (sentences, labels). Raises SystemExit where the arms differ.
        """
        query = self.given.query
        difference = float(np.abs(_softmax(logits) - proba).max())
        top = [set(_order(values)[:query].tolist()) for values in (logits, np.log(np.maximum(proba, 1e-30)))]
        same = len(top[0] & top[1])
        print(
            f"{said}: largest |dp| {difference:.1e} (at most {most:g}), {same} of the top {query} the same", flush=True
        )
        if difference > most or same < query - fewer:
            sys.exit("the arms do not compute the same: nothing is measured")


def main() -> None:
    given = _arguments()
    with tempfile.TemporaryDirectory(prefix="al-iteration-") as folder:
        bench = Bench(given, Path(folder))
        bench.prepare()
        print(f"{given.labeled} labelled, {given.pool} in the pool, {given.threads} threads; "
              f"longest sentence {bench.width} tokens (rounded up to 8)", flush=True)  # fmt: skip
        trained = bench.train()
        for name, found in trained.items():
            print(f"train {name:8} {_said(found, 'train')}", flush=True)
        bench.gate()
        measured = _measure(bench)
        _check_whole(bench)
        _report(given, trained, measured)
        _bf16(bench)


def _measure(bench: Bench) -> dict[str, list[dict[str, Any]]]:
    """Run the arms in turn, `repeats` times."""
    given = bench.given
    measured: dict[str, list[dict[str, Any]]] = {"ours": [], "tuned": [], "default": []}
    arms = (("tuned", bench.width, given.peer_batch, given.tuned_pool), ("default", 512, 12, given.default_pool))
    for number in range(given.repeats):
        measured["ours"].append(bench.ours("ours-iteration", number + 1))
        for name, width, batch, total in arms:
            size = total // given.repeats
            out = bench.folder / f"{name}-{number}.npz"
            measured[name].append(bench.peer(width, batch, number * size, (number + 1) * size, out))
        for name, found in measured.items():
            print(f"{number + 1}. {name:8} {_said(found[-1], 'score')}", flush=True)
    return measured


def _check_whole(bench: Bench) -> None:
    with np.load(bench.run / PREDICTIONS) as arrays:
        logits = arrays["pool_logits"]
    for name in ("tuned", "default"):
        parts = []
        for number in range(bench.given.repeats):
            with np.load(bench.folder / f"{name}-{number}.npz") as arrays:
                parts.append(arrays["proba"])
        proba = np.concatenate(parts)
        if len(proba) > bench.given.query:
            bench.agree(f"{name}, {len(proba)} sentences", logits[: len(proba)], proba, 1e-5, 1)


def _report(
    given: argparse.Namespace, trained: dict[str, dict[str, Any]], measured: dict[str, list[dict[str, Any]]]
) -> None:
    print(
        "\n| arm | sentences/s, median (range) | CPU ms a sentence | tokenise ms | select s | peak RSS MiB | train s |"
    )
    print("|---|---|---|---|---|---|---|")
    speeds = {name: [found["n"] / found["seconds"]["score"] for found in runs] for name, runs in measured.items()}
    for name, runs in measured.items():
        cpu = median(1000 * found["cpu"]["score"] / found["n"] for found in runs)
        tokenise = median(1000 * found["seconds"]["tokenise"] / found["n"] for found in runs)
        select = median(found["seconds"]["select"] for found in runs)
        rss = max(found["peak_rss_mib"] for found in runs)
        train = f"{trained[name]['seconds']['train']:.1f}" if name in trained else "-"
        spread = f"{median(speeds[name]):.1f} ({min(speeds[name]):.1f}-{max(speeds[name]):.1f})"
        print(f"| {name} | {spread} | {cpu:.1f} | {tokenise:.3f} | {select:.2f} | {rss} | {train} |")
    for name, goal in (("tuned", 3), ("default", 15)):
        ratio = median(speeds["ours"]) / median(speeds[name])
        print(f"fp32 scoring, ours over the {name} peer: {ratio:.2f} times (goal {goal})")
    if given.json:
        given.json.write_text(json.dumps({"trained": trained, "measured": measured}, indent=1))


def _bf16(bench: Bench) -> None:
    if not _has_bf16():
        print("bf16: this processor has no bf16 arithmetic; not measured")
        return
    given, out = bench.given, bench.folder / "bf16.npz"
    found = [bench.predict("bf16", given.pool, out) for _ in range(given.repeats)]
    with np.load(out) as arrays, np.load(bench.run / PREDICTIONS) as exact:
        bench.agree("bf16 against fp32", exact["pool_logits"], _softmax(arrays["logits"]), 2e-3, 5)
    speeds = [run["n"] / run["seconds"]["score"] for run in found]
    print(f"bf16: {median(speeds):.1f} sentences/s ({min(speeds):.1f}-{max(speeds):.1f})")


def _has_bf16() -> bool:
    flags = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").is_file() else []
    return any(flag in flags for flag in ("avx512_bf16", "amx_bf16", "bf16"))


def _said(found: dict[str, Any], step: str) -> str:
    seconds, cpu = found["seconds"][step], found["cpu"][step]
    return (f"{found['n']:6} sentences in {seconds:7.1f} s ({found['n'] / seconds:6.1f}/s), {cpu:7.1f} CPU s, "
            f"peak {found['peak_rss_mib']} MiB")  # fmt: skip


def _order(logits: np.ndarray) -> np.ndarray:
    keys = np.array([f"{row:09d}" for row in range(len(logits))], dtype=np.bytes_)
    inputs = Inputs(pool_texts=[""] * len(logits), pool_keys=keys, pool_logits=logits.astype(np.float64))
    return rank_order(scores(inputs, {}), keys)


def _softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _longest(texts: Sequence[str]) -> int:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_folder(MINILM), local_files_only=True)
    return max(map(len, tokenizer(list(texts), truncation=True, max_length=512)["input_ids"]))


def _read(path: Path) -> list[Item]:
    if not path.is_file():
        sys.exit(f"{path} is missing; name another file of sentences with --labeled-file and --pool-file")
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    rows = [json.loads(line) for line in data.decode().split("\n") if line]
    return [Item(str(row["id"]), row["text"], row.get("label")) for row in rows]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="peer", type=Path, required=True, help="folder that small-text is installed in")
    parser.add_argument("--labeled-file", type=Path, default=DATA / "tdw" / "tdw-an-25-train.jsonl")
    parser.add_argument("--pool-file", type=Path, default=DATA / "fomc-pool" / "pool.jsonl.gz")
    for name, value in (
        ("labeled", 300), ("pool", 20_000), ("tuned-pool", 12_000), ("default-pool", 1_200), ("gate", 600),
        ("query", 150), ("repeats", 3), ("epochs", 5), ("peer-batch", 64), ("most-words", 100), ("seed", 13),
        ("threads", len(os.sched_getaffinity(0))),
    ):  # fmt: skip
        parser.add_argument(f"--{name}", type=int, default=value, help=f"default {value}")
    parser.add_argument("--quick", action="store_true", help="small sizes: does it run, not how fast")
    parser.add_argument("--json", type=Path, help="write what every process answered")
    given = parser.parse_args()
    if find_spec("small_text") is None and not (given.peer / "small_text").is_dir():
        parser.error(f"{given.peer} holds no small_text; install it there as the docstring says")
    for name, value in QUICK.items() if given.quick else ():
        setattr(given, name, value)
    return given


if __name__ == "__main__":
    main()
