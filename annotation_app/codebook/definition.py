"""Parse a codebook from JSON, and name every fault of the definition."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from annotation_app.codebook.conditions import VALUES, read_condition
from annotation_app.codebook.reading import Faults, Node, note_repeats
from annotation_app.codebook.span_reading import read_span_layer
from annotation_app.codebook.spans import SpanCategory, SpanLayer
from annotation_app.codebook.stages import (
    Codebook,
    Condition,
    Label,
    Learning,
    Stage,
)
from annotation_app.codebook.texts import shown, text_fault

__all__ = [
    "Codebook",
    "Condition",
    "DefinitionError",
    "Label",
    "Learning",
    "SpanCategory",
    "SpanLayer",
    "Stage",
    "parse_definition",
]

GUIDELINES_LENGTH = 50_000
HELP_LENGTH = 5_000
PROMPT_LENGTH = 1_000
NAME_LENGTH = 200
STAGES = 20
LABELS = VALUES
EXAMPLES = 20

CODEBOOK_KEYS = ("name", "guidelines", "stages", "learning", "span_layer")
STAGE_KEYS = ("key", "title", "prompt", "help", "scale", "required", "open_when", "labels", "positive")
LABEL_KEYS = ("key", "name", "help", "examples", "shortcut")
SCALES = ("nominal", "ordinal")


class DefinitionError(ValueError):
    """Signal a definition that is not a valid codebook. `errors` holds every fault as (path, message)."""

    def __init__(self, errors: list[tuple[str, str]]) -> None:
        self.errors = errors
        super().__init__("; ".join(f"{path or 'codebook'}: {message}" for path, message in errors))


def parse_definition(definition: Any) -> Codebook:
    """Return the codebook that decoded JSON defines. Raises DefinitionError, which lists every fault with its path.

    Optional keys are `guidelines`, `help`, `examples`, `positive`, `scale` (default nominal), `required` (default
    true), `open_when` (default null), `shortcut`, `learning.exclude` and `span_layer`. With a span layer, `stages` and
    `learning` are optional too.
    """
    faults = Faults()
    node = Node.of(definition, "", faults, CODEBOOK_KEYS)
    codebook = _codebook(node) if node else None
    if codebook is None or faults.found:
        raise DefinitionError(faults.found)
    return codebook


def _codebook(node: Node) -> Codebook:
    name = node.text("name", NAME_LENGTH)
    guidelines = node.text("guidelines", GUIDELINES_LENGTH, default="")
    layer = None
    if node.value.get("span_layer") is not None:
        layer = read_span_layer(node.value["span_layer"], "span_layer", node.faults)
    stages = _stages(node, least=0 if node.value.get("span_layer") is not None else 1)
    learning = _learning(node, stages)
    return Codebook(name, tuple(stages), learning, guidelines, layer)


def _stages(node: Node, least: int) -> list[Stage]:
    values = node.objects("stages", STAGES, least)
    objects = [Node.of(value, path, node.faults, STAGE_KEYS) for value, path in values]
    nodes = [stage for stage in objects if stage is not None]
    stages = [_stage(stage) for stage in nodes]
    note_repeats(
        [(stage.key, at.at("key")) for stage, at in zip(stages, nodes, strict=True)], "the stage key", node.faults
    )
    return [replace(stage, open_when=_gate(stages, i, nodes[i])) for i, stage in enumerate(stages)]


def _stage(node: Node) -> Stage:
    """Return a stage without its condition, which can be read only when every stage is known."""
    objects = [Node.of(value, path, node.faults, LABEL_KEYS) for value, path in node.objects("labels", LABELS)]
    nodes = [label for label in objects if label is not None]
    labels = [_label(label) for label in nodes]
    note_repeats(
        [(label.key, at.at("key")) for label, at in zip(labels, nodes, strict=True)], "the label key", node.faults
    )
    shortcuts = [(label.shortcut or "", at.at("shortcut")) for label, at in zip(labels, nodes, strict=True)]
    note_repeats([(key.casefold(), path) for key, path in shortcuts], "the shortcut", node.faults)
    keys = [label.key for label in labels]
    return Stage(
        key=node.key(),
        title=node.text("title", NAME_LENGTH),
        prompt=node.text("prompt", PROMPT_LENGTH),
        labels=tuple(labels),
        help=node.text("help", HELP_LENGTH, default=""),
        scale=node.choice("scale", SCALES, default="nominal"),
        required=node.flag("required", default=True),
        positive=node.strings("positive", LABELS, partial(_not_a_label, keys)),
    )


def _label(node: Node) -> Label:
    return Label(
        key=node.key(),
        name=node.text("name", NAME_LENGTH),
        help=node.text("help", HELP_LENGTH, default=""),
        examples=node.strings("examples", EXAMPLES, partial(text_fault, limit=PROMPT_LENGTH, may_be_blank=False)),
        shortcut=node.shortcut(),
    )


def _gate(stages: Sequence[Stage], position: int, node: Node) -> Condition | None:
    value = node.value.get("open_when")
    if value is None:
        return None
    earlier: dict[str, tuple[str, ...] | None] = {stage.key: None for stage in stages[position:]}
    earlier |= {stage.key: stage.label_keys for stage in stages[:position]}
    earlier.pop("", None)
    return read_condition(value, node.at("open_when"), earlier, node.faults)


def _learning(parent: Node, stages: Sequence[Stage]) -> Learning | None:
    """Return which stage is learned, or None where the codebook has no stages or a fault was noted."""
    if not stages and parent.value.get("learning") is None:
        return None
    if "learning" not in parent.value:
        parent.faults.add("learning", "is missing")
        return None
    node = Node.of(parent.value["learning"], "learning", parent.faults, ("stage", "exclude"))
    if node is None:
        return None
    name = node.text("stage", NAME_LENGTH)
    stage = next((stage for stage in stages if stage.key == name), None)
    if name and stage is None:
        node.faults.add("learning.stage", f'unknown stage "{shown(name)}"')
    keys = stage.label_keys if stage else None
    exclude = node.strings("exclude", LABELS, partial(_not_a_label, keys))
    if keys is not None and len(set(keys) - set(exclude)) < 2:
        node.faults.add("learning", "leaves fewer than two labels; a model needs two to tell apart")
    return Learning(name, exclude)


def _not_a_label(keys: Sequence[str] | None, value: Any) -> str | None:
    """Return the fault of a value that should be a label key. `keys` is None where the stage is unknown."""
    if not isinstance(value, str):
        return "must be a label key"
    return f'the stage has no label "{shown(value)}"' if keys is not None and value not in keys else None
