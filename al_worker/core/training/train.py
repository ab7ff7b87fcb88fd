"""The train step: from labeled.jsonl to a model folder."""

import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from al_worker.core.backends.base import Backend, Example, Setup
from al_worker.core.errors import NotEnoughLabels
from al_worker.core.run.config import HeadSettings
from al_worker.core.run.progress import Progress
from al_worker.core.training.heads import label_at, labels_in, resolve_heads, targets_at
from al_worker.formats.run_directory import LABELED, MODEL, Item, read_items


def train(run: Path, setup: Setup, backend: Backend, progress: Progress) -> dict[str, Any]:
    """Write the model folder, all or nothing. Return facts for the record.

    Raises NotEnoughLabels, ConfigError, ModelUnavailable.
    """
    items = training_items(run)
    heads = resolve_heads(setup.model, setup.heads, items)
    targets = np.hstack([targets_at(head, items, LABELED) for head in heads]).tolist()
    examples = [Example(item.text, tuple(at)) for item, at in zip(items, targets, strict=True)]
    temporary = run / f".{MODEL}.{os.getpid()}.tmp"
    _drop_unfinished(run)
    temporary.mkdir()
    facts = backend.train(examples, heads, temporary, progress)
    shutil.rmtree(run / MODEL, ignore_errors=True)
    temporary.rename(run / MODEL)
    known = {head.name: _head_facts(head, items) for head in heads}
    notices = facts.pop("notices", [])
    return (known.get("") or {"heads": known}) | {"n": len(items), **facts, "notices": notices}


def training_items(run: Path) -> list[Item]:
    """Return the labelled items. Raises NotEnoughLabels when there is none."""
    items = read_items(run / LABELED, need_label=True)
    if not items:
        raise NotEnoughLabels(f'{LABELED} holds no usable label, and a model learns from labels; use "random" first')
    return items


def _head_facts(head: HeadSettings, items: list[Item]) -> dict[str, Any]:
    found = [label_at(head, item) for item in items]
    known = [(item, label) for item, label in zip(items, found, strict=True) if label is not None]
    counts = Counter(each for item, label in known for each in labels_in(head.kind, label, LABELED, item))
    return {
        "kind": head.kind,
        "labels": list(head.labels),
        "class_counts": {label: counts[label] for label in head.labels},
        "n": len(known),
    }


def _drop_unfinished(run: Path) -> None:
    for folder in run.glob(f".{MODEL}.*.tmp"):
        shutil.rmtree(folder)
