"""Compute every figure of one system at one stage, as docs/methods/evaluation.md lists them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from al_worker.core.evaluation import calibration
from al_worker.core.evaluation.alternative_annotator import TooFewAnswers, alternative_annotator_test
from al_worker.core.evaluation.calibration import Column, Flags
from al_worker.core.evaluation.figures import confusion
from al_worker.core.evaluation.inputs import GoldItem
from al_worker.core.evaluation.prediction_powered import classical_share, prediction_powered_share
from al_worker.core.evaluation.predictions import Prediction, prediction_figures
from al_worker.core.evaluation.resampling import f1_intervals
from al_worker.formats.intervals import wilson

CURVE_POINTS = 200
NO_ANSWERS = "No answers of people are given: the test compares the model with each of them."
NO_POOL = "No unlabelled items were predicted at this stage: choose a pool."
GATED = "Only some items come to this stage, and no one knows which items of the pool would."
TOO_FEW = "It takes two gold labels and two predicted items of the pool or more."
ONE_SIDED = "A half of the items has only right or only wrong predictions, so that nothing can be fitted."


@dataclass(frozen=True)
class StageContext:
    """Hold what a system's figures at a stage need besides its predictions.

    `answers` are people's, or None; `why_no_shares` is a reason, or empty.
    """

    labels: Sequence[str]
    items: Sequence[GoldItem]
    answers: Mapping[str, Mapping[str, str]] | None
    why_no_shares: str
    epsilon: float
    seed: int


def system_figures(
    name: str, rows: Sequence[Prediction], pool: Mapping[str, str | None], stage: StageContext
) -> dict[str, Any]:
    """Return the figures of a system from one prediction or more."""
    return {
        "name": name,
        **prediction_figures(rows),
        "n_without_answer": len(stage.items) - len(rows),
        "problems": dict(Counter(row.problem for row in rows if row.problem)),
        **_f1_figures(rows, stage),
        "by_agreement": _by_agreement(rows, stage.items),
        "calibration": _calibration(rows, stage.seed),
        "stand_in": _stand_in(rows, stage),
        "shares": _shares(rows, pool, stage),
        "as_rater": None,
    }


def _f1_figures(rows: Sequence[Prediction], stage: StageContext) -> dict[str, Any]:
    labels = [*stage.labels, *sorted({row.label for row in rows if row.label} - set(stage.labels))]
    column = {label: at for at, label in enumerate(labels)}
    table = confusion(
        np.array([column[row.gold] for row in rows]),
        np.array([len(labels) if row.label is None else column[row.label] for row in rows]),
        len(labels) + 1,
    )[:-1]
    intervals = f1_intervals(table, stage.seed)
    right, compliant = int(np.trace(table)), int(table[:, :-1].sum())
    return {
        "micro_f1": 2 * right / (len(rows) + compliant),
        "macro_f1_low": intervals["macro"][0],
        "macro_f1_high": intervals["macro"][1],
        "weighted_f1_low": intervals["weighted"][0],
        "weighted_f1_high": intervals["weighted"][1],
        "per_label": [
            _label_figures(
                label,
                int(table[at, at]),
                int(table[at].sum()),
                int(table[:, at].sum()),
                (intervals["label_low"][at], intervals["label_high"][at]),
            )
            for at, label in enumerate(labels)
        ],
    }


def _label_figures(label: str, hits: int, n: int, predicted: int, limits: tuple[float, float]) -> dict[str, Any]:
    occurs = n + predicted > 0
    return {
        "label": label,
        "n": n,
        "n_predicted": predicted,
        "precision": hits / predicted if predicted else None,
        "recall": hits / n if n else None,
        "f1": 2 * hits / (n + predicted) if occurs else None,
        "f1_low": limits[0] if occurs else None,
        "f1_high": limits[1] if occurs else None,
    }


def _by_agreement(rows: Sequence[Prediction], items: Iterable[GoldItem]) -> dict[str, Any] | None:
    agreed = {item.id: item.is_unanimous for item in items if item.is_unanimous is not None}
    if not agreed:
        return None
    return {
        name: _share([row.label == row.gold for row in rows if agreed.get(row.id) is value])
        for name, value in (("unanimous", True), ("majority", False))
    }


def _share(is_right: Sequence[bool]) -> dict[str, Any] | None:
    share = wilson(sum(is_right), len(is_right))
    if share is None:
        return None
    return {"n": len(is_right), "accuracy": share.value, "low": share.low, "high": share.high}


def _calibration(rows: Sequence[Prediction], seed: int) -> dict[str, Any] | None:
    stated = [row for row in rows if row.label is not None and row.confidence is not None]
    if not stated:
        return None
    confidence = np.array([row.confidence for row in stated], dtype=np.float64)
    is_right = np.array([row.label == row.gold for row in stated], dtype=bool)
    low, high = calibration.bootstrap_interval(confidence, is_right, seed)
    return {
        "n": len(stated),
        "ece_low": low,
        "ece_high": high,
        "adaptive_ece": calibration.adaptive_calibration_error(confidence, is_right),
        **_reliability(confidence, is_right),
        "risk_coverage": _curve(confidence, is_right),
        "recalibrated": _recalibrated(confidence, is_right, seed),
    }


def _reliability(confidence: Column, is_right: Flags) -> dict[str, Any]:
    return {
        "ece": calibration.expected_calibration_error(confidence, is_right),
        "brier": calibration.brier_score(confidence, is_right),
        "bins": [asdict(each) for each in calibration.reliability_bins(confidence, is_right)],
    }


def _curve(confidence: Column, is_right: Flags) -> list[dict[str, float]]:
    points = calibration.risk_coverage(confidence, is_right)
    kept = np.unique(np.linspace(0, len(points) - 1, min(CURVE_POINTS, len(points))).round().astype(int))
    return [{"coverage": points[at][0], "risk": points[at][1]} for at in kept.tolist()]


def _recalibrated(confidence: Column, is_right: Flags, seed: int) -> dict[str, Any]:
    scaled = calibration.platt_scaled(confidence, is_right, seed)
    return {"reason": ONE_SIDED} if scaled is None else _reliability(scaled, is_right)


def _stand_in(rows: Sequence[Prediction], stage: StageContext) -> dict[str, Any]:
    if stage.answers is None:
        return {"reason": NO_ANSWERS}
    try:
        test = alternative_annotator_test(stage.answers, {row.id: row.label for row in rows}, stage.epsilon)
    except TooFewAnswers as error:
        return {"reason": str(error)}
    return asdict(test) | {"passes": test.passes}


def _shares(
    rows: Sequence[Prediction], pool: Mapping[str, str | None], stage: StageContext
) -> list[dict[str, Any]] | dict[str, str]:
    if stage.why_no_shares or not pool:
        return {"reason": stage.why_no_shares or NO_POOL}
    if len(rows) < 2 or len(pool) < 2:
        return {"reason": TOO_FEW}
    found = []
    for label in stage.labels:
        gold = np.array([row.gold == label for row in rows], dtype=np.float64)
        predicted = np.array([row.label == label for row in rows], dtype=np.float64)
        unlabelled = np.array([given == label for given in pool.values()], dtype=np.float64)
        found.append(
            {
                "label": label,
                "n": len(rows),
                "n_pool": len(pool),
                "prediction_powered": asdict(prediction_powered_share(unlabelled, predicted, gold)),
                "classical": asdict(classical_share(gold)),
            }
        )
    return found
