"""A live worker, small labelled files, and the spec of an ordinary simulation."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation_app.models import Simulation
from annotation_app.simulations.services import Uploads, simulation_create
from annotation_app.simulations.spec import Case, SimulationSpec
from tests.conftest import People
from tests.core.run_dirs import sentences
from tests.rounds.conftest import own_storage, worker

__all__ = ["own_storage", "worker"]
N_TRAIN = 60


def jsonl(lines: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.fixture
def files() -> dict[str, list[dict[str, Any]]]:
    """Sixty lines to learn from and thirty to test on; every text ends with its own number."""
    lines = [{"id": item.id, "text": item.text, "label": item.label} for item in sentences(N_TRAIN + 30)]
    return {"train": lines[:N_TRAIN], "test": lines[N_TRAIN:]}


def uploads(files: dict[str, list[dict[str, Any]]]) -> Uploads:
    return Uploads(**{name: SimpleUploadedFile(f"my-{name}.jsonl", jsonl(lines)) for name, lines in files.items()})


def ordinary(**changes: Any) -> SimulationSpec:
    """Two strategies, two seeds, three batches of five with the bag of words: 13 trainings."""
    base: dict[str, Any] = {
        "name": "Which one first?",
        "strategies": [Case("random", "random", {}), Case("n-gram.2", "ngram_density", {"j": 2})],
        "models": ["bow-logreg"],
        "seeds": [1, 2],
        "batch_sizes": [5],
        "batches": 3,
    }
    return SimulationSpec(**{**base, **changes})


@pytest.fixture
def started(people: People, files: dict[str, list[dict[str, Any]]]) -> Callable[..., Simulation]:
    def start(**changes: Any) -> Simulation:
        spec = ordinary(**changes)
        return simulation_create(project=people.project, spec=spec, source=uploads(files), actor=people.admin.user)

    return start
