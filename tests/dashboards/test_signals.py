"""Stopping signals, from hand-made rounds."""

from dataclasses import replace

import pytest

from annotation_app.dashboards.signals import RoundFigures, Signal, stopping_signals

PLAIN = RoundFigures(number=1)


def rounds(*changes: dict) -> list[RoundFigures]:
    return [replace(PLAIN, number=number, **change) for number, change in enumerate(changes, start=1)]


def told(key: str, *changes: dict, base: float | None = 0.25, budget: int | None = None) -> Signal:
    signals = stopping_signals(rounds(*changes), base_share=base, base_name="prototype batch", budget=budget)
    return next(signal for signal in signals if signal.declared.key == key)


def test_it_knows_nothing_before_the_first_round() -> None:
    signals = stopping_signals([], base_share=None, base_name="", budget=None)
    assert [(signal.declared.key, signal.status) for signal in signals] == [
        ("overall_uncertainty", "unknown"),
        ("selected_uncertainty", "unknown"),
        ("classification_change", "unknown"),
        ("kappa_average", "unknown"),
        ("delta_f", "unknown"),
        ("yield_exhaustion", "unknown"),
        ("budget", "unknown"),
        ("human_ceiling", "unknown"),
    ]
    assert all(signal.reason for signal in signals)


@pytest.mark.parametrize(
    ("key", "name", "values", "status"),
    [
        ("overall_uncertainty", "uncertainty", (0.04, 0.05), "not_reached"),
        ("overall_uncertainty", "uncertainty", (0.4, 0.049), "reached"),
        ("selected_uncertainty", "selected_uncertainty", (0.4, 0.049), "reached"),
        ("classification_change", "changed_share", (0.0, 0.011), "not_reached"),
        ("classification_change", "changed_share", (0.5, 0.01), "reached"),
        ("kappa_average", "kappa", (0.99, 0.99), "unknown"),
        ("kappa_average", "kappa", (0.1, 0.93, 0.95, 0.97), "reached"),
        ("kappa_average", "kappa", (0.99, 0.93, 0.95, 0.96), "not_reached"),
        ("delta_f", "delta_f", (0.04, 0.04, 0.04), "reached"),
        ("delta_f", "delta_f", (0.01, 0.05, 0.01), "not_reached"),
    ],
)
def test_it_compares_the_newest_values(key: str, name: str, values: tuple[float, ...], status: str) -> None:
    found = told(key, *({name: value} for value in values))
    assert found.status == status
    assert [(point.round, point.value) for point in found.values] == list(enumerate(values, start=1))


def test_it_passes_over_rounds_without_a_model() -> None:
    found = told("kappa_average", {"kappa": 0.97}, {}, {"kappa": 0.97}, {"kappa": 0.97})
    assert (found.status, found.values[1].value) == ("reached", None)


def test_it_does_not_trust_models_that_say_one_thing_of_everything() -> None:
    same = {"kappa": 1.0, "changed_share": 0.0, "uncertainty": 0.0, "doubt": "it gives one label to everything"}
    for key in ("kappa_average", "classification_change", "overall_uncertainty"):
        found = told(key, same, same, same)
        assert found.status == "unknown"
        assert "one label to everything" in found.reason


def test_it_tests_the_yield_against_the_base_rate() -> None:
    """At a base rate of 1/4: 20 of 40 is far above it (p = .0006); 12 of 40 may be (p = .28); 10 of 40 is not."""
    rich, poor = {"positives": 5, "n": 10}, {"positives": 4, "n": 15}
    found = told("yield_exhaustion", {"positives": 2, "n": 10, "random": True}, rich, rich, {"positives": 10, "n": 20})
    assert found.status == "not_reached"
    assert found.values[3].value == pytest.approx(0.000572, abs=1e-6)
    assert [point.value for point in found.values[:3]] == [None] * 3
    found = told("yield_exhaustion", poor, {"positives": 4, "n": 15}, {"positives": 4, "n": 10})
    assert (found.status, "too few items" in found.reason) == ("unknown", True)
    assert found.values[2].value == pytest.approx(0.284856, abs=1e-6)
    assert "12 positives of 40" in found.reason
    assert "25.0% (prototype batch)" in found.reason
    assert told("yield_exhaustion", poor, {"positives": 3, "n": 15}, {"positives": 3, "n": 10}).status == "reached"


def test_it_needs_a_base_rate_and_enough_chosen_batches() -> None:
    rich = {"positives": 5, "n": 10}
    assert "base rate yet" in told("yield_exhaustion", rich, rich, rich, base=None).reason
    assert "0%" in told("yield_exhaustion", rich, rich, rich, base=0.0).reason
    assert "there are 2" in told("yield_exhaustion", rich, rich, rich | {"random": True}).reason
    assert "there are 2" in told("yield_exhaustion", rich, rich, rich | {"complete": False}).reason


def test_it_counts_the_budget_down() -> None:
    found = told("budget", {"left": 5}, {"left": 0}, budget=10)
    assert (found.status, found.reason) == ("reached", "0 of 10 items left.")
    assert told("budget", {"left": 5}, budget=10).status == "not_reached"
    assert told("budget", budget=10).reason == "10 of 10 items left."


def test_it_sees_when_people_agree_no_more() -> None:
    def ceiling(*alphas: float | None, **last: object) -> Signal:
        changes = [{"alpha": alpha, "n_units": 150} for alpha in alphas]
        return told("human_ceiling", *changes[:-1], changes[-1] | last)

    found = ceiling(0.7, 0.39, 0.3)
    assert (found.status, found.reason) == (
        "reached",
        "0.390 (n = 150), 0.300 (n = 150) in the last 2 complete batches.",
    )
    assert ceiling(0.3, 0.4).status == "not_reached"
    assert ceiling(0.3, None).status == "unknown"
    assert ceiling(0.3, 0.3, complete=False).status == "unknown"


def test_it_calls_nothing_reached_by_a_handful_of_items() -> None:
    """Two batches of one item each, on which people differ; three batches without a positive among nineteen items."""
    few = {"alpha": 0.0, "n_units": 1}
    found = told("human_ceiling", few, few)
    assert (found.status, "Too few items to tell: it takes 20 with two answers in each." in found.reason) == (
        "unknown",
        True,
    )
    assert told("human_ceiling", {"alpha": 0.3, "n_units": 20}, {"alpha": 0.3, "n_units": 19}).status == "unknown"
    assert told("human_ceiling", {"alpha": 0.3, "n_units": 20}, {"alpha": 0.3, "n_units": 20}).status == "reached"
    assert told("human_ceiling", few, few | {"alpha": 0.5}).status == "not_reached"
    empty = {"positives": 0, "n": 7}
    found = told("yield_exhaustion", empty, empty, empty | {"n": 5})
    assert (found.status, found.reason.endswith("Too few items to tell: it takes 20.")) == ("unknown", True)
    assert told("yield_exhaustion", empty, empty, empty | {"n": 6}).status == "reached"
