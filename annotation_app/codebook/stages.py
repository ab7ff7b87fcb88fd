"""Define a codebook: stages in order, their labels, and the conditions that open them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from annotation_app.codebook.spans import SpanLayer


@dataclass(frozen=True)
class LabelIn:
    """Require that the stage `stage` is open, and answered with one of `labels`."""

    stage: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Answered:
    """Require that the stage `stage` is open, and answered with any label."""

    stage: str


@dataclass(frozen=True)
class AllOf:
    """Require that all parts hold."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True)
class AnyOf:
    """Require that at least one part holds."""

    conditions: tuple["Condition", ...]


Condition = LabelIn | Answered | AllOf | AnyOf


@dataclass(frozen=True)
class Label:
    """Hold a possible answer to a stage: `key` is stable and stored, `name` is shown and may change."""

    key: str
    name: str
    help: str = ""
    examples: tuple[str, ...] = ()
    shortcut: str | None = None


@dataclass(frozen=True)
class Stage:
    """Hold one question with its labels. `open_when` is None where the stage is always open.

    The labels of an ordinal stage are listed in the order of its scale.
    """

    key: str
    title: str
    prompt: str
    labels: tuple[Label, ...]
    help: str = ""
    scale: str = "nominal"
    required: bool = True
    open_when: Condition | None = None
    positive: tuple[str, ...] = ()

    @cached_property
    def label_keys(self) -> tuple[str, ...]:
        return tuple(label.key for label in self.labels)


@dataclass(frozen=True)
class Learning:
    """Hold the stage that the model learns, and the labels of this stage that it must not learn from."""

    stage: str
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True)
class Codebook:
    """Hold a codebook, which has stages, a span layer, or both. `learning` is None where there is no stage."""

    name: str
    stages: tuple[Stage, ...]
    learning: Learning | None
    guidelines: str = ""
    span_layer: SpanLayer | None = None

    @cached_property
    def by_key(self) -> dict[str, Stage]:
        return {stage.key: stage for stage in self.stages}

    @property
    def stage_keys(self) -> tuple[str, ...]:
        return tuple(self.by_key)

    @property
    def never_learned(self) -> tuple[str, ...]:
        """Return the labels that a model must not be trained on, at whatever stage."""
        return self.learning.exclude if self.learning else ()

    @property
    def learning_labels(self) -> tuple[str, ...]:
        """Return the labels of the learning stage that a model may be trained on, in the codebook's order."""
        if self.learning is None:
            return ()
        stage = self.by_key[self.learning.stage]
        return tuple(key for key in stage.label_keys if key not in self.never_learned)


def stages_named(condition: Condition) -> Iterator[str]:
    """Yield the keys of the stages that a condition refers to, in its order, repeats included."""
    if isinstance(condition, LabelIn | Answered):
        yield condition.stage
        return
    for part in condition.conditions:
        yield from stages_named(part)
