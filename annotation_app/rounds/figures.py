"""What a round's model was measured to be, read from its metrics in one place."""

from collections.abc import Sequence
from typing import Any

from annotation_app.models import Round

Figures = dict[str, Any]


def figures_of(row: Round) -> dict[str, Figures]:
    """{stage: figures of the head that learned it}; empty where no model chose the batch."""
    return figures_by_stage(row.learning_stages, row.metrics)


def figures_by_stage(stages: Sequence[str], metrics: Figures) -> dict[str, Figures]:
    """Metrics of one stage stand at the top, those of several under `heads` (docs/run_directory.md)."""
    if not metrics:
        return {}
    heads: dict[str, Figures] = metrics.get("heads") or {stages[0]: metrics}
    return heads


def informative(figures: dict[str, Any]) -> bool:
    """False for an early model that knows one label only, or that gives one label to the whole pool."""
    known = [label for label, of in figures["training"].get("per_label", {}).items() if of["n"]]
    return len(known) > 1 and not constant(figures)


def constant(figures: dict[str, Any]) -> bool:
    """The model gives one label to everything, so that its agreement with another says nothing."""
    measured = [figures.get("pool") or {}, figures.get("stopping") or {}]
    return any(share == 1.0 for each in measured for share in each.get("predicted_share", {}).values())
