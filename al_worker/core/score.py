"""The score step: the model's predictions on pool, training set and held-out items, and the round's figures."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.backends.base import Backend, Predicted, Setup
from al_worker.core.errors import ConfigError
from al_worker.core.evaluation.figures import classification_figures, pool_figures, predicted_share
from al_worker.core.evaluation.stopping import stopping_figures
from al_worker.core.predictions import write_arrays
from al_worker.core.progress import Progress
from al_worker.core.train import training_items
from al_worker.formats.run_directory import (
    EVALUATION,
    LABELED,
    METRICS,
    MODEL,
    POOL,
    PREDICTIONS,
    PREVIOUS_STOPPING,
    SHARDS,
    STOPPING,
    STOPPING_SET,
    Item,
    read_items,
    read_labels,
    write_json,
    write_labels,
)


def score(
    run: Path, setup: Setup, backend: Backend, labels: Sequence[str], vector: str, progress: Progress
) -> dict[str, Any]:
    """Write predictions.npz, metrics.json and, with a stopping set, stopping.jsonl. A text is scored once."""
    labeled, pool = training_items(run), read_items(run / POOL)
    held_out, fixed = evaluation_items(run), fixed_items(run)
    texts = list(dict.fromkeys(item.text for item in (*pool, *labeled, *held_out, *fixed)))
    predicted = backend.predict(run / MODEL, texts, vector, run / SHARDS, progress)
    row_of = {text: row for row, text in enumerate(texts)}
    rows = {name: np.array([row_of[i.text] for i in items], dtype=np.intp) for name, items in
            (("pool", pool), ("labeled", labeled), ("held_out", held_out), ("fixed", fixed))}  # fmt: skip
    write_arrays(run / PREDICTIONS, _arrays(predicted, pool, labeled, rows))
    metrics = _metrics(setup, predicted.logits, labels, labeled, held_out, rows)
    metrics["stopping"] = _stopping(run, setup, fixed, predicted.logits[rows["fixed"]].argmax(1), labels)
    write_json(run / METRICS, metrics)
    shutil.rmtree(run / SHARDS, ignore_errors=True)
    return {"n_pool": len(pool), "vector": vector, **predicted.facts, "notices": _notices(metrics)}


def evaluation_items(run: Path) -> list[Item]:
    """Held-out items with their labels, if the run directory has any."""
    return read_items(run / EVALUATION, need_label=True) if (run / EVALUATION).is_file() else []


def fixed_items(run: Path) -> list[Item]:
    """The stopping set, if the run directory has one: the same items in every round of a project."""
    return read_items(run / STOPPING_SET) if (run / STOPPING_SET).is_file() else []


def _stopping(
    run: Path, setup: Setup, fixed: Sequence[Item], columns: NDArray[np.intp], labels: Sequence[str]
) -> dict[str, Any] | None:
    """What the model says of the stopping set, written for the next one, and how that differs from the last one's."""
    if not fixed:
        return None
    now = {item.id: labels[column] for item, column in zip(fixed, columns, strict=True)}
    write_labels(run / STOPPING, now)
    previous = read_labels(run / PREVIOUS_STOPPING) if (run / PREVIOUS_STOPPING).is_file() else {}
    figures = stopping_figures(previous, now, setup.model.positive_labels)
    return figures | {"predicted_share": predicted_share(columns, labels)}


def _arrays(
    predicted: Predicted, pool: Sequence[Item], labeled: Sequence[Item], rows: dict[str, NDArray[np.intp]]
) -> dict[str, NDArray]:
    arrays: dict[str, NDArray] = {}
    for part, items in (("pool", pool), ("labeled", labeled)):
        arrays[f"{part}_ids"] = np.array([item.id for item in items], dtype=np.str_)
        arrays[f"{part}_logits"] = predicted.logits[rows[part]]
        if predicted.vectors is not None:
            arrays[f"{part}_vectors"] = predicted.vectors[rows[part]]
    return arrays


def _metrics(
    setup: Setup,
    logits: NDArray[np.float32],
    labels: Sequence[str],
    labeled: Sequence[Item],
    held_out: Sequence[Item],
    rows: dict[str, NDArray[np.intp]],
) -> dict[str, Any]:
    training = classification_figures(
        _columns(labeled, labels, LABELED), logits[rows["labeled"]].argmax(axis=1), labels
    )
    held = None
    if held_out:
        held = classification_figures(
            _columns(held_out, labels, EVALUATION), logits[rows["held_out"]].argmax(1), labels
        )
    pool = logits[rows["pool"]]
    return {
        "number": setup.round.number,
        "labels": list(labels),
        "n_labeled": len(labeled),
        "training": {"measured_on": "the training items themselves, not held-out", **training},
        "held_out": held,
        "pool": pool_figures(pool, labels, setup.model.positive_labels) if len(pool) else None,
    }


def _columns(items: Sequence[Item], labels: Sequence[str], file: str) -> NDArray[np.int_]:
    column_of = {label: column for column, label in enumerate(labels)}
    for item in items:
        if item.label not in column_of:
            raise ConfigError(f'{file}: label "{item.label}" of "{item.id}" is not among those the model knows; '
                              "declare all labels in [model] labels")  # fmt: skip
    return np.array([column_of[item.label or ""] for item in items], dtype=np.int_)


def _notices(metrics: dict[str, Any]) -> list[str]:
    shares = metrics["pool"]["predicted_share"] if metrics["pool"] else {}
    return [
        f'not informative yet: the model predicts "{label}" for every item of the pool'
        for label, share in shares.items()
        if share == 1.0
    ]
