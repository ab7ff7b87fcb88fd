"""Run one cell, batch after batch: the product's rounds on a run directory, with an oracle in place of people.

Batch k is selected by round k, which is trained on the batches before it, exactly as on the server.
Round 0 is uniform random.
Line k of the results tells how good the model of round k + 1 is, which learnt from batches 0 to k.
"""

import io
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.select import select
from al_worker.core.backends.base import Setup
from al_worker.core.backends.registry import backend_for
from al_worker.core.errors import RunBusy
from al_worker.core.run.config import RunConfig
from al_worker.core.run.files import append_row
from al_worker.core.run.lifetime import run_lock
from al_worker.core.run.progress import Progress
from al_worker.core.scoring.predictions import read_arrays
from al_worker.core.scoring.score import score
from al_worker.core.simulation.cells import (
    Cell,
    cell_folder,
    cell_lines,
    cell_open,
    check_versions,
    wanted_lines,
)
from al_worker.core.simulation.config import SimulationSettings
from al_worker.core.simulation.parts import TestSet, held_back, test_set
from al_worker.core.training.heads import resolve_heads
from al_worker.core.training.train import train, training_items
from al_worker.formats.missing import Missing
from al_worker.formats.run_directory import (
    CONFIG,
    EVALUATION,
    ISSUED,
    LABELED,
    METRICS,
    POOL,
    PREDICTIONS,
    SELECTED,
    Item,
    read_items,
    read_json,
    read_selected,
    write_config,
    write_items,
)
from al_worker.formats.simulation import LINES
from al_worker.formats.tables import ConfigError

ROUND = "round"
PATIENCE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Oracle:
    """Hold the labelled pool by id, and the test set. `notices` tell which lines of the files were left out."""

    pool: dict[str, Item]
    test: TestSet
    labels: tuple[str, ...]
    notices: list[str]

    def counts(self, ids: Sequence[str]) -> dict[str, int]:
        """Return how many of the items carry each label."""
        counts = dict.fromkeys(self.labels, 0)
        for item_id in ids:
            counts[str(self.pool[item_id].label)] += 1
        return counts


def read_oracle(settings: SimulationSettings) -> Oracle:
    """Read both data files.

    Raises RunDirectoryError, and ConfigError for empty files, unknown labels and items that stand in both files.
    """
    notices: list[str] = []
    pool = _read(settings, settings.train_file, notices)
    if settings.data.validation_share:
        chosen = held_back(pool, settings.data.validation_share)
        pool, test = [i for i in pool if i.id not in chosen], [i for i in pool if i.id in chosen]
    else:
        test = _read(settings, settings.test_file, notices)
    if not pool or not test:
        said = "".join(f" {notice}" for notice in notices)
        raise ConfigError(f"{settings.path.name}: [data] names an empty file; train and test need items.{said}")
    both = {item.id for item in pool} & {item.id for item in test}
    if both:
        raise ConfigError(f'{settings.path.name}: item "{min(both)}" stands in train and in test; take it out of one')
    labels = tuple(sorted({str(item.label) for item in (*pool, *test)}))
    if strange := [label for label in settings.data.positive_labels if label not in labels]:
        raise ConfigError(
            f'{settings.path.name}: [data] positive_labels holds "{strange[0]}"; the labels are {", ".join(labels)}'
        )
    named = {settings.string_test.label, settings.string_test.otherwise} if settings.string_test else set()
    if unknown := named - {*labels}:
        raise ConfigError(
            f'{settings.path.name}: [string_test] names "{min(unknown)}"; the labels are {", ".join(labels)}'
        )
    return Oracle({item.id: item for item in pool}, test_set(settings, test, labels), labels, notices)


def _read(settings: SimulationSettings, path: Path, notices: list[str]) -> list[Item]:
    """Read a file's items except those whose label is missing, and add notices about them."""
    missing = Missing(frozenset(settings.data.missing))
    items = read_items(path, need_label=True, missing=missing)
    notices += [f"{path.name}: {notice}" for notice in missing.notices]
    return items


def cell_run(settings: SimulationSettings, cell: Cell, cache: Path, on_line: Callable[[dict[str, Any]], None]) -> None:
    """Run what is left of a cell. `on_line` is called with each new line.

    Raises RunBusy if another process has the cell.
    """
    cell_open(settings, cell)
    folder = cell_folder(settings, cell)
    with ExitStack() as stack:
        _lock(stack, folder)
        oracle = read_oracle(settings)
        lines = cell_lines(settings, cell)
        if len(lines) < (wanted := wanted_lines(settings, cell, len(oracle.pool))):
            check_versions(settings, cell)
        batches = _batches(settings, cell, oracle, folder / ROUND, lines)
        while len(lines) < wanted and batches[-1]:
            line = _batch(settings, cell, oracle, folder / ROUND, cache, batches)
            append_row(cell_folder(settings, cell) / LINES, line)
            lines.append(line)
            batches.append(line["selected"])
            on_line(line)
        shutil.rmtree(folder / ROUND, ignore_errors=True)


