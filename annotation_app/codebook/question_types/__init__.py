"""The types of question. A new one is a file here and a line in QUESTION_TYPES."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import WrapValidator

from annotation_app.codebook.model import Json
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.codebook.question_types.number import NumberStage
from annotation_app.codebook.question_types.scale import ScaleStage
from annotation_app.codebook.question_types.several import SeveralStage
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.question_types.text import TextStage
from annotation_app.faults import fault, faulty, kind_of

# By the value of the key `type`. Without one, a question is of the first.
QUESTION_TYPES: dict[str, type[Stage]] = {
    "label": LabelStage,
    "several": SeveralStage,
    "scale": ScaleStage,
    "number": NumberStage,
    "text": TextStage,
}


def type_of(raw: Json) -> type[Stage] | None:
    name = raw.get("type", next(iter(QUESTION_TYPES)))
    return QUESTION_TYPES.get(name) if isinstance(name, str) else None


def _of_its_type(value: Any, _: Any) -> Stage:
    if isinstance(value, Stage):
        return value
    if not isinstance(value, dict):
        raise fault(f"must be an object, not {kind_of(value)}")
    stage = type_of(value)
    if stage is None:
        raise faulty([(("type",), f"must be one of {', '.join(QUESTION_TYPES)}")])
    return stage.model_validate(value)


if TYPE_CHECKING:
    Question = Stage
else:
    Question = Annotated[reduce(or_, QUESTION_TYPES.values()), WrapValidator(_of_its_type)]
