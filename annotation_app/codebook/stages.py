"""Define a codebook: its stages in order, what a model learns, and its span layer."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated

from pydantic import Field

from annotation_app.codebook.conditions import VALUES, condition_faults
from annotation_app.codebook.model import (
    Json,
    LabelKey,
    Model,
    Name,
    StageKey,
    keys_of,
    listed_faults,
    objects,
    repeated,
    strings,
    text_of,
)
from annotation_app.codebook.question_types import Question, type_of
from annotation_app.codebook.question_types.label import LabelStage
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.spans import SpanLayer
from annotation_app.codebook.texts import shown
from annotation_app.faults import Fault


class Learning(Model):
    """Hold the stage that the model learns, and the labels of this stage that it must not learn from."""

    stage: StageKey
    exclude: tuple[LabelKey, ...] = Field((), max_length=VALUES)


class Codebook(Model):
    """Hold a codebook, which has stages, a span layer, or both.

    `learning` may be None where no stage is answered with one label of several. Rounds may then learn sets and scales.
    """

    name: Name
    guidelines: Annotated[str, text_of(50_000, may_be_blank=True)] = ""
    stages: tuple[Question, ...] = Field(max_length=20)
    learning: Learning | None = Field(None, exclude_if=lambda value: value is None)
    span_layer: SpanLayer | None = Field(None, exclude_if=lambda value: value is None)

    @classmethod
    def completed(cls, raw: Json) -> Json:
        spans_alone = raw.get("span_layer") is not None and raw.get("stages") is None
        return raw | {"stages": []} if spans_alone else raw

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        if raw.get("span_layer") is None and raw.get("stages") == []:
            yield ("stages",), "must not be empty"
        yield from repeated(raw, "stages", {"key": "stage key"})
        known = keys_of(raw, "stages")
        earlier: dict[str, list[str]] = {}
        learned: dict[str, list[str]] = {}
        is_due = False
        for place, stage in objects(raw, "stages"):
            yield from condition_faults(stage.get("open_when"), ("stages", place, "open_when"), earlier, known)
            if isinstance(key := stage.get("key"), str) and (kind := type_of(stage)):
                earlier.setdefault(key, kind.labels_in(stage))
                learned.setdefault(key, earlier[key] if kind.learned_as else [])
                is_due = is_due or bool(kind.needs_learning and earlier[key])
        if isinstance(raw.get("learning"), dict):
            yield from _learning_faults(raw["learning"], learned)
        elif is_due and raw.get("learning") is None:
            yield ("learning",), "is missing"

    @cached_property
    def by_key(self) -> dict[str, Stage]:
        return {stage.key: stage for stage in self.stages}

    @property
    def stage_keys(self) -> tuple[str, ...]:
        return tuple(self.by_key)

    @cached_property
    def label_stages(self) -> tuple[LabelStage, ...]:
        """Return the stages that are answered with labels."""
        return tuple(stage for stage in self.stages if isinstance(stage, LabelStage))

    @cached_property
    def learned_stages(self) -> tuple[Stage, ...]:
        """Return the stages that a model can learn."""
        return tuple(stage for stage in self.stages if stage.learned_as)

    @property
    def never_learned(self) -> tuple[str, ...]:
        """Return the labels that a model must not be trained on, at whatever stage."""
        return self.learning.exclude if self.learning else ()


def _learning_faults(raw: Json, stages: Mapping[str, Sequence[str]]) -> Iterator[Fault]:
    labels = None
    if isinstance(key := raw.get("stage"), str):
        labels = stages.get(key)
        if labels is None:
            yield ("learning", "stage"), f'unknown stage "{shown(key)}"'
    for place, message in listed_faults(raw, "exclude", labels, "the stage"):
        yield ("learning", *place), message
    if labels is not None and len(set(labels) - {each for _, each in strings(raw, "exclude")}) < 2:
        yield ("learning",), "leaves fewer than two labels; a model needs two to tell apart"
