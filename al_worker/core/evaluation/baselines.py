"""Predict gold labels by simple systems: the most frequent label, and any backend by cross-validation (OP-FED D.1)."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax
from sklearn.model_selection import StratifiedKFold

from al_worker.core.backends.base import Backend, Example
from al_worker.core.errors import NotEnoughLabels
from al_worker.core.run.config import HeadSettings
from al_worker.core.run.progress import Progress
from al_worker.formats.plurals import several

FOLDS = 4


def majority_label(labels: Sequence[str]) -> str:
    """Return the most frequent of one label or more; of equally frequent ones the first in sorted order."""
    counts = Counter(labels)
    return min(counts, key=lambda label: (-counts[label], label))


def stratified_folds(labels: Sequence[str], k: int, seed: int) -> NDArray[np.int_]:
    """Return for each item the fold, from 0 to k - 1, that it is predicted in.

    Folds are stratified by label and shuffled by the seed. A label with fewer than k items is missing from some folds.
    Raises NotEnoughLabels where there are fewer than k items, or a single label.
    """
    if len(labels) < k or len(set(labels)) < 2:
        given = several(len(labels), "item")
        raise NotEnoughLabels(f"{given} cannot be split into {k} folds, which need {k} items and two labels.")
    fold = np.empty(len(labels), dtype=np.int_)
    # Too few items of every label cannot be stratified, which scikit-learn refuses.
    splitter = StratifiedKFold(min(k, max(Counter(labels).values())), shuffle=True, random_state=seed)
    for number, (_, held_out) in enumerate(splitter.split(np.zeros(len(labels)), labels)):
        fold[held_out] = number
    return fold


def cross_validated(
    backend: Backend, texts: Sequence[str], labels: Sequence[str | None], folds: NDArray[np.int_], progress: Progress
) -> tuple[list[str], NDArray[np.float64], list[str]]:
    """Return each item's predicted label, its probability in [0, 1], and notices.

    The backend is fitted on the other folds and predicts the item's own, so that no item is predicted by a model that
    saw it. `texts`, `labels` and `folds` have n items. An item without a label is predicted, and never trained on.
    """
    keys = sorted({label for label in labels if label is not None})
    head = HeadSettings(name="", labels=tuple(keys))
    predicted, probability = [""] * len(texts), np.empty(len(texts))
    told: dict[str, list[int]] = {}
    for number in sorted(set(folds.tolist())):
        held_out: list[int] = np.flatnonzero(folds == number).tolist()
        others: list[int] = np.flatnonzero(folds != number).tolist()
        # A backend predicts each text once.
        distinct = list(dict.fromkeys(texts[at] for at in held_out))
        with tempfile.TemporaryDirectory() as name:
            folder, scratch = Path(name) / "model", Path(name) / "scratch"
            folder.mkdir()
            scratch.mkdir()
            examples = [Example(texts[at], (keys.index(label),)) for at in others if (label := labels[at]) is not None]
            facts = backend.train(examples, [head], folder, progress)
            logits = backend.predict(folder, distinct, "", scratch, progress).logits
        for notice in facts["notices"]:
            told.setdefault(notice, []).append(number + 1)
        shares = softmax(logits.astype(np.float64), axis=1)
        row_of = {text: row for row, text in enumerate(distinct)}
        for at in held_out:
            row = shares[row_of[texts[at]]]
            predicted[at], probability[at] = keys[int(row.argmax())], float(row.max())
    return predicted, probability, [in_folds(numbers, notice) for notice, numbers in told.items()]


def in_folds(numbers: Sequence[int], notice: str) -> str:
    """Return what was said of folds, once for all of them."""
    return f"{'fold' if len(numbers) == 1 else 'folds'} {', '.join(map(str, numbers))}: {notice}"
