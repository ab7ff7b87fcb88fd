"""Evaluate gates: which stages are open, given answers. Labelling, aggregation and export share this one rule."""

from collections.abc import Mapping
from typing import Any

from annotation_app.codebook.stages import AllOf, Answered, AnyOf, Codebook, Condition, LabelIn


def open_stages(codebook: Codebook, answers: Mapping[str, Any]) -> list[str]:
    """Return the keys of the open stages in the codebook's order.

    A stage is open when its condition holds for the answers to open stages. The answer to a closed stage never counts,
    nor does an answer that is not a label of its stage.
    """
    return list(_walk(codebook, answers))


def open_answers(codebook: Codebook, answers: Mapping[str, Any]) -> dict[str, str]:
    """Return the answers that count, which are labels given to open stages, in the codebook's order."""
    return {stage: label for stage, label in _walk(codebook, answers).items() if label is not None}


def reasons_closed(codebook: Codebook, answers: Mapping[str, Any], stage: str) -> list[str]:
    """Return why a stage is closed, naming the stages and answers that close it. Empty when the stage is open."""
    walked = _walk(codebook, answers)
    condition = codebook.by_key[stage].open_when
    return [] if stage in walked or condition is None else _reasons(condition, walked)


def _walk(codebook: Codebook, answers: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the open stages in order, each with its label, or with None where it has no valid answer."""
    walked: dict[str, str | None] = {}
    for stage in codebook.stages:
        # Conditions refer to earlier stages only, so one pass in order decides every stage.
        if stage.open_when is None or _holds(stage.open_when, walked):
            answer = answers.get(stage.key)
            walked[stage.key] = answer if answer in stage.label_keys else None
    return walked


def _holds(condition: Condition, walked: Mapping[str, str | None]) -> bool:
    match condition:
        case LabelIn(stage, labels):
            return walked.get(stage) in labels
        case Answered(stage):
            return walked.get(stage) is not None
        case AllOf(parts):
            return all(_holds(part, walked) for part in parts)
        case AnyOf(parts):
            return any(_holds(part, walked) for part in parts)


def _reasons(condition: Condition, walked: Mapping[str, str | None]) -> list[str]:
    if _holds(condition, walked):
        return []
    if isinstance(condition, AllOf | AnyOf):
        reasons = [reason for part in condition.conditions for reason in _reasons(part, walked)]
        return list(dict.fromkeys(reasons))
    stage = condition.stage
    if stage not in walked:
        return [f'"{stage}" is closed']
    answer = walked[stage]
    return [f'"{stage}" has no answer' if answer is None else f'"{stage}" is answered "{answer}"']
