"""Small simulations for tests: two kinds of sentences as the data, the bag of words as the model."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from al_worker.core.__main__ import main
from al_worker.formats.run_directory import Item, write_items
from tests.core.run_dirs import sentences

STRATEGIES = """
[strategies.random]

[strategies.ngram-2]
name = "ngram_density"
j = 2

[strategies.entropy]

[strategies.cal]
k = 5
"""


def write_simulation(
    folder: Path,
    *,
    strategies: str = STRATEGIES,
    models: str = '[models.bow]\nname = "bow-logreg"\n',
    n_train: int = 60,
    run: Mapping[str, Any] | None = None,
    more: str = "",
) -> Path:
    """A configuration beside its data; results go to the folder `results` beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    # Numbers in the texts would tell the test items from the others.
    items = [Item(item.id, item.text.rsplit(" ", 1)[0], item.label) for item in sentences(n_train + 30)]
    write_items(folder / "train.jsonl", items[:n_train])
    write_items(folder / "test.jsonl", items[n_train:])
    values = {"results": "results", "seeds": [1, 2], "batch_sizes": [5], "batches": 4, "processes": 2, **(run or {})}
    lines = [f"{name} = {json.dumps(value)}" for name, value in values.items()]
    data = '[data]\ntrain = "train.jsonl"\ntest = "test.jsonl"\npositive_labels = ["yes"]\n'
    config = folder / "study.toml"
    config.write_text("\n".join([data, "[run]", *lines, strategies, models, more]))
    return config


def simulate(config: Path, *more: str) -> int:
    """The command line's exit code, in this process (cells run in their own)."""
    return main(["simulate", str(config), "--cache", str(config.parent / "cache"), *more])


def result_lines(config: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (config.parent / "results" / "results.jsonl").read_text().splitlines()]


def cell_lines(config: Path, name: str) -> list[dict[str, Any]]:
    path = config.parent / "results" / "cells" / name / "lines.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()]
