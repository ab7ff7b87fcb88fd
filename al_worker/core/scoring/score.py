"""The score step: predict for pool, training set and held-out items, and compute the round's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.backends.base import Backend, Predicted, Setup
from al_worker.core.evaluation.figures import (
    head_figures,
    pool_figures,
    predicted_labels,
    predicted_share,
    predicted_targets,
)
from al_worker.core.evaluation.informative import doubts, doubts_words
from al_worker.core.evaluation.stopping import stopping_figures
from al_worker.core.run.config import HeadSettings
from al_worker.core.run.files import drop_folder
from al_worker.core.run.progress import Progress
from al_worker.core.scoring.predictions import head_arrays, write_arrays
from al_worker.core.training.heads import (
    MISSING,
    blocks,
    check_labels,
    label_at,
    label_logits,
    said_of,
    targets_at,
)
from al_worker.core.training.train import training_items
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
    run: Path,
    setup: Setup,
    backend: Backend,
    heads: Sequence[HeadSettings],
    vector: str,
    progress: Progress,
    *,
    epoch_losses: Sequence[float] = (),
) -> dict[str, Any]:
    """Write predictions.npz, metrics.json and, with a stopping set, stopping.jsonl. Return facts for the record.

    Each distinct text is scored once. `vector` is the kind of vector to keep, or "".
    `epoch_losses` come from the train step and reveal a model that diverged.
    """
    pool, labeled, held_out, fixed = scanned_items(run)
    check_labels(setup.heads, held_out, EVALUATION)
    texts = distinct_texts(pool, labeled, held_out, fixed)
    computed = backend.predict(run / MODEL, texts, vector, run / SHARDS, progress)
    predicted = replace(computed, logits=label_logits(heads, computed.logits))
    row_of = {text: row for row, text in enumerate(texts)}
    rows = {name: np.array([row_of[i.text] for i in items], dtype=np.intp) for name, items in
            (("pool", pool), ("labeled", labeled), ("held_out", held_out), ("fixed", fixed))}  # fmt: skip
    parts = {"pool": pool, "labeled": labeled, **({"held_out": held_out} if held_out else {})}
    write_arrays(run / PREDICTIONS, _arrays(predicted, parts, rows) | head_arrays(setup.heads))
    stopping = _stopping(run, heads, _unseen(fixed, labeled), len(fixed), predicted.logits, row_of)
    found = {
        head.name: _head_metrics(head, predicted.logits[:, columns], labeled, held_out, rows, epoch_losses)
        | {"stopping": stopping.get(head.name)}
        for head, columns in blocks(heads)
    }
    write_json(run / METRICS, {"number": setup.round.number} | (found.get("") or {"heads": found}))
    if (run / SHARDS).is_dir():
        drop_folder(run / SHARDS)
    notices = [notice for head in heads for notice in _notices(head, found[head.name])]
    return {"n_pool": len(pool), "vector": vector, **predicted.facts, "notices": notices}


def join(run: Path, backend: Backend, vector: str, progress: Progress) -> int:
    """Help the process that scores. Return how many shards were computed here."""
    texts = distinct_texts(*scanned_items(run))
    return backend.join(run / MODEL, texts, vector, run / SHARDS, progress)


def scanned_items(run: Path) -> tuple[list[Item], list[Item], list[Item], list[Item]]:
    """Return pool, training set, held-out items and stopping set: all that is scored, in the order of the scan."""
    return read_items(run / POOL), training_items(run), evaluation_items(run), fixed_items(run)


def distinct_texts(*files: Sequence[Item]) -> list[str]:
    """Return each text once, in the order of its first appearance. Every process that scores uses this order."""
    return list(dict.fromkeys(item.text for items in files for item in items))


def evaluation_items(run: Path) -> list[Item]:
    """Return the held-out items with their labels, if the run directory has any."""
    return read_items(run / EVALUATION, need_label=True) if (run / EVALUATION).is_file() else []


def fixed_items(run: Path) -> list[Item]:
    """Return the stopping set, if the run directory has one: the same items in every round of a project."""
    return read_items(run / STOPPING_SET) if (run / STOPPING_SET).is_file() else []


def _unseen(fixed: Sequence[Item], labeled: Sequence[Item]) -> list[Item]:
    """Return the items of the stopping set whose text the model was not trained on: a model knows the others."""
    known = {item.text for item in labeled}
    return [item for item in fixed if item.text not in known]


def _stopping(
    run: Path,
    heads: Sequence[HeadSettings],
    unseen: Sequence[Item],
    n_set: int,
    logits: NDArray[np.float32],
    row_of: Mapping[str, int],
) -> dict[str, dict[str, Any]]:
    """Return, by head, the predictions for the unseen items of a stopping set, compared with the last model's.

    `n_set` is the size of the whole stopping set.
    The predictions are written for the next round, which so compares only what neither model was trained on.
    """
    if not n_set:
        return {}
    ids, rows = [item.id for item in unseen], np.array([row_of[item.text] for item in unseen], dtype=np.intp)
    said = {head.name: predicted_targets(head, logits[rows, block]) for head, block in blocks(heads)}
    now = {head.name: dict(zip(ids, predicted_labels(head, said[head.name]), strict=True)) for head in heads}
    write_labels(run / STOPPING, now)
    previous = previous_labels(run)
    return {
        head.name: {"n": n_set, "n_unseen": len(ids)}
        | stopping_figures(previous.get(head.name, {}), now[head.name], head.positive_labels)
        | {"predicted_share": predicted_share(head, said[head.name]) if ids else {}}
        for head in heads
    }


def previous_labels(run: Path) -> dict[str, dict[str, str]]:
    """Return {head: {id: label}} of the model before, if the run directory has it. Raises RunDirectoryError."""
    return read_labels(run / PREVIOUS_STOPPING) if (run / PREVIOUS_STOPPING).is_file() else {}


def _arrays(
    predicted: Predicted, parts: Mapping[str, Sequence[Item]], rows: dict[str, NDArray[np.intp]]
) -> dict[str, NDArray]:
    arrays: dict[str, NDArray] = {}
    for part, items in parts.items():
        arrays[f"{part}_ids"] = np.array([item.id for item in items], dtype=np.str_)
        arrays[f"{part}_logits"] = predicted.logits[rows[part]]
        if predicted.vectors is not None and part != "held_out":
            arrays[f"{part}_vectors"] = predicted.vectors[rows[part]]
    return arrays


def _head_metrics(
    head: HeadSettings,
    logits: NDArray[np.float32],
    labeled: Sequence[Item],
    held_out: Sequence[Item],
    rows: dict[str, NDArray[np.intp]],
    epoch_losses: Sequence[float],
) -> dict[str, Any]:
    training = _figures(head, labeled, logits[rows["labeled"]], LABELED)
    in_pool = logits[rows["pool"]]
    pool = pool_figures(head, in_pool) if len(in_pool) else None
    found = doubts(head, training, pool, epoch_losses) if training else []
    return {
        "kind": head.kind,
        "labels": list(head.labels),
        "n_labeled": sum(label_at(head, item) is not None for item in labeled),
        "training": {"measured_on": "the training items themselves, not held-out", **(training or {})},
        "held_out": _figures(head, held_out, logits[rows["held_out"]], EVALUATION),
        "pool": pool,
        "informative": not found,
        "doubts": [{"kind": doubt.kind, "words": doubt.words} for doubt in found],
    }


def _figures(
    head: HeadSettings, items: Sequence[Item], logits: NDArray[np.float32], file: str
) -> dict[str, Any] | None:
    """Return the figures over the items that have a label at the head, or None where none has."""
    true = targets_at(head, items, file)
    known = (true != MISSING).all(axis=1)
    return head_figures(head, true[known], predicted_targets(head, logits[known])) if known.any() else None


def _notices(head: HeadSettings, metrics: dict[str, Any]) -> list[str]:
    return [said_of(head, doubts_words(metrics["doubts"]))] if metrics["doubts"] else []
