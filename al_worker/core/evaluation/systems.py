"""Let a system predict the gold items and the pool: by a rule, by folds, by asking, or from a file."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from al_worker.core.backends.base import Setup
from al_worker.core.backends.registry import backend_for
from al_worker.core.errors import NotEnoughLabels
from al_worker.core.evaluation.baselines import cross_validated, majority_label, stratified_folds
from al_worker.core.evaluation.config import EvaluationSettings
from al_worker.core.evaluation.inputs import GoldItem, Inputs, Rows
from al_worker.core.evaluation.language_models import language_model_answers
from al_worker.core.evaluation.predictions import Prediction
from al_worker.core.run.config import RunConfig
from al_worker.core.run.progress import Progress
from al_worker.formats.evaluation import MAJORITY
from al_worker.formats.models import learning_rate_for


@dataclass
class SystemPredictions:
    """Hold what a system predicted, by stage: the gold items, and labels of pool items by id.

    `facts` say which models answered, with which parameters, and what it took.
    """

    name: str
    kind: str
    gold: dict[str, list[Prediction]] = field(default_factory=dict)
    pool: dict[str, dict[str, str | None]] = field(default_factory=dict)
    facts: dict[str, Any] = field(
        default_factory=lambda: {"answered_by": [], "parameters": {}, "tokens_in": 0, "tokens_out": 0, "n_failed": 0}
    )
    notices: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the lines of the file of predictions."""
        for stage, rows in self.gold.items():
            for row in rows:
                yield {
                    "id": row.id,
                    "stage": stage,
                    "system": self.name,
                    "label": row.label,
                    "confidence": row.confidence,
                    "gold": row.gold,
                }
        for stage, labels in self.pool.items():
            for item, label in labels.items():
                yield {"id": item, "stage": stage, "system": self.name, "label": label, "confidence": None}


def predict(settings: EvaluationSettings, inputs: Inputs, system: str, cache: Path, form: str) -> SystemPredictions:
    """Let one system predict. Raises ModelUnavailable, ProviderError and Stopped."""
    progress = Progress(system, form)
    if system in settings.language_models:
        return _asked(settings, inputs, system, progress)
    if system == MAJORITY:
        return _majority(inputs)
    if system in settings.trained:
        return _trained(settings, inputs, system, cache, progress)
    return _from_rows(SystemPredictions(system, "given"), inputs, inputs.given[system])


def folds_of(settings: EvaluationSettings, items: Sequence[GoldItem], n_pool: int) -> NDArray[np.int_]:
    """Return the fold of each gold item, then of each pool item, which fall into the folds in turn.

    So every pool item is predicted by the model of one fold, as in cross-prediction (Zrnic and Candes 2024).
    """
    folds = stratified_folds([item.label for item in items], settings.run.folds, settings.run.seed)
    return np.concatenate([folds, np.arange(n_pool) % (int(folds.max()) + 1)])


def _majority(inputs: Inputs) -> SystemPredictions:
    found = SystemPredictions(MAJORITY, "majority")
    for stage, items in inputs.gold.items():
        label = majority_label([item.label for item in items])
        found.gold[stage] = [Prediction(item.id, item.label, label, None) for item in items]
        found.pool[stage] = {item.id: label for item in inputs.pool[stage]}
    return found


def _trained(
    settings: EvaluationSettings, inputs: Inputs, system: str, cache: Path, progress: Progress
) -> SystemPredictions:
    called, rate = settings.title_of, rate_of(settings, system)
    tables = {
        "round": {"number": 0, "query_size": 1, "random_state": settings.run.seed},
        "model": {"name": settings.trained[system]},
        "training": asdict(settings.training) | rate,
    }
    backend = backend_for(Setup.of(RunConfig(tables, settings.path.name), cache))
    found = SystemPredictions(system, "trained")
    found.facts["parameters"] = rate
    for stage, items in inputs.gold.items():
        pool = inputs.pool[stage]
        texts = [item.text for item in (*items, *pool)]
        labels = [*(item.label for item in items), *[None] * len(pool)]
        backend.encode(list(dict.fromkeys(texts)), progress)
        try:
            folds = folds_of(settings, items, len(pool))
            predicted, probability, notices = cross_validated(backend, texts, labels, folds, progress)
        except NotEnoughLabels as error:
            found.gold[stage], found.pool[stage] = [], {}
            found.notices.append(f"{called(system)}, {called(stage)}: {error}")
            continue
        rows = zip(items, predicted[: len(items)], probability.tolist(), strict=False)
        found.gold[stage] = [Prediction(item.id, item.label, label, share) for item, label, share in rows]
        found.pool[stage] = dict(zip((item.id for item in pool), predicted[len(items) :], strict=True))
        found.notices += [f"{called(system)}, {called(stage)}: {notice}" for notice in notices]
    return found


def rate_of(settings: EvaluationSettings, system: str) -> dict[str, float]:
    """Return the learning rate of a trained system; empty for one without.

    The system's name tells it, not the folder that an operator gave a known model.
    """
    rate = learning_rate_for(system, settings.learning_rate)
    return {} if rate is None else {"learning_rate": rate.value}


def _asked(settings: EvaluationSettings, inputs: Inputs, system: str, progress: Progress) -> SystemPredictions:
    model, called = settings.language_models[system], settings.title_of
    folds: dict[str, list[int]] = {}
    notices = []
    for stage, items in inputs.gold.items():
        try:
            folds[stage] = folds_of(settings, items, len(inputs.pool[stage])).tolist() if settings.run.examples else []
        except NotEnoughLabels as error:
            notices.append(
                f"{called(system)}, {called(stage)}: {error} Nothing was asked, as examples need other folds."
            )
    rows, n_failed = language_model_answers(settings, inputs, model, folds, progress)
    found = _from_rows(SystemPredictions(system, "language_model", notices=notices), inputs, rows)
    answered = Counter((row.get("model", ""), row.get("fingerprint", "")) for row in rows.values())
    parameters = {"max_tokens": model.max_tokens, "structured": model.structured, **model.parameters}
    found.facts = {
        "answered_by": [{"model": name, "fingerprint": print_, "n": n} for (name, print_), n in answered.items()],
        "parameters": parameters,
        "tokens_in": sum(row.get("tokens_in") or 0 for row in rows.values()),
        "tokens_out": sum(row.get("tokens_out") or 0 for row in rows.values()),
        "n_failed": n_failed,
    }
    if n_failed:
        found.notices.append(f"{called(system)}: {n_failed:,} requests failed twice, and their items have no answer.")
    return found


def _from_rows(found: SystemPredictions, inputs: Inputs, rows: Rows | Mapping[Any, Any]) -> SystemPredictions:
    for stage, items in inputs.gold.items():
        found.gold[stage] = [
            Prediction(item.id, item.label, row["label"], row["confidence"], row.get("problem") or None)
            for item in items
            if (row := rows.get((stage, item.id)))
        ]
        found.pool[stage] = {
            item.id: row["label"] for item in inputs.pool[stage] if (row := rows.get((stage, item.id)))
        }
    return found
