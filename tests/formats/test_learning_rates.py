"""Which learning rate a model takes, in the one place that both sides read."""

import pytest

from al_worker.formats.models import BOW_LOGREG, MINILM, MODERNBERT, NO_MODEL, learning_rate_for


@pytest.mark.parametrize(
    ("name", "given", "value", "origin"),
    [
        (MINILM, None, 3e-4, "declared"),
        (MODERNBERT, None, 3e-5, "declared"),
        ("somebody/encoder", None, 3e-5, "paper"),
        (MINILM, 2e-5, 2e-5, "given"),
        ("somebody/encoder", 1e-4, 1e-4, "given"),
    ],
)
def test_each_model_has_its_rate(name: str, given: float | None, value: float, origin: str) -> None:
    rate = learning_rate_for(name, given)
    assert rate is not None and (rate.value, rate.origin) == (value, origin) and rate.reason


@pytest.mark.parametrize("name", [BOW_LOGREG, NO_MODEL])
def test_what_is_fitted_without_a_rate_has_none(name: str) -> None:
    assert learning_rate_for(name) is None and learning_rate_for(name, 1e-4) is None
