"""Export records with every key that the release has: what a record leaves out is null, and votes not given are 0."""

import json
from collections.abc import Mapping
from typing import Any

from annotation_app.codebook.question_types.stage import ExportedType
from annotation_app.releases.shape import JSON_TEXT, Shape, StageShape

Record = dict[str, Any]
# A stage that the item's own codebook does not have.
ABSENT: Record = {"state": "not_applicable", "label": None, "votes": {}, "raw": {}}


def aggregated(record: Record, shape: Shape) -> Record:
    labels: Record = {
        key: label_whole(record["labels"].get(key, ABSENT), stage, shape) for key, stage in shape.stages.items()
    }
    spans = {"spans": record.get("spans"), "spans_state": record.get("spans_state")} if shape.has_spans else {}
    return without(record, "labels") | ({"labels": labels} if labels else {}) | spans


def label_whole(said: Mapping[str, Any], stage: StageShape, shape: Shape) -> Record:
    votes = {label: stage.votes_for(label, said["votes"]) for label in stage.labels}
    return {
        "state": said["state"],
        "label": scalar(said["label"], stage.type),
        **({"votes": votes} if votes else {}),
        **({"median": said.get("median")} if stage.has_median else {}),
        "raw": {name: scalar(said["raw"].get(name), stage.type) for name in shape.annotators},
        "source": said.get("source"),
        "revised_since": said.get("revised_since"),
    }


def annotations(record: Record, shape: Shape) -> Record:
    answers = {key: scalar(record["answers"].get(key), stage.type) for key, stage in shape.stages.items()}
    spans = {"spans": record.get("spans")} if shape.has_spans else {}
    return without(record, "answers") | ({"answers": answers} if answers else {}) | spans


def spans(record: Record, shape: Shape) -> Record:
    return record


def text(record: Record, shape: Shape) -> Record:
    return record | {"categories": {marker: record["categories"].get(marker) for marker in shape.markers}}


def without(record: Record, key: str) -> Record:
    return {name: value for name, value in record.items() if name != key}


def whole(kind: str, record: Record, shape: Shape) -> Record:
    """Return the record of a kind with every key that the release has. Nested or mixed values in `meta` are JSON."""
    own = WHOLE[kind](without(record, "meta"), shape)
    found = record.get("meta", {})
    meta = {key: scalar(found.get(key), kind) for key, kind in shape.meta.items()}
    return own | ({"meta": meta} if meta else {})


def scalar(value: Any, kind: ExportedType) -> Any:
    """Return a value as a column of the type holds it."""
    return json.dumps(value, ensure_ascii=False) if kind == JSON_TEXT and value is not None else value


WHOLE = {"aggregated": aggregated, "annotations": annotations, "spans": spans, "text": text}
