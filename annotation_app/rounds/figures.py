"""Read the measurements of a round's model from its metrics."""

from collections.abc import Sequence
from typing import Any

from annotation_app.models import Round

Figures = dict[str, Any]


def figures_of(row: Round) -> dict[str, Figures]:
    """Return {stage: figures of the head that learned it}; empty where no model chose the batch."""
    return figures_by_stage(row.learning_stages, row.metrics)


def figures_by_stage(stages: Sequence[str], metrics: Figures) -> dict[str, Figures]:
    """Return figures by stage, which several stages keep under `heads` (docs/develop/run_directory.md)."""
    if not metrics:
        return {}
    heads: dict[str, Figures] = metrics.get("heads") or {stages[0]: metrics}
    return heads


def doubts(figures: dict[str, Any]) -> list[dict[str, str]]:
    """Return why a model is not informative, as {"kind", "words"}; none means that it is.

    Rounds from before the core said so are judged by the two signs that their metrics show.
    """
    if "doubts" in figures:
        found: list[dict[str, str]] = figures["doubts"]
        return found
    known = [label for label, of in figures["training"].get("per_label", {}).items() if of["n"]]
    old = [] if len(known) > 1 else [{"kind": "one_class", "words": "every training item has one label"}]
    return old + ([{"kind": "one_label", "words": "it gives one label to everything"}] if constant(figures) else [])


def constant(figures: dict[str, Any]) -> bool:
    """Return whether the model gives one label to everything. Only models of one label were without `doubts`."""
    measured = [figures.get("pool") or {}, figures.get("stopping") or {}]
    return any(share == 1.0 for each in measured for share in each.get("predicted_share", {}).values())
