"""Rows with sources and imported spans."""

import json
from typing import Any

import pytest

from annotation_app.models import (
    Project,
)
from tests.conftest import People
from tests.factories import publish

LAYER = {
    "name": "Marks",
    "span_layer": {
        "categories": [
            {"key": "act", "name": "What is done", "marker": "ACT", "at_least": 1, "comment": "required"},
            {"key": "reference", "name": "Reference", "refers": True},
            {"key": "plain", "name": "Plain", "comment": "none"},
        ]
    },
}


WHOLE = {"format": "jsonl", "unit": "document"}


PRESS = {"id": "press", "title": "Statement", "text": "The Board raised\r\n its rate."}


@pytest.fixture
def project(people: People) -> Project:
    """Its published codebook marks spans."""
    publish(people.project, LAYER)
    return people.project


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def row(number: int, text: str = "The Board raised its rate.", **beside: Any) -> dict[str, Any]:
    return {"id": f"r{number}", "text": text, **beside}


def span(start: int, end: int, category: str = "act", **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "category": category, **more}
