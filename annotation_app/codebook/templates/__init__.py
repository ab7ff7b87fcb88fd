"""Offer codebooks to start from. A new one is a file here and a line in TEMPLATES."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from annotation_app.demo.paths import CODEBOOK, SPANS_CODEBOOK

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Template:
    """Describe a codebook to start from. `is_ready`: people can label by it as it stands."""

    key: str
    title: str
    help: str
    path: Path
    is_ready: bool = True

    @cached_property
    def definition(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
        return found


# The page offers them in this order; the first one is chosen.
TEMPLATES = (
    Template("blank", "Blank", "One question with two labels.", FOLDER / "blank.json", is_ready=False),
    Template(
        "sentiment",
        "Sentiment and its intensity",
        "One label, and a scale that opens where a feeling is expressed.",
        FOLDER / "sentiment.json",
    ),
    Template("topics", "Topics", "Several labels for a text, from a list.", FOLDER / "topics.json"),
    Template(
        "stance",
        "Stance towards a target",
        "Whether a text is about the target, its stance, and how it is said.",
        FOLDER / "stance.json",
    ),
    Template(
        "five-stage",
        "Five stages",
        "Opinion, topic, stance, and how much context each needed: the schema of the study OP-FED.",
        CODEBOOK,
    ),
    Template("names", "Names", "Spans of persons, organizations and places.", FOLDER / "entities.json"),
    Template(
        "spans",
        "How texts interpret sources",
        "Target sentences with eight kinds of spans, comments and references to documents.",
        SPANS_CODEBOOK,
    ),
)
BY_KEY = {template.key: template for template in TEMPLATES}
NO_CODEBOOK = "none"
