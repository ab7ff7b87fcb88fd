"""Read what a language model answered. A label is taken only where it stands in the list, and never guessed."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Problem(StrEnum):
    """Why an answer is not compliant."""

    REFUSED = "refused"
    CUT_OFF = "cut_off"
    NOT_JSON = "not_json"
    NO_OBJECT = "no_object"
    LABEL_NOT_IN_LIST = "label_not_in_list"
    CONFIDENCE_OUT_OF_RANGE = "confidence_out_of_range"


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """Hold an answer as it was read. Without a `problem` it has a label and a confidence in [0, 1]."""

    label: str | None
    explanation: str
    confidence: float | None
    problem: Problem | None


def answer_schema(labels: Collection[str]) -> dict[str, Any]:
    """Return the JSON Schema of an answer. Every key is required and no other is allowed, as strict modes demand."""
    return {
        "type": "object",
        "properties": {
            "label": {"type": "string", "enum": list(labels)},
            "explanation": {"type": "string"},
            "confidence": {"type": "number"},
        },
        "required": ["label", "explanation", "confidence"],
        "additionalProperties": False,
    }


def read_answer(text: str, labels: Collection[str]) -> ModelAnswer:
    """Return the answer that a model's whole output holds: a JSON object, alone or in one fenced block."""
    try:
        fields = json.loads(_unfenced(text))
    except (ValueError, RecursionError):
        return _problem(Problem.NOT_JSON)
    if not isinstance(fields, dict):
        return _problem(Problem.NO_OBJECT)
    label, explanation, confidence = (fields.get(key) for key in ("label", "explanation", "confidence"))
    words = explanation if isinstance(explanation, str) else ""
    if not isinstance(label, str) or label not in labels:
        return ModelAnswer(None, words, None, Problem.LABEL_NOT_IN_LIST)
    if not isinstance(confidence, int | float) or isinstance(confidence, bool) or not 0 <= confidence <= 1:
        return ModelAnswer(None, words, None, Problem.CONFIDENCE_OUT_OF_RANGE)
    return ModelAnswer(label, words, float(confidence), None)


def _problem(problem: Problem) -> ModelAnswer:
    return ModelAnswer(None, "", None, problem)


def _unfenced(text: str) -> str:
    """Return the text without the fence that JSON modes are often wrapped in."""
    lines = text.strip().splitlines()
    fenced = len(lines) > 2 and lines[0] in ("```", "```json") and lines[-1] == "```"
    return "\n".join(lines[1:-1]) if fenced else text
