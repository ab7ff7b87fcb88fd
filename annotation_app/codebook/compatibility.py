"""Compare two versions of a codebook, to see what the new one means for answers given under the old one.

The new version is compatible if all answers that the old one accepted are accepted by the new one and mean the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from annotation_app.codebook.changes import Change, texts_changed
from annotation_app.codebook.span_compatibility import layer_changes
from annotation_app.codebook.stages import AllOf, Answered, AnyOf, Codebook, Condition, Label, LabelIn, Stage


@dataclass(frozen=True)
class Compatibility:
    """Hold the changes between two versions, which are compatible if no change is breaking."""

    changes: tuple[Change, ...]

    @property
    def compatible(self) -> bool:
        return not any(change.breaking for change in self.changes)


def compare(old: Codebook, new: Codebook) -> Compatibility:
    """Return every change from `old` to `new`, in the order of the old codebook, additions last.

    These changes are breaking; all others are compatible:

    - a stage or label is removed (a renamed key counts as one removed and one added);
    - a gate or a scale is changed, or the labels of an ordinal stage are reordered;
    - a stage becomes required, or a required stage is added;
    - the span layer changes in a way that `layer_changes` calls breaking.
    """
    kept = [stage for stage in old.stages if stage.key in new.by_key]
    removed = [stage for stage in old.stages if stage.key not in new.by_key]
    added = [stage for stage in new.stages if stage.key not in old.by_key]
    changes = chain(
        _whole(old, new),
        (Change(f"stages.{stage.key}", "stage removed", True) for stage in removed),
        *(_stage_changes(stage, new.by_key[stage.key]) for stage in kept),
        (_stage_added(stage) for stage in added),
        _order_changed("stages", old.stage_keys, new.stage_keys, breaking=False),
        layer_changes(old.span_layer, new.span_layer),
    )
    return Compatibility(tuple(changes))


def _whole(old: Codebook, new: Codebook) -> Iterator[Change]:
    yield from texts_changed("", old, new, ("name", "guidelines"))
    before, after = old.learning, new.learning
    if before is None or after is None:
        if before != after:
            yield Change("learning", "added" if before is None else "removed", False)
        return
    if before.stage != after.stage:
        yield Change("learning.stage", f"changed from {before.stage} to {after.stage}", False)
    if set(before.exclude) != set(after.exclude):
        yield Change("learning.exclude", "labels left out of learning changed", False)


def _stage_added(stage: Stage) -> Change:
    message = "required stage added" if stage.required else "optional stage added"
    return Change(f"stages.{stage.key}", message, stage.required)


def _stage_changes(old: Stage, new: Stage) -> Iterator[Change]:
    path = f"stages.{old.key}"
    yield from texts_changed(path, old, new, ("title", "prompt", "help"))
    if old.scale != new.scale:
        yield Change(f"{path}.scale", f"changed from {old.scale} to {new.scale}", True)
    if _meaning(old.open_when) != _meaning(new.open_when):
        yield Change(f"{path}.open_when", "condition changed", True)
    if old.required != new.required:
        yield Change(f"{path}.required", "became required" if new.required else "became optional", new.required)
    if set(old.positive) != set(new.positive):
        yield Change(f"{path}.positive", "positive labels changed", False)
    yield from _label_changes(path, old, new)


def _label_changes(path: str, old: Stage, new: Stage) -> Iterator[Change]:
    before = {label.key: label for label in old.labels}
    after = {label.key: label for label in new.labels}
    for key, label in before.items():
        if key not in after:
            yield Change(f"{path}.labels.{key}", "label removed", True)
        else:
            yield from _label_texts(f"{path}.labels.{key}", label, after[key])
    for key in after:
        if key not in before:
            yield Change(f"{path}.labels.{key}", "label added", False)
    yield from _order_changed(f"{path}.labels", old.label_keys, new.label_keys, breaking=old.scale == "ordinal")


def _label_texts(path: str, old: Label, new: Label) -> Iterator[Change]:
    yield from texts_changed(path, old, new, ("name", "help", "examples", "shortcut"))


def _order_changed(path: str, old: tuple[str, ...], new: tuple[str, ...], breaking: bool) -> Iterator[Change]:
    """Compare the order of the keys that both versions have. An addition or removal alone does not change the order."""
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield Change(path, "order changed", breaking)


def _meaning(condition: Condition | None) -> object:
    """Return a form in which conditions that differ only in the order of their parts are equal."""
    match condition:
        case LabelIn(stage, labels):
            return "in", stage, frozenset(labels)
        case Answered(stage):
            return "answered", stage
        case AllOf(parts):
            return "all", frozenset(map(_meaning, parts))
        case AnyOf(parts):
            return "any", frozenset(map(_meaning, parts))
    return None
