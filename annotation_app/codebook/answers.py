"""Check one annotation's answers against its codebook."""

from collections.abc import Mapping
from typing import Any

from annotation_app.codebook.gates import open_stages, reasons_closed
from annotation_app.codebook.stages import Codebook
from annotation_app.codebook.texts import shown


class AnswerError(ValueError):
    """Signal answers that cannot be stored. `errors` maps "answers.<stage>", or "answers", to its faults."""

    def __init__(self, errors: dict[str, list[str]]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"{field}: {' '.join(messages)}" for field, messages in errors.items()))


def check_answers(codebook: Codebook, answers: Any) -> None:
    """Check that answers are complete: one for each open required stage, and none for a closed stage.

    `answers` is decoded JSON, {stage key: answer}. Raises AnswerError, which lists every fault.
    """
    if not isinstance(answers, Mapping):
        raise AnswerError({"answers": ["Must be an object of stage and label keys."]})
    faults = answer_faults(codebook, answers, answers)
    opened = open_stages(codebook, answers)
    missing = [each.key for each in codebook.stages if each.required and each.key in opened and each.key not in answers]
    faults |= dict.fromkeys(missing, "An answer is required.")
    if faults:
        raise AnswerError({f"answers.{key}": [fault] for key, fault in faults.items()})


def answer_faults(codebook: Codebook, answers: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, str]:
    """Return what is wrong with each of the answers, by stage. `beside` are all that the gates look at."""
    opened = open_stages(codebook, beside)
    faults = {}
    for key, answer in answers.items():
        stage = codebook.by_key.get(key)
        if stage is None:
            faults[shown(key)] = "The codebook has no such stage."
        elif key not in opened:
            reasons = "; ".join(reasons_closed(codebook, beside, key))
            faults[key] = f"This stage is closed because {reasons}. Leave its answer out."
        elif wrong := stage.answer_fault(answer):
            faults[key] = wrong
    return faults
