"""What a round's model was measured to be, read from its metrics in one place."""

from typing import Any

from annotation_app.models import Round


def figures_of(row: Round) -> dict[str, dict[str, Any]]:
    """{stage: metrics of the head that learned it}; empty where no model chose the batch."""
    return {row.learning_stage: row.metrics} if row.metrics else {}


def informative(figures: dict[str, Any]) -> bool:
    """False for an early model that knows one label only, or that gives one label to the whole pool."""
    known = [label for label, of in figures["training"]["per_label"].items() if of["n"]]
    return len(known) > 1 and not constant(figures)


def constant(figures: dict[str, Any]) -> bool:
    """The model gives one label to everything, so that its agreement with another says nothing."""
    measured = [figures.get("pool") or {}, figures.get("stopping") or {}]
    return any(share == 1.0 for each in measured for share in each.get("predicted_share", {}).values())
