"""Figures of a classifier from true and predicted columns; the definitions of scikit-learn with zero_division=0."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.probabilities import log_softmax, row_entropy

QUANTILES = {"min": 0.0, "q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95, "max": 1.0}


def confusion(true: NDArray[np.int_], predicted: NDArray[np.int_], n_labels: int) -> NDArray[np.int_]:
    """(C, C) counts, rows = true label, columns = predicted label."""
    table = np.zeros((n_labels, n_labels), dtype=np.int_)
    np.add.at(table, (true, predicted), 1)
    return table


def classification_figures(
    true: NDArray[np.int_], predicted: NDArray[np.int_], labels: Sequence[str]
) -> dict[str, Any]:
    """n, accuracy, macro-F1 over the labels that occur, per-label figures and the confusion matrix."""
    table = confusion(true, predicted, len(labels))
    per_label = {label: _label_figures(table, column) for column, label in enumerate(labels)}
    occurring = [
        per_label[label]["f1"] for column, label in enumerate(labels) if table[column].sum() + table[:, column].sum()
    ]
    return {
        "n": len(true),
        "accuracy": float(np.trace(table) / len(true)),
        "macro_f1": float(np.mean(occurring)),
        "per_label": per_label,
        "confusion": {"labels": list(labels), "rows": "true", "matrix": table.tolist()},
    }


def pool_figures(logits: NDArray[np.floating], labels: Sequence[str], positive: Sequence[str]) -> dict[str, Any]:
    """Share of each predicted label over the pool, and quantiles of the entropy divided by ln C (0 to 1)."""
    shares = np.bincount(logits.argmax(axis=1), minlength=len(labels)) / len(logits)
    predicted = {label: float(share) for label, share in zip(labels, shares, strict=True)}
    entropy = row_entropy(log_softmax(logits.astype(np.float64))) / np.log(max(len(labels), 2))
    quantiles = {name: float(np.quantile(entropy, at)) for name, at in QUANTILES.items()}
    return {
        "n": len(logits),
        "predicted_share": predicted,
        "predicted_positive_share": sum(predicted[label] for label in positive) if positive else None,
        "entropy_over_ln_c": {**quantiles, "mean": float(entropy.mean())},
    }


def _label_figures(table: NDArray[np.int_], column: int) -> dict[str, Any]:
    hits, support, predicted = int(table[column, column]), int(table[column].sum()), int(table[:, column].sum())
    return {
        "n": support,
        "precision": hits / predicted if predicted else 0.0,
        "recall": hits / support if support else 0.0,
        "f1": 2 * hits / (support + predicted) if support + predicted else 0.0,
    }
