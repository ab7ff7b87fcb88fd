"""A project whose labels are worked out by hand, an operator's file of language models, and ordinary requests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from annotation_app.evaluation.services import PredictionsFile, evaluation_create
from annotation_app.evaluation.spec import EvaluationSpec
from annotation_app.models import Batch, Evaluation
from tests.agreement.tables import Row, Said, fill
from tests.conftest import People
from tests.rounds.conftest import own_storage, worker

__all__ = ["own_storage", "worker"]

KEY = "sk-a-very-secret-key"
MODELS = """
[models.small]
kind = "openai"
model = "gpt-5-nano"
title = "Small"
base_url = "https://user:pass@{host}/v1"
key_env = "TEST_MODEL_KEY"
price_in = 1.0
price_out = 10.0

[models.free]
kind = "openai"
model = "open"
base_url = "https://{host}/v1"

[models.local]
kind = "transformers"
model = "/models/tiny"

[models.keyless]
kind = "anthropic"
model = "claude"
key_env = "TEST_MODEL_KEY_THAT_IS_NOT_SET"
"""
HOST = "models.example:8443"


def said(opinion: str, mp: str = "", context: str = "") -> Said:
    given = {"opinion": opinion, "mp": mp, "mp_context": context}
    return Said({stage: label for stage, label in given.items() if label})


NO, AMBIGUOUS = said("no"), said("ambiguous")
# Three annotators, so that a majority takes two.
TABLE: dict[str, Row] = {
    "unanimous": [said("yes", "yes", "sentence")] * 3,
    "majority": [said("yes", "yes", "utterance"), said("yes", "yes", "utterance"), NO],
    "tie": [said("yes", "yes", "sentence"), NO, AMBIGUOUS],
    "ambiguous": [AMBIGUOUS] * 3,
    "closed": [NO] * 3,
    "context": [
        said("yes", "yes", "utterance"),
        said("yes", "yes", "minus_5_sentences"),
        said("yes", "yes", "utterance"),
    ],
}


@pytest.fixture
def labelled(people: People) -> Batch:
    return fill(people.project, people.annotators, TABLE)


@pytest.fixture
def models_file(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TEST_MODEL_KEY", KEY)
    path = tmp_path / "models.toml"
    path.write_text(MODELS.replace("{host}", HOST), encoding="utf-8")
    settings.LANGUAGE_MODELS = str(path)
    return path


def asked(**changes: Any) -> dict[str, Any]:
    """The JSON of an ordinary request."""
    ordinary = {"name": "A comparison", "gold": {"kind": "labels"}, "stages": ["opinion"], "systems": ["majority"]}
    return ordinary | changes


@pytest.fixture
def started(people: People) -> Callable[..., Evaluation]:
    def start(predictions: PredictionsFile | None = None, **changes: Any) -> Evaluation:
        spec = EvaluationSpec.model_validate(asked(**changes))
        return evaluation_create(project=people.project, spec=spec, actor=people.admin.user, predictions=predictions)

    return start
