"""Evaluate gates: which stages are open, given answers. Labelling, aggregation and export share this one rule."""

from collections.abc import Mapping
from typing import Any

from annotation_app.codebook.conditions import AllOf, Answered, AnyOf, Condition, LabelIn
from annotation_app.codebook.stages import Codebook


def open_stages(codebook: Codebook, answers: Mapping[str, Any]) -> list[str]:
    """Return the keys of the open stages in the codebook's order.

    A stage is open when its condition holds for the answers to open stages. The answer to a closed stage never counts,
    nor does an answer that its stage does not take.
    """
    return list(stages_with_answers(codebook, answers))


def open_answers(codebook: Codebook, answers: Mapping[str, Any]) -> dict[str, str]:
    """Return the answers that count, which are valid and given to open stages, in the codebook's order."""
    return {stage: answer for stage, answer in stages_with_answers(codebook, answers).items() if answer is not None}


def reasons_closed(codebook: Codebook, answers: Mapping[str, Any], stage: str) -> list[str]:
    """Return why a stage is closed, naming the stages and answers that close it. Empty when the stage is open."""
    walked = stages_with_answers(codebook, answers)
    condition = codebook.by_key[stage].open_when
    return [] if stage in walked or condition is None else _reasons(codebook, condition, walked)


def stages_with_answers(codebook: Codebook, answers: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the open stages in order, each with its answer, or with None where it has no valid one."""
    walked: dict[str, str | None] = {}
    for stage in codebook.stages:
        # Conditions refer to earlier stages only, so one pass in order decides every stage.
        if stage.open_when is None or _holds(codebook, stage.open_when, walked):
            answer = answers.get(stage.key)
            walked[stage.key] = None if stage.answer_fault(answer) else answer
    return walked


def _holds(codebook: Codebook, condition: Condition, walked: Mapping[str, str | None]) -> bool:
    match condition:
        case LabelIn():
            answer = walked.get(condition.stage)
            asked = codebook.by_key[condition.stage]
            return answer is not None and not set(asked.labels_of(answer)).isdisjoint(condition.labels)
        case Answered():
            return walked.get(condition.stage) is not None
        case AllOf():
            return all(_holds(codebook, part, walked) for part in condition.conditions)
        case AnyOf():
            return any(_holds(codebook, part, walked) for part in condition.conditions)


def _reasons(codebook: Codebook, condition: Condition, walked: Mapping[str, str | None]) -> list[str]:
    if _holds(codebook, condition, walked):
        return []
    if isinstance(condition, AllOf | AnyOf):
        reasons = [reason for part in condition.conditions for reason in _reasons(codebook, part, walked)]
        return list(dict.fromkeys(reasons))
    stage = condition.stage
    if stage not in walked:
        return [f'"{stage}" is closed']
    answer = walked[stage]
    return [f'"{stage}" has no answer' if answer is None else f'"{stage}" is answered "{answer}"']
