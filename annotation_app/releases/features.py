"""Declare the fields of each file, as Hugging Face `datasets` reads them from the card's YAML head.

Without a declaration `datasets` guesses from the beginning of a file: a score that is null in the random batches would
be always null, and a label that comes later an error.
"""

from typing import Any

from annotation_app.codebook.question_types.stage import ExportedType
from annotation_app.releases.shape import JSON_TEXT, Shape

# A type is the name of a scalar's, a list of one type, or fields by name.
Type = Any
STRING, INT, FLOAT, BOOL = "string", "int64", "float64", "bool"

DOCUMENT: Type = {"id": STRING, "title": STRING}
TURNS: Type = [{"speaker": STRING, "text": STRING}]
SPANS: Type = [
    {"start": INT, "end": INT, "quote": STRING, "category": STRING, "comment": STRING, "source": STRING},
]
ABOUT: Type = {
    "id": STRING,
    "item_id": STRING,
    "document": DOCUMENT,
    "round": INT,
    "annotator": STRING,
    "state": STRING,
    "codebook_version": INT,
    "left_out": STRING,
}


def fields_of(kind: str, shape: Shape) -> dict[str, Type]:
    """Return the fields of each record of a kind's file."""
    own = {"aggregated": aggregated, "annotations": annotations, "spans": spans, "text": text}[kind](shape)
    return own | ({"meta": {key: scalar(kind) for key, kind in shape.meta.items()}} if shape.meta else {})


def scalar(kind: ExportedType) -> Type:
    """Return the type of a column; a tuple is a list, by the type of its parts."""
    return STRING if kind == JSON_TEXT else list(kind) if isinstance(kind, tuple) else kind


def aggregated(shape: Shape) -> dict[str, Type]:
    return {
        "id": STRING,
        "text": STRING,
        "speaker": STRING,
        "document": DOCUMENT,
        "utterance": {"id": STRING, "number": INT},
        "sentence_number": INT,
        "start": INT,
        "end": INT,
        "contexts": {
            "utterance": {"before": STRING, "after": STRING},
            "minus_5_sentences": TURNS,
            "minus_200_tokens": TURNS,
        },
        "round": INT,
        "acquisition_score": FLOAT,
        "rank": INT,
        "complete": BOOL,
        "left_out": STRING,
        "codebook_version": INT,
        **({"labels": labels(shape)} if shape.stages else {}),
        **({"spans": SPANS, "spans_state": STRING} if shape.has_spans else {}),
    }


def labels(shape: Shape) -> Type:
    return {
        key: {
            "state": STRING,
            "label": scalar(stage.type),
            **({"votes": dict.fromkeys(stage.labels, INT)} if stage.labels else {}),
            **({"median": FLOAT} if stage.has_median else {}),
            "raw": dict.fromkeys(shape.annotators, scalar(stage.type)),
            "source": STRING,
            "revised_since": BOOL,
        }
        for key, stage in shape.stages.items()
    }


SUGGESTED: dict[str, Type] = {
    "suggestion_mode": STRING,
    "suggestion_system": STRING,
    "suggestion_evaluation": INT,
    "suggestion_shown": BOOL,
}


def annotations(shape: Shape) -> dict[str, Type]:
    return {
        "item_id": STRING,
        "text": STRING,
        "round": INT,
        "phase": INT,
        "annotator": STRING,
        "state": STRING,
        "comment": STRING,
        "skip_reason": STRING,
        "context_opened": STRING,
        "active_ms": INT,
        "wall_ms": INT,
        "created_at": STRING,
        "codebook_version": INT,
        "revision": INT,
        "is_current": BOOL,
        "left_out": STRING,
        **(SUGGESTED if shape.has_suggestions else {}),
        **({"answers": {key: scalar(stage.type) for key, stage in shape.stages.items()}} if shape.stages else {}),
        **({"spans": SPANS} if shape.has_spans else {}),
    }


def spans(shape: Shape) -> dict[str, Type]:
    return ABOUT | {
        "speaker": STRING,
        "position": INT,
        "text": STRING,
        "text_sha256": STRING,
        "spans": SPANS,
        "sources": [{"id": STRING, "title": STRING, "text": STRING}],
    }


def text(shape: Shape) -> dict[str, Type]:
    return ABOUT | {
        "text_sha256": STRING,
        "style": STRING,
        "categories": dict.fromkeys(shape.markers, STRING),
        "linear": STRING,
    }


def features(fields: dict[str, Type]) -> list[dict[str, Any]]:
    """Return the fields in the form of the card's YAML head."""
    return [{"name": name, **feature(each)} for name, each in fields.items()]


def feature(each: Type) -> dict[str, Any]:
    if isinstance(each, dict):
        return {"struct": features(each)}
    if isinstance(each, list):
        return {"list": features(each[0]) if isinstance(each[0], dict) else each[0]}
    return {"dtype": each}
