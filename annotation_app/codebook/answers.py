"""Check one annotation's answers against its codebook."""

from collections.abc import Mapping
from typing import Any

from annotation_app.codebook.gates import open_stages, reasons_closed
from annotation_app.codebook.stages import Codebook, Stage
from annotation_app.codebook.texts import shown


class AnswerError(ValueError):
    """Signal answers that cannot be stored. `errors` maps "answers.<stage>", or "answers", to its faults."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"{field}: {' '.join(messages)}" for field, messages in errors.items()))


def check_answers(codebook: Codebook, answers: Any) -> None:
    """Check that answers are complete: a label for each open required stage, and none for a closed stage.

    `answers` is decoded JSON, {stage key: label key}. Raises AnswerError, which lists every fault.
    """
    if not isinstance(answers, Mapping):
        raise AnswerError({"answers": ["Must be an object of stage and label keys."]})
    opened = open_stages(codebook, answers)
    unknown = [key for key in answers if key not in codebook.by_key]
    faults = {f"answers.{shown(key)}": ["The codebook has no such stage."] for key in unknown}
    for stage in codebook.stages:
        fault = _fault(codebook, stage, answers, stage.key in opened)
        if fault:
            faults[f"answers.{stage.key}"] = [fault]
    if faults:
        raise AnswerError(faults)


def _fault(codebook: Codebook, stage: Stage, answers: Mapping[str, Any], is_open: bool) -> str | None:
    if stage.key not in answers:
        return "An answer is required." if is_open and stage.required else None
    if not is_open:
        reasons = "; ".join(reasons_closed(codebook, answers, stage.key))
        return f"This stage is closed because {reasons}. Leave its answer out."
    answer = answers[stage.key]
    if not isinstance(answer, str):
        return "Must be a label key (a text)."
    if answer not in stage.label_keys:
        return f'Unknown label "{shown(answer)}". Labels here: {", ".join(stage.label_keys)}.'
    return None
