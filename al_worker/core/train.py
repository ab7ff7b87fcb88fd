"""The train step: from labeled.jsonl to a model folder."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from al_worker.core.backends.base import Backend, Example, Setup
from al_worker.core.config import ModelSettings
from al_worker.core.errors import ConfigError, NotEnoughLabels
from al_worker.core.progress import Progress
from al_worker.formats.run_directory import LABELED, MODEL, Item, read_items


def train(run: Path, setup: Setup, backend: Backend, progress: Progress) -> dict[str, Any]:
    """Write the model folder, all or nothing. Raises NotEnoughLabels, ConfigError, ModelUnavailable."""
    items = training_items(run)
    labels = label_order(setup.model, items)
    columns = {label: column for column, label in enumerate(labels)}
    examples = [Example(item.text, columns[item.label or ""]) for item in items]
    temporary = run / f".{MODEL}.{os.getpid()}.tmp"
    _drop_unfinished(run)
    temporary.mkdir()
    facts = backend.train(examples, labels, temporary, progress)
    shutil.rmtree(run / MODEL, ignore_errors=True)
    temporary.rename(run / MODEL)
    counts = {label: sum(item.label == label for item in items) for label in labels}
    notices = _notices(counts) + facts.pop("notices", [])
    return {"labels": list(labels), "class_counts": counts, "n": len(items), **facts, "notices": notices}


def training_items(run: Path) -> list[Item]:
    """The labelled items. Raises NotEnoughLabels when there is none."""
    items = read_items(run / LABELED, need_label=True)
    if not items:
        raise NotEnoughLabels(f'{LABELED} holds no usable label, and a model learns from labels; use "random" first')
    return items


def label_order(model: ModelSettings, items: Sequence[Item]) -> tuple[str, ...]:
    """Labels in the order of the logits' columns: as declared, else those found, sorted. Raises ConfigError."""
    found = {item.label or "" for item in items}
    if not model.labels:
        return tuple(sorted(found))
    unknown = sorted(found - set(model.labels))
    if unknown:
        raise ConfigError(f'config.toml: [model] labels lacks "{unknown[0]}", which stands in {LABELED}')
    return model.labels


def _notices(counts: dict[str, int]) -> list[str]:
    present = [label for label, count in counts.items() if count]
    if len(present) > 1:
        return []
    return [f'not informative yet: every training item is labelled "{present[0]}"']


def _drop_unfinished(run: Path) -> None:
    for folder in run.glob(f".{MODEL}.*.tmp"):
        shutil.rmtree(folder)