def _lock(stack: ExitStack, folder: Path) -> None:
    """Hold the cell. A process whose simulation was killed a moment ago is given time to end. Raises RunBusy."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            stack.enter_context(run_lock(folder))
            return
        except RunBusy:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _batches(
    settings: SimulationSettings, cell: Cell, oracle: Oracle, run: Path, lines: Sequence[dict[str, Any]]
) -> list[list[str]]:
    """Return the ids of the batches selected so far. The seed alone gives the first; lines give the later ones."""
    if cell.is_full:
        return [list(oracle.pool)]
    _fresh(run)
    write_config(run / CONFIG, _tables(settings, cell, oracle, 0))
    for name, items in ((LABELED, []), (ISSUED, []), (POOL, _without_labels(oracle, []))):
        write_items(run / name, items)
    select(run, RunConfig.read(run), _quiet("select"))
    return [[entry.id for entry in read_selected(run / SELECTED)], *(line["selected"] for line in lines)]


def _batch(
    settings: SimulationSettings, cell: Cell, oracle: Oracle, run: Path, cache: Path, batches: Sequence[list[str]]
) -> dict[str, Any]:
    """Train on all batches so far, evaluate, select the next batch, and return the results as a line."""
    started = time.monotonic()
    labeled = [item_id for batch in batches for item_id in batch]
    notices, metrics, predicted = _learn(settings, cell, oracle, run, cache, labeled, len(batches))
    selected: list[str] = []
    if not cell.is_full and len(labeled) < len(oracle.pool):
        write_items(run / POOL, _without_labels(oracle, labeled))
        notices += select(run, RunConfig.read(run), _quiet("select"), cache)["notices"]
        selected = [entry.id for entry in read_selected(run / SELECTED)]
    counts, held_out = oracle.counts(labeled), metrics["held_out"]
    return {
        **asdict(cell),
        "batch": len(batches) - 1,
        "n_labeled": len(labeled),
        "class_counts": counts,
        "class_shares": {label: count / len(labeled) for label, count in counts.items()},
        "batch_class_counts": oracle.counts(batches[-1]),
        "macro_f1": held_out["macro_f1"],
        "accuracy": held_out["accuracy"],
        "f1": {label: figures["f1"] for label, figures in held_out["per_label"].items()},
        "parts": {part: oracle.test.figures(predicted, part)["macro_f1"] for part in oracle.test.parts},
        "training_macro_f1": metrics["training"]["macro_f1"],
        "pool_predicted_share": metrics["pool"]["predicted_share"] if metrics["pool"] else None,
        "informative": metrics["informative"],
        "notices": notices,
        "seconds": round(time.monotonic() - started, 3),
        "selected": selected,
        "predicted": predicted.tolist(),
    }


def _learn(
    settings: SimulationSettings, cell: Cell, oracle: Oracle, run: Path, cache: Path, labeled: list[str], number: int
) -> tuple[list[str], dict[str, Any], NDArray[np.intp]]:
    """Train and score in the run directory. Return notices, metrics, and the (n,) predicted columns of the test items.

    The pool is scored only for a strategy that reads predictions of it.
    """
    strategy = settings.strategies.get(cell.strategy)
    learns = strategy is not None and strategy.declaration.needs_model
    _fresh(run)
    write_config(run / CONFIG, _tables(settings, cell, oracle, number))
    write_items(run / LABELED, [oracle.pool[item_id] for item_id in labeled])
    write_items(run / ISSUED, [])
    write_items(run / EVALUATION, oracle.test.items)
    write_items(run / POOL, _without_labels(oracle, labeled) if learns else [])
    setup = Setup.of(RunConfig.read(run), cache)
    backend = backend_for(setup)
    trained = train(run, setup, backend, _quiet("train"))
    vector = str(strategy.options.get("vector", "")) if strategy and strategy.declaration.needs_vectors else ""
    heads = resolve_heads(setup.model, setup.heads, training_items(run))
    losses = trained.get("epoch_losses", ())
    scored = score(run, setup, backend, heads, vector, _quiet("score"), epoch_losses=losses)
    predicted = read_arrays(run / PREDICTIONS)["held_out_logits"].argmax(axis=1)
    return trained["notices"] + scored["notices"], read_json(run / METRICS), predicted


def _tables(settings: SimulationSettings, cell: Cell, oracle: Oracle, number: int) -> dict[str, Any]:
    strategy = settings.strategies.get(cell.strategy)
    chosen = {"name": strategy.name, **strategy.options} if strategy and number > 0 else {"name": "random"}
    size = {"number": number, "query_size": max(cell.batch_size, 1), "random_state": cell.seed}
    case = settings.models[cell.model]
    labels = {"labels": list(oracle.labels), "positive_labels": list(settings.data.positive_labels)}
    return {
        "round": size | dict(settings.round),
        "strategy": chosen,
        "model": {"name": case.name, "revision": case.revision} | labels,
        "training": settings.training_of(cell.model),
    }


def _without_labels(oracle: Oracle, labeled: Sequence[str]) -> list[Item]:
    taken = set(labeled)
    return [Item(item.id, item.text) for item in oracle.pool.values() if item.id not in taken]


def _fresh(run: Path) -> None:
    shutil.rmtree(run, ignore_errors=True)
    run.mkdir(parents=True)


def _quiet(step: str) -> Progress:
    # Steps inside a batch report nothing, because the simulation reports batches.
    return Progress(step, stream=io.StringIO())
