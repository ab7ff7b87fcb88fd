"""Compare predictions of any system with gold labels: `python -m al_worker.core metrics GOLD.jsonl PREDICTIONS.jsonl`.

A prediction without a label is *not compliant*: the system refused, was cut off, or gave no label of the list. It is
wrong in the accuracy, and no other figure counts it as a label.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.evaluation.calibration import brier_score, expected_calibration_error
from al_worker.core.evaluation.figures import confusion
from al_worker.formats.intervals import wilson
from al_worker.formats.run_directory import RunDirectoryError, read_rows


@dataclass(frozen=True, slots=True)
class Prediction:
    """Hold what a system said of one item at one stage, beside the gold label.

    `label` is None where the answer was not compliant, and `problem` says why, where that is known. `confidence` is in
    [0, 1], or None where none was stated.
    """

    id: str
    gold: str
    label: str | None
    confidence: float | None
    problem: str | None = None


def read_predictions(gold: Path, predictions: Path) -> tuple[dict[str, list[Prediction]], int]:
    """Return the predictions of every stage in the order of the gold file, and how many had no gold label.

    Gold lines are {"id", "stage", "label"}; lines of predictions are {"id", "stage", "label", "confidence"}. The label
    is null where the answer was not compliant. There is no confidence where the system states none.
    Raises RunDirectoryError for a missing file, a malformed line, and an item that stands twice at a stage. It is also
    raised for a gold label without a prediction, and where only some compliant predictions state a confidence.
    """
    given = {key: (number, record) for key, number, record in _keyed(predictions)}
    stages: dict[str, list[Prediction]] = defaultdict(list)
    stated: set[str] = set()
    unstated: dict[str, int] = {}
    for (stage, name), gold_number, record in _keyed(gold):
        if not isinstance(record.get("label"), str):
            raise RunDirectoryError(gold.name, '"label" must be a text', line=gold_number)
        if (stage, name) not in given:
            message = f"{predictions.name} has no prediction of {name!r} at {stage!r}: give one, with a null label"
            raise RunDirectoryError(gold.name, f"{message} if the system gave none", line=gold_number)
        number, fields = given.pop((stage, name))
        row = _prediction(name, record["label"], number, fields, predictions.name)
        stages[stage].append(row)
        if row.confidence is not None:
            stated.add(stage)
        elif row.label is not None:
            unstated.setdefault(stage, number)
    for stage in stated & unstated.keys():
        message = f'needs a "confidence" from 0 to 1, as other lines of the stage {stage!r} have one'
        raise RunDirectoryError(predictions.name, message, line=unstated[stage])
    return dict(stages), len(given)


def prediction_figures(rows: Sequence[Prediction]) -> dict[str, Any]:
    """Return the figures of one stage from one prediction or more. All shares are in [0, 1].

    The interval of the accuracy is Wilson's, of 95 % (Wilson 1927). The F1 means run over the labels that occur, as
    scikit-learn's do; `weighted_f1` weighs them by their gold counts. `ece` and `brier` compare the confidence with
    being right over the compliant predictions, and are None where no confidence was stated.
    """
    labels = sorted({row.gold for row in rows} | {row.label for row in rows if row.label is not None})
    column = {label: index for index, label in enumerate(labels)}
    # What is not compliant has a column of its own, the last, which is no label's.
    table = confusion(
        np.array([column[row.gold] for row in rows]),
        np.array([len(labels) if row.label is None else column[row.label] for row in rows]),
        len(labels) + 1,
    )[:-1]
    compliant = [row for row in rows if row.label is not None]
    right, n = int(np.trace(table)), len(rows)
    interval = wilson(right, n)
    assert interval is not None
    f1, support = _f1(table), table.sum(axis=1)
    stated = [row for row in compliant if row.confidence is not None]
    confidence = np.array([row.confidence for row in stated], dtype=np.float64)
    is_right = np.array([row.label == row.gold for row in stated], dtype=bool)
    return {
        "n": n,
        "accuracy": right / n,
        "accuracy_low": interval.low,
        "accuracy_high": interval.high,
        "macro_f1": float(f1.mean()),
        "weighted_f1": float((f1 * support).sum() / n),
        "ece": expected_calibration_error(confidence, is_right) if stated else None,
        "brier": brier_score(confidence, is_right) if stated else None,
        "n_not_compliant": n - len(compliant),
        "accuracy_of_compliant": right / len(compliant) if compliant else None,
        "confusion": {gold: {label: int(table[column[gold], column[label]]) for label in labels} for gold in labels},
    }


def _f1(table: NDArray[np.int_]) -> NDArray[np.float64]:
    """Return the (C,) F1 of the labels that occur; the last of the C + 1 columns is what is not compliant."""
    hits, support, predicted = table.diagonal(), table.sum(axis=1), table[:, :-1].sum(axis=0)
    return 2 * hits / (support + predicted)


def _keyed(path: Path) -> Iterator[tuple[tuple[str, str], int, dict[str, Any]]]:
    """Yield (stage, id), the line's number and its object. Raises RunDirectoryError where a pair stands twice."""
    lines: dict[tuple[str, str], int] = {}
    for number, record in read_rows(path):
        for field in ("id", "stage"):
            if not isinstance(record.get(field), str):
                raise RunDirectoryError(path.name, f'"{field}" must be a text', line=number)
        key = (record["stage"], record["id"])
        if (before := lines.setdefault(key, number)) != number:
            message = f"{record['id']!r} at {record['stage']!r} stands in line {before} already"
            raise RunDirectoryError(path.name, message, line=number)
        yield key, number, record


def _prediction(name: str, gold: str, number: int, record: dict[str, Any], file: str) -> Prediction:
    label = record.get("label")
    if "label" not in record or not isinstance(label, str | None):
        raise RunDirectoryError(file, '"label" must be a text, or null where the answer was not compliant', line=number)
    return Prediction(name, gold, label, confidence_read(file, number, record))


def confidence_read(file: str, number: int, record: dict[str, Any]) -> float | None:
    """Return the confidence of a line, None where it states none. Raises RunDirectoryError."""
    given = record.get("confidence")
    if given is None:
        return None
    if type(given) not in (int, float) or not 0 <= given <= 1:
        raise RunDirectoryError(file, f'"confidence" must be a number from 0 to 1, not {given!r}', line=number)
    return float(given)
