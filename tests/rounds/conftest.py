"""A project with text, a live worker, and the spec of an ordinary round."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from annotation_app.models import WorkerBeat
from annotation_app.rounds.spec import RoundSpec
from tests.conftest import People
from tests.factories import make_beat, make_items
from tests.rounds.practices import Admin
from tests.rounds.walk import ClientOf, Walk

WORDS = ("rates should rise now", "the report was filed", "policy is tight enough", "we met at noon today")


@pytest.fixture
def texts(people: People) -> list[str]:
    lines = [f"{WORDS[n % 4]} as item {n} of the record says" for n in range(40)]
    make_items(people.project, lines)
    return lines


@pytest.fixture
def admin(people: People, client_of: ClientOf, texts: list[str]) -> Admin:
    return Admin(people, client_of(people.admin))


@pytest.fixture
def worker(db: None) -> WorkerBeat:
    return make_beat("models")


@pytest.fixture
def spec(people: People) -> Callable[..., RoundSpec]:
    """A spec by keyword; what is not named is the ordinary case."""
    base = {
        "strategy": "random",
        "query_size": 8,
        "random_state": 7,
        "model": "bow-logreg",
        "learning_stages": ["opinion"],
        "annotators": [member.uuid for member in people.annotators],
        "annotators_per_item": 3,
    }

    def made(**changes: Any) -> RoundSpec:
        return RoundSpec.model_validate(base | changes)

    return made


@pytest.fixture(autouse=True)
def own_storage(settings: Settings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "media")
    settings.RUNS_DIR = tmp_path / "runs"


@pytest.fixture
def walk(db: None, client_of: ClientOf) -> Walk:
    for queue in ("models", "light"):
        make_beat(queue)
    return Walk(client_of)
