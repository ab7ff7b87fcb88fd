"""Questions that are answered with one label of several."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from annotation_app.codebook.changes import Change, order_changed, texts_changed, value_changed
from annotation_app.codebook.conditions import VALUES
from annotation_app.codebook.model import (
    Help,
    Json,
    Key,
    LabelKey,
    Model,
    Name,
    Prompt,
    Shortcut,
    listed_faults,
    objects,
    repeated,
)
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.texts import shown
from annotation_app.faults import Fault
from annotation_app.models import Annotation


class Label(Model):
    """Hold a possible answer: `key` is stable and stored, `name` is shown and may change."""

    key: Key
    name: Name
    help: Help = ""
    examples: tuple[Prompt, ...] = Field((), max_length=20)
    shortcut: Annotated[Shortcut, Field(exclude_if=lambda key: key is None)] = None

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        return listed_faults(raw, "examples")


class LabelStage(Stage):
    """Hold a question with its labels. Those of an ordinal scale are listed in its order."""

    type: Literal["label"] = Field("label", exclude_if=lambda name: name == "label")
    labels: tuple[Label, ...] = Field(min_length=1, max_length=VALUES)
    scale: Literal["nominal", "ordinal"] = "nominal"
    positive: tuple[LabelKey, ...] = Field((), max_length=VALUES)

    exported_type: ClassVar = "string"
    is_learned: ClassVar = True

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        return chain(
            repeated(raw, "labels", {"key": "label key", "shortcut": "shortcut"}),
            listed_faults(raw, "positive", cls.labels_in(raw), "the stage"),
        )

    @classmethod
    def labels_in(cls, raw: Json) -> list[str]:
        return [str(each.get("key")) for _, each in objects(raw, "labels")]

    @property
    def metric(self) -> str:
        return "alpha_ordinal" if self.scale == "ordinal" else "alpha_nominal"

    @cached_property
    def label_keys(self) -> tuple[str, ...]:
        return tuple(label.key for label in self.labels)

    @property
    def asks_for_context(self) -> bool:
        """Tell whether it asks how much had to be read: its labels are context levels."""
        return set(Annotation.ContextOpened.values).issuperset(self.label_keys)

    @property
    def classes(self) -> tuple[str, ...]:
        return self.label_keys

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
        return next((label.name for label in self.labels if label.key == answer), answer)

    def exported(self, answer: str) -> str:
        return answer

    def changes(self, new: Self, path: str) -> Iterator[Change]:
        if self.scale != new.scale:
            yield Change(f"{path}.scale", value_changed(self.scale, new.scale), True)
        if set(self.positive) != set(new.positive):
            yield Change(f"{path}.positive", "positive labels changed", False)
        before = {label.key: label for label in self.labels}
        after = {label.key: label for label in new.labels}
        for key, label in before.items():
            if key not in after:
                yield Change(f"{path}.labels.{key}", "label removed", True)
            else:
                yield from texts_changed(
                    f"{path}.labels.{key}", label, after[key], ("name", "help", "examples", "shortcut")
                )
        for key in after:
            if key not in before:
                yield Change(f"{path}.labels.{key}", "label added", False)
        yield from order_changed(f"{path}.labels", self.label_keys, new.label_keys, breaking=self.scale == "ordinal")
