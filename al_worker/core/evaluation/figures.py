"""Compute figures of a classifier from true and predicted labels, as scikit-learn does with zero_division=0.

What is measured depends on the kind of the head. An ordered one has also the mean absolute error in labels of the scale
and Cohen's kappa with quadratic weights. One of sets is measured label by label, and its accuracy is the share of sets
that are right as a whole.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.acquisition.probabilities import label_pairs, log_softmax, row_entropy
from al_worker.core.run.config import HeadSettings
from al_worker.formats.heads import ORDERED, SEVERAL, set_text

QUANTILES = {"min": 0.0, "q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95, "max": 1.0}
BINS = 20


def predicted_targets(head: HeadSettings, logits: NDArray[np.floating]) -> NDArray[np.int_]:
    """Return (n, units) predicted targets of a head (heads.targets_at), from its (n, C) logits.

    One label is the most likely one. Of a set, each label counts that is more likely than not. Of an ordered scale it
    is the median of the distribution, as CORN predicts: the first label that the truth lies above with at most 0.5.
    """
    if head.kind == SEVERAL:
        return (logits > 0).astype(np.int_)
    if head.kind == ORDERED:
        up_to = np.exp(log_softmax(logits.astype(np.float64))).cumsum(axis=1)[:, :-1]
        return (1 - up_to > 0.5).sum(axis=1, dtype=np.int_)[:, None]
    return logits.argmax(axis=1).astype(np.int_)[:, None]


def predicted_labels(head: HeadSettings, targets: NDArray[np.int_]) -> list[str]:
    """Return the labels of (n, units) targets as texts, sets in the form in which they are stored."""
    if head.kind == SEVERAL:
        return [set_text(label for label, has in zip(head.labels, row, strict=True) if has) for row in targets.tolist()]
    return [head.labels[column] for column in targets[:, 0].tolist()]


def head_figures(head: HeadSettings, true: NDArray[np.int_], predicted: NDArray[np.int_]) -> dict[str, Any]:
    """Return the figures of a head's kind, from (n, units) true and predicted targets, with n of one or more."""
    if head.kind == SEVERAL:
        return set_figures(true, predicted, head.labels)
    found = classification_figures(true[:, 0], predicted[:, 0], head.labels)
    return found | (order_figures(true[:, 0], predicted[:, 0], len(head.labels)) if head.kind == ORDERED else {})


def set_figures(true: NDArray[np.int_], predicted: NDArray[np.int_], labels: Sequence[str]) -> dict[str, Any]:
    """Return n, the share of exact sets as accuracy, macro-F1 over the labels that occur, and figures for each label.

    `true` and `predicted` are (n, L), 1 where a set has the label. Without any label in either, macro-F1 is 0.
    """
    tables = [confusion(true[:, at], predicted[:, at], 2) for at in range(len(labels))]
    per_label = {label: _label_figures(table, 1) for label, table in zip(labels, tables, strict=True)}
    occurring = [of["f1"] for of, table in zip(per_label.values(), tables, strict=True) if table.sum() - table[0, 0]]
    return {
        "n": len(true),
        "accuracy": float((true == predicted).all(axis=1).mean()),
        "macro_f1": float(np.mean(occurring)) if occurring else 0.0,
        "per_label": per_label,
    }


def order_figures(true: NDArray[np.int_], predicted: NDArray[np.int_], n_labels: int) -> dict[str, Any]:
    """Return the mean absolute error in places of the scale, and Cohen's kappa with quadratic weights.

    Kappa (Cohen 1968) is None where one label is all that occurs: nothing can be expected by chance then.
    """
    table = confusion(true, predicted, n_labels)
    places = np.arange(n_labels)
    weights = (places[:, None] - places[None, :]) ** 2
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(true)
    by_chance = float((weights * expected).sum())
    return {
        "mean_absolute_error": float(np.abs(true - predicted).mean()),
        "quadratic_weighted_kappa": 1 - float((weights * table).sum()) / by_chance if by_chance else None,
    }


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


def pool_figures(head: HeadSettings, logits: NDArray[np.floating]) -> dict[str, Any]:
    """Return figures of a pool of one item or more, from the head's (n, C) logits.

    They are the share of each predicted label, and quantiles and a histogram of the entropy divided by its maximum.
    A second histogram is of the summed probability of the positive labels.
    Histograms count items in BINS equal bins from 0 to 1; the last bin includes 1.
    """
    positive = head.positive_labels
    predicted = predicted_share(head, predicted_targets(head, logits))
    entropy = uncertainty(head, logits)
    columns = [column for column, label in enumerate(head.labels) if label in positive]
    log_p = log_softmax(logits.astype(np.float64))
    quantiles = {name: float(np.quantile(entropy, at)) for name, at in QUANTILES.items()}
    return {
        "n": len(logits),
        "predicted_share": predicted,
        "predicted_positive_share": sum(predicted[label] for label in positive) if positive else None,
        "entropy_over_ln_c": {**quantiles, "mean": float(entropy.mean())},
        "entropy_histogram": _histogram(entropy),
        "positive_histogram": _histogram(np.exp(log_p[:, columns]).sum(axis=1)) if columns else None,
    }


def predicted_share(head: HeadSettings, targets: NDArray[np.int_]) -> dict[str, float]:
    """Return {label: share of the items predicted so}, over one item or more. It is exactly 1 where all are.

    An item whose set has several labels counts for each of them.
    """
    counts = targets.sum(axis=0) if head.kind == SEVERAL else np.bincount(targets[:, 0], minlength=len(head.labels))
    return {label: float(share) for label, share in zip(head.labels, counts / len(targets), strict=True)}


def uncertainty(head: HeadSettings, logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (n,) entropies of the head's (n, C) logits divided by their maximum, from 0 to 1.

    The maximum is ln C; of sets it is L ln 2, since the entropies of the L labels are summed.
    """
    exact = logits.astype(np.float64)
    if head.kind == SEVERAL:
        return np.mean([entropy_share(log_softmax(pair)) for pair in label_pairs(exact)], axis=0)
    return entropy_share(log_softmax(exact))


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
