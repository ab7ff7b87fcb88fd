"""Which learning rate a model takes, in the one place that both sides read."""

import pytest

from al_worker.formats.models import BOW_LOGREG, MINILM, MODERNBERT, learning_rate_for


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
    assert (rate.value, rate.origin) == (value, origin) and rate.reason


def test_a_bag_of_words_has_none() -> None:
    with pytest.raises(ValueError, match="without a learning rate"):
        learning_rate_for(BOW_LOGREG)
