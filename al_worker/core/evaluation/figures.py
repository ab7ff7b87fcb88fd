"""Compute figures of a classifier from true and predicted columns, as scikit-learn does with zero_division=0."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.probabilities import log_softmax, row_entropy

QUANTILES = {"min": 0.0, "q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95, "max": 1.0}
BINS = 20


def confusion(true: NDArray[np.int_], predicted: NDArray[np.int_], n_labels: int) -> NDArray[np.int_]:
    """Return (C, C) counts. Rows are true labels, columns predicted labels.

    `true` and `predicted` are (n,) columns from 0 to C - 1.
    """
    table = np.zeros((n_labels, n_labels), dtype=np.int_)
    np.add.at(table, (true, predicted), 1)
    return table


def classification_figures(
    true: NDArray[np.int_], predicted: NDArray[np.int_], labels: Sequence[str]
) -> dict[str, Any]:
    """Return n, accuracy, macro-F1 over the labels that occur, figures for each label, and the confusion matrix.

    `true` and `predicted` are (n,) columns of `labels`, with n of one or more. All shares are from 0 to 1.
    """
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
    """Return figures of a pool of one item or more, from its (n, C) logits.

    They are the share of each predicted label, and quantiles and a histogram of the entropy divided by ln C.
    A second histogram is of the summed probability of the positive labels.
    Histograms count items in BINS equal bins from 0 to 1; the last bin includes 1.
    """
    predicted = predicted_share(logits.argmax(axis=1), labels)
    log_p = log_softmax(logits.astype(np.float64))
    entropy = entropy_share(log_p)
    columns = [column for column, label in enumerate(labels) if label in positive]
    quantiles = {name: float(np.quantile(entropy, at)) for name, at in QUANTILES.items()}
    return {
        "n": len(logits),
        "predicted_share": predicted,
        "predicted_positive_share": sum(predicted[label] for label in positive) if positive else None,
        "entropy_over_ln_c": {**quantiles, "mean": float(entropy.mean())},
        "entropy_histogram": _histogram(entropy),
        "positive_histogram": _histogram(np.exp(log_p[:, columns]).sum(axis=1)) if columns else None,
    }


def predicted_share(predicted: NDArray[np.int_], labels: Sequence[str]) -> dict[str, float]:
    """Return {label: share of the items predicted so}, over one item or more. It is exactly 1 where all are."""
    shares = np.bincount(predicted, minlength=len(labels)) / len(predicted)
    return {label: float(share) for label, share in zip(labels, shares, strict=True)}


def entropy_share(log_p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n,) entropies divided by ln C, from 0 to 1, for (n, C) log-probabilities."""
    return row_entropy(log_p) / np.log(max(log_p.shape[1], 2))


def _histogram(values: NDArray[np.float64]) -> list[int]:
    # Rounding can push a sum of probabilities just above 1.
    counts, _ = np.histogram(values.clip(0.0, 1.0), bins=BINS, range=(0.0, 1.0))
    return [int(count) for count in counts]


def _label_figures(table: NDArray[np.int_], column: int) -> dict[str, Any]:
    hits, support, predicted = int(table[column, column]), int(table[column].sum()), int(table[:, column].sum())
    return {
        "n": support,
        "precision": hits / predicted if predicted else 0.0,
        "recall": hits / support if support else 0.0,
        "f1": 2 * hits / (support + predicted) if support + predicted else 0.0,
    }
