"""The train step: from labeled.jsonl to a model folder."""

import os
import shutil
from pathlib import Path
from typing import Any

from al_worker.core.backends.base import Backend, Example, Setup
from al_worker.core.errors import NotEnoughLabels
from al_worker.core.run.config import HeadSettings
from al_worker.core.run.progress import Progress
from al_worker.core.training.heads import columns_at, label_at, resolve_heads
from al_worker.formats.run_directory import LABELED, MODEL, Item, read_items


def train(run: Path, setup: Setup, backend: Backend, progress: Progress) -> dict[str, Any]:
    """Write the model folder, all or nothing. Return facts for the record.

    Raises NotEnoughLabels, ConfigError, ModelUnavailable.
    """
    items = training_items(run)
    heads = resolve_heads(setup.model, setup.heads, items)
    columns = zip(*(columns_at(head, items, LABELED).tolist() for head in heads), strict=True)
    examples = [Example(item.text, at) for item, at in zip(items, columns, strict=True)]
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
    counts = {label: found.count(label) for label in head.labels}
    return {"labels": list(head.labels), "class_counts": counts, "n": sum(counts.values())}


def _drop_unfinished(run: Path) -> None:
    for folder in run.glob(f".{MODEL}.*.tmp"):
        shutil.rmtree(folder)
