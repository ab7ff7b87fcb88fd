"""Figures of learning curves on numbers worked by hand, and plots that are well-formed."""

from xml.etree import ElementTree

import pytest

from al_worker.core.simulation.figures import (
    area_under_curve,
    labels_to_reach,
    mean_and_sd,
    utilisation,
)
from al_worker.core.simulation.plots import Points, Series, curves_svg, points_svg, ticks_between

LEARNT, AT = [0.50, 0.62, 0.70, 0.74], [150, 300, 450, 600]
RANDOM, RANDOM_AT = [0.50, 0.56, 0.61, 0.66, 0.70], [150, 300, 450, 600, 750]
SVG = "{http://www.w3.org/2000/svg}"


def test_it_measures_the_area_under_a_learning_curve() -> None:
    # (.56 + .66 + .72) * 150 / 450
    assert area_under_curve(AT, LEARNT) == pytest.approx(0.646667, abs=5e-7)
    # Unequal steps: (.5 * 100 + 1 * 300) / 400
    assert area_under_curve([0, 100, 400], [0, 1, 1]) == 0.875
    assert area_under_curve([150], [0.5]) == 0.5


@pytest.mark.parametrize(("labels", "scores"), [([], []), ([1, 2], [0.5]), ([1, 1], [0.5, 0.6]), ([2, 1], [0.5, 0.6])])
def test_it_refuses_what_is_no_curve(labels: list[int], scores: list[float]) -> None:
    with pytest.raises(ValueError, match="rising"):
        area_under_curve(labels, scores)


def test_it_counts_the_labels_that_a_score_takes() -> None:
    assert labels_to_reach(AT, LEARNT, 0.70) == 450
    assert labels_to_reach(RANDOM_AT, RANDOM, 0.70) == 750
    assert utilisation(450, 750) == 0.6
    assert labels_to_reach(AT, LEARNT, 0.75) is None
    assert utilisation(None, 750) is None and utilisation(450, None) is None
    # A mean such as 0.7 * 100 / 100 may be off in its last bit; the curve that equals it has reached it.
    assert labels_to_reach(AT, LEARNT, 0.7 + 1e-15) == 450


def test_it_spreads_over_seeds() -> None:
    assert mean_and_sd([1.0, 2.0, 3.0, 4.0]) == (2.5, pytest.approx(1.2909944487358056))
    assert mean_and_sd([0.7]) == (0.7, None)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0, 6, [0, 1, 2, 3, 4, 5, 6]), (0.61, 0.79, [0.65, 0.7, 0.75]), (150, 3000, [500, 1000, 1500, 2000, 2500, 3000])],
)
def test_it_puts_ticks_at_round_numbers(low: float, high: float, expected: list[float]) -> None:
    assert ticks_between(low, high) == pytest.approx(expected)


def test_it_draws_a_curve_for_each_strategy() -> None:
    curves = [Series("a < b & c", AT, LEARNT, [0.01] * 4), Series("random", RANDOM_AT, RANDOM, [0.0] * 5)]
    root = ElementTree.fromstring(curves_svg("Test", "labels", "macro-F1", curves, [("full", 0.8)]))
    lines = [line.get("points", "").split() for line in root.iter(f"{SVG}polyline")]
    assert [len(points) for points in lines] == [4, 5]
    # y grows downwards: a rising curve has falling coordinates, inside the picture.
    heights = [float(point.split(",")[1]) for point in lines[0]]
    assert heights == sorted(heights, reverse=True) and 0 < heights[-1] < heights[0] < 430
    assert {"a < b & c", "random", "full", "labels", "macro-F1"} <= {text.text for text in root.iter(f"{SVG}text")}


def test_it_draws_flat_curves_and_every_seed() -> None:
    ElementTree.fromstring(curves_svg("Flat", "x", "y", [Series("one", [5], [0.5], [0.0])]))
    rows = [Points("entropy", [0.01, 0.02, -0.01], 0.0067, (-0.01, 0.02)), Points("cal", [0.0], 0.0, None)]
    root = ElementTree.fromstring(points_svg("Differences", "x", rows))
    assert len(list(root.iter(f"{SVG}circle"))) == 4
