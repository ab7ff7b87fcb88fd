"""Read a stage's `open_when` condition. It may refer only to stages that come before."""

from collections.abc import Mapping
from typing import Any

from annotation_app.codebook.reading import Faults, Node
from annotation_app.codebook.stages import AllOf, Answered, AnyOf, Condition, LabelIn
from annotation_app.codebook.texts import shown

DEPTH = 5
PARTS = 20
# A condition may list as many labels as a stage may have.
VALUES = 300
FORMS = 'write {"stage", "in"}, {"stage", "answered": true}, {"all": [...]} or {"any": [...]}'

# Maps each stage to its label keys, or to None where the stage is the one being opened or comes later.
Earlier = Mapping[str, tuple[str, ...] | None]


def read_condition(value: Any, path: str, earlier: Earlier, faults: Faults, depth: int = 1) -> Condition | None:
    """Return the condition that decoded JSON holds, or None after its faults were noted."""
    if depth > DEPTH:
        faults.add(path, f"conditions are nested more than {DEPTH} deep")
        return None
    node = Node.of(value, path, faults, ("all", "any", "stage", "in", "answered"))
    if node is None:
        return None
    match sorted(set(value) & {"all", "any", "stage", "in", "answered"}):
        case ["all"]:
            return AllOf(_parts(node, "all", earlier, depth))
        case ["any"]:
            return AnyOf(_parts(node, "any", earlier, depth))
        case ["in", "stage"]:
            return _label_in(node, earlier)
        case ["answered", "stage"]:
            return _answered(node, earlier)
    faults.add(path, FORMS)
    return None


def _parts(node: Node, key: str, earlier: Earlier, depth: int) -> tuple[Condition, ...]:
    read = [read_condition(part, path, earlier, node.faults, depth + 1) for part, path in node.objects(key, PARTS)]
    return tuple(part for part in read if part is not None)


def _label_in(node: Node, earlier: Earlier) -> LabelIn:
    stage = _earlier_stage(node, earlier)
    labels = earlier.get(stage)

    def fault_of(value: Any) -> str | None:
        if not isinstance(value, str):
            return "must be a label key"
        # An unknown or later stage is already a fault, so its labels are not checked.
        return f'stage "{stage}" has no label "{shown(value)}"' if labels is not None and value not in labels else None

    return LabelIn(stage, node.strings("in", VALUES, fault_of, least=1))


def _answered(node: Node, earlier: Earlier) -> Answered:
    if node.value["answered"] is not True:
        node.faults.add(node.at("answered"), "must be true")
    return Answered(_earlier_stage(node, earlier))


def _earlier_stage(node: Node, earlier: Earlier) -> str:
    value = node.value["stage"]
    if not isinstance(value, str) or value not in earlier:
        fault = f'unknown stage "{shown(value)}"' if isinstance(value, str) else "must be a stage key"
        node.faults.add(node.at("stage"), fault)
        return ""
    if earlier[value] is None:
        node.faults.add(node.at("stage"), f'stage "{value}" does not come before this one; conditions look back only')
    return value
