"""A project of twelve settled articles, each about a press release of its own, and evaluations of their acts."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from annotation_app.models import EquivalenceEvaluation, EquivalenceRevision, Membership, Project
from tests.conftest import People
from tests.equivalence_server.rows import sentence
from tests.export.span_rows import add_sources, decide, mark, open_articles, span_codebook
from tests.rounds.conftest import own_storage, worker

__all__ = ["own_storage", "worker"]

N = 12
ACTS = ("cut rates", "lowered rates", "raised rates", "lifted rates")
LONG = "The staff gave a long report about markets and banks. " * 4


def text_of(number: int) -> str:
    return f"It {ACTS[number % 4]}."


@pytest.fixture
def articles(people: People) -> Project:
    places = open_articles(
        people.project, span_codebook(people.project), [text_of(at) for at in range(N)], [people.annotators[0]]
    )
    for at, place in enumerate(places):
        name, act = f"press-{at:02}", ACTS[at % 4]
        add_sources(place.item, {name: f"The Committee {act}. {LONG}"})
        made = mark(place, people.annotators[0], sentence(text_of(at), text_of(at), act, act.title(), name))
        decide(place, people.admin, "accepted", annotation=made)
    return people.project


def evaluation_make(people: People, name: str, *classes: list[str]) -> EquivalenceEvaluation:
    row = EquivalenceEvaluation.objects.create(
        project=people.project, position=0, revision=1, created_by=people.admin.user
    )
    content = {
        "annotation": "act",
        "evaluation": name,
        "part": "words",
        "in_depth": False,
        "classes": [{"key": str(uuid4()), "name": f"class {at}", "members": each} for at, each in enumerate(classes)],
    }
    EquivalenceRevision.objects.create(
        evaluation=row, number=1, client_id=uuid4(), content=content, action="Made", made_by=people.admin.user
    )
    return row


@pytest.fixture
def acts(people: People) -> EquivalenceEvaluation:
    return evaluation_make(people, "acts", list(ACTS[:2]), list(ACTS[2:]))


@pytest.fixture
def admin(people: People, client_of: Callable[[Membership], APIClient]) -> APIClient:
    return client_of(people.admin)


@pytest.fixture
def base(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/interpretations/"


def system(**changes: Any) -> dict[str, Any]:
    return {
        "title": "MiniLM, lead",
        "kind": "bert",
        "model": "all-MiniLM-L6-v2",
        "budget": 32,
        "max_epochs": 1,
    } | changes


def asked(*systems: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"name": "A study", "systems": list(systems) or [system()], "seed": 3} | changes
