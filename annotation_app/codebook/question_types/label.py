"""Questions that are answered with one label of several."""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, ClassVar, Literal, Self

from pydantic import Field

from al_worker.formats.heads import ONE
from annotation_app.codebook.changes import Change, value_changed
from annotation_app.codebook.conditions import VALUES
from annotation_app.codebook.model import Json, LabelKey, listed_faults
from annotation_app.codebook.question_types.labelled import LabelledStage
from annotation_app.codebook.question_types.stage import Measure
from annotation_app.codebook.texts import shown
from annotation_app.faults import Fault
from annotation_app.models import Annotation

CONTEXT_LEVELS = frozenset(Annotation.ContextOpened.values)


class LabelStage(LabelledStage):
    """Hold a question with its labels. Those of an ordinal scale are listed in its order."""

    type: Literal["label"] = Field("label", exclude_if=lambda name: name == "label")
    scale: Literal["nominal", "ordinal"] = "nominal"
    positive: tuple[LabelKey, ...] = Field((), max_length=VALUES)

    exported_type: ClassVar = "string"
    learned_as: ClassVar = ONE
    needs_learning: ClassVar = True

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        return chain(super().faults(raw), listed_faults(raw, "positive", cls.labels_in(raw), "the stage"))

    @property
    def measure(self) -> Measure:
        return self.scale

    @property
    def asks_for_context(self) -> bool:
        """Tell whether it asks how much had to be read: its labels are context levels."""
        return CONTEXT_LEVELS.issuperset(self.label_keys)

    @property
    def classes(self) -> tuple[str, ...]:
        return self.label_keys

    @property
    def positive_labels(self) -> tuple[str, ...]:
        return self.positive

    def answer_fault(self, answer: Any) -> str | None:
        if not isinstance(answer, str):
            return "Must be a label key (a text)."
        if answer not in self.label_keys:
            return f'Unknown label "{shown(answer)}". Labels here: {", ".join(self.label_keys)}.'
        return None

    def in_order(self, answers: Iterable[str]) -> list[str]:
        given = set(answers)
        return [key for key in self.label_keys if key in given]

    def name_of(self, answer: str) -> str:
        return self.label_name(answer)

    def exported(self, answer: str) -> str:
        return answer

    def changes(self, new: Self, path: str) -> Iterator[Change]:
        if self.scale != new.scale:
            yield Change(f"{path}.scale", value_changed(self.scale, new.scale), True)
        if set(self.positive) != set(new.positive):
            yield Change(f"{path}.positive", "positive labels changed", False)
        yield from self.label_changes(new, path, is_ordered=self.scale == "ordinal")
