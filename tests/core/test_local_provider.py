from pathlib import Path

import pytest

from al_worker.core.errors import ModelUnavailable
from al_worker.core.evaluation.answers import read_answer
from al_worker.core.providers.registry import provider_for
from al_worker.formats.providers import LanguageModel


def test_a_model_is_held_to_labels_that_it_was_never_taught(tiny_causal: Path) -> None:
    labels = ("entailment", "contradiction")
    model = LanguageModel(name="local", kind="transformers", model=str(tiny_causal), max_tokens=400)
    provider = provider_for(model)
    reply = provider.ask("so it goes, 1", labels)
    assert read_answer(reply.text, labels).label in labels
    assert provider.ask("so it goes, 1", labels).text == reply.text


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"local: .* is no causal model that can be loaded here"):
        provider_for(LanguageModel(name="local", kind="transformers", model=str(tmp_path)))
