"""The labels of a question, and what questions with labels have in common."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import Annotated, Self

from pydantic import Field

from annotation_app.codebook.changes import Change, order_changed, texts_changed
from annotation_app.codebook.conditions import VALUES
from annotation_app.codebook.model import (
    Color,
    Help,
    Json,
    Key,
    Model,
    Name,
    Prompt,
    Shortcut,
    listed_faults,
    objects,
    repeated,
)
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.faults import Fault


class Label(Model):
    """Hold a possible answer: `key` is stable and stored, `name` is shown and may change."""

    key: Key
    name: Name
    help: Help = ""
    examples: tuple[Prompt, ...] = Field((), max_length=20)
    shortcut: Annotated[Shortcut, Field(exclude_if=lambda key: key is None)] = None
    color: Annotated[Color | None, Field(exclude_if=lambda color: color is None)] = None

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        return listed_faults(raw, "examples")


class LabelledStage(Stage):
    """Hold a question that offers labels. Whether they stand in an order is the subclass's to say."""

    # A key of the codebook's, which a subclass fixes. It stands here so that messages list it before `labels`.
    type: str
    labels: tuple[Label, ...] = Field(min_length=1, max_length=VALUES)

    @classmethod
    def faults(cls, raw: Json) -> Iterable[Fault]:
        return repeated(raw, "labels", {"key": "label key", "shortcut": "shortcut"})

    @classmethod
    def labels_in(cls, raw: Json) -> list[str]:
        return [str(each.get("key")) for _, each in objects(raw, "labels")]

    @cached_property
    def label_keys(self) -> tuple[str, ...]:
        return tuple(label.key for label in self.labels)

    @property
    def offered(self) -> tuple[str, ...]:
        return self.label_keys

    def label_name(self, label: str) -> str:
        """Return the name of a label; its key where this version has no such label."""
        return next((each.name for each in self.labels if each.key == label), label)

    def label_changes(self, new: Self, path: str, *, is_ordered: bool) -> Iterator[Change]:
        """Yield what a new version changes in the labels. A removed one is breaking, and another order of a scale."""
        before = {label.key: label for label in self.labels}
        after = {label.key: label for label in new.labels}
        for key, label in before.items():
            if key not in after:
                yield Change(f"{path}.labels.{key}", "label removed", True)
            else:
                texts = ("name", "help", "examples", "shortcut", "color")
                yield from texts_changed(f"{path}.labels.{key}", label, after[key], texts)
        added = (Change(f"{path}.labels.{key}", "label added", False) for key in after if key not in before)
        yield from chain(added, order_changed(f"{path}.labels", self.label_keys, new.label_keys, breaking=is_ordered))
