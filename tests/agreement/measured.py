"""A codebook with a question for each kind of answers, and tables in which people answer all of them alike."""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotation_app.codebook.question_types.stage import Measure
from annotation_app.models import CodebookVersion, Membership, Project
from tests.agreement.tables import Row, Said, fill


@dataclass(frozen=True)
class Measured:
    """A question with its answers by the letters that tables use."""

    stage: dict[str, Any]
    answers: dict[str, str]

    @property
    def key(self) -> str:
        return str(self.stage["key"])

    @property
    def order(self) -> list[str] | None:
        return list(self.answers.values()) if self.stage.get("scale") == "ordinal" else None


def labelled(key: str, labels: str, **more: Any) -> dict[str, Any]:
    listed = [{"key": each, "name": each.title()} for each in labels.split()]
    return {"key": key, "title": key.title(), "prompt": f"Which {key}?", "labels": listed, **more}


MEASURED: dict[Measure, Measured] = {
    "nominal": Measured(
        labelled("topic", "rates jobs prices trade"), {"A": "rates", "B": "jobs", "C": "prices", "D": "trade"}
    ),
    "ordinal": Measured(
        labelled("strength", "none weak clear strong", scale="ordinal"),
        {"A": "none", "B": "weak", "C": "clear", "D": "strong"},
    ),
    "interval": Measured(
        {"type": "number", "key": "change", "title": "Change", "prompt": "By how much?", "unit": "percent"},
        {"A": "-2.25", "B": "0", "C": "0.1", "D": "12"},
    ),
    "set": Measured(
        labelled("feelings", "joy anger fear", type="several", least=0),
        {"A": '["anger"]', "B": '["anger","joy"]', "C": "[]", "D": '["fear","joy"]'},
    ),
    "none": Measured(
        {"type": "text", "key": "why", "title": "Why", "prompt": "Why so?"},
        {"A": "prices rise", "B": "Prices rise", "C": "=1+1", "D": "jobs"},
    ),
}


def measured_codebook(project: Project) -> CodebookVersion:
    definition = {
        "name": "Kinds",
        "stages": [deepcopy(each.stage) for each in MEASURED.values()],
        "learning": {"stage": MEASURED["nominal"].key},
    }
    return CodebookVersion.objects.create(
        project=project,
        version=project.codebooks.count() + 1,
        state=CodebookVersion.State.PUBLISHED,
        published_at=timezone.now(),
        definition=definition,
        created_by=project.created_by,
    )


def said(letter: str) -> Said | None:
    """All questions answered by one letter; a dash is no assignment."""
    return None if letter == "-" else Said({each.key: each.answers[letter] for each in MEASURED.values()})


def fill_measured(project: Project, annotators: Sequence[Membership], letters: Mapping[str, str]) -> None:
    """One batch under a codebook of all kinds, a letter for each annotator: {"i1": "AB-"}."""
    table: dict[str, Row] = {item: [said(letter) for letter in row] for item, row in letters.items()}
    fill(project, annotators, table, codebook=measured_codebook(project))
