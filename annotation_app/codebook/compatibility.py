"""Compare two versions of a codebook, to see what the new one means for answers given under the old one.

The new version is compatible if all answers that the old one accepted are accepted by the new one and mean the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from annotation_app.codebook.changes import Change, order_changed, texts_changed, value_changed
from annotation_app.codebook.conditions import AllOf, Answered, AnyOf, Condition, LabelIn
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.span_compatibility import layer_changes
from annotation_app.codebook.stages import Codebook


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

    - a stage is removed (a renamed key counts as one removed and one added);
    - a gate or the type of question is changed;
    - the question changes in a way that its type calls breaking (`changes` of `question_types/`);
    - a stage becomes required, or a required stage is added;
    - the span layer changes in a way that `layer_changes` calls breaking.
    """
    added = [stage for stage in new.stages if stage.key not in old.by_key]
    changes = chain(
        _whole(old, new),
        *(_stage_changes(stage, new.by_key.get(stage.key)) for stage in old.stages),
        (_stage_added(stage) for stage in added),
        order_changed("stages", old.stage_keys, new.stage_keys, breaking=False),
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
        yield Change("learning.stage", value_changed(before.stage, after.stage), False)
    if set(before.exclude) != set(after.exclude):
        yield Change("learning.exclude", "labels left out of learning changed", False)


def _stage_added(stage: Stage) -> Change:
    message = "required stage added" if stage.required else "optional stage added"
    return Change(f"stages.{stage.key}", message, stage.required)


def _stage_changes(old: Stage, new: Stage | None) -> Iterator[Change]:
    path = f"stages.{old.key}"
    if new is None:
        yield Change(path, "stage removed", True)
        return
    yield from texts_changed(path, old, new, ("title", "prompt", "help"))
    if _meaning(old.open_when) != _meaning(new.open_when):
        yield Change(f"{path}.open_when", "condition changed", True)
    if old.required != new.required:
        yield Change(f"{path}.required", "became required" if new.required else "became optional", new.required)
    if type(old) is type(new):
        yield from old.changes(new, path)
    else:
        yield Change(f"{path}.type", "type of question changed", True)


def _meaning(condition: Condition | None) -> object:
    """Return a form in which conditions that differ only in the order of their parts are equal."""
    match condition:
        case LabelIn():
            return "in", condition.stage, frozenset(condition.labels)
        case Answered():
            return "answered", condition.stage
        case AllOf() | AnyOf():
            return type(condition), frozenset(map(_meaning, condition.conditions))
    return None
