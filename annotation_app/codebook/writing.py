"""Write a codebook back to JSON, with every default written out."""

from dataclasses import asdict
from typing import Any

from annotation_app.codebook.spans import SpanLayer
from annotation_app.codebook.stages import AllOf, Answered, AnyOf, Codebook, Condition, Label, LabelIn, Stage


def definition_of(codebook: Codebook) -> dict[str, Any]:
    """Return the JSON of a codebook with every default written out. `parse_definition` returns the same codebook.

    `learning` and `span_layer` are present only where the codebook has them.
    """
    written: dict[str, Any] = {
        "name": codebook.name,
        "guidelines": codebook.guidelines,
        "stages": [_stage_json(stage) for stage in codebook.stages],
    }
    if codebook.learning is not None:
        written["learning"] = {"stage": codebook.learning.stage, "exclude": list(codebook.learning.exclude)}
    if codebook.span_layer is not None:
        written["span_layer"] = _span_layer_json(codebook.span_layer)
    return written


def _span_layer_json(layer: SpanLayer) -> dict[str, Any]:
    return {"target": layer.target, "categories": [asdict(category) for category in layer.categories]}


def _stage_json(stage: Stage) -> dict[str, Any]:
    return {
        "key": stage.key,
        "title": stage.title,
        "prompt": stage.prompt,
        "help": stage.help,
        "scale": stage.scale,
        "required": stage.required,
        "open_when": None if stage.open_when is None else condition_json(stage.open_when),
        "labels": [_label_json(label) for label in stage.labels],
        "positive": list(stage.positive),
    }


def _label_json(label: Label) -> dict[str, Any]:
    written = {"key": label.key, "name": label.name, "help": label.help, "examples": list(label.examples)}
    return written if label.shortcut is None else written | {"shortcut": label.shortcut}


def condition_json(condition: Condition) -> dict[str, Any]:
    """Return the JSON of a condition."""
    match condition:
        case LabelIn(stage, labels):
            return {"stage": stage, "in": list(labels)}
        case Answered(stage):
            return {"stage": stage, "answered": True}
        case AllOf(parts):
            return {"all": [condition_json(part) for part in parts]}
        case AnyOf(parts):
            return {"any": [condition_json(part) for part in parts]}
