"""Figures of learning curves on numbers worked by hand, and plots that are well-formed."""

from xml.etree import ElementTree

import pytest

from al_worker.core.simulation.figures import (
    area_under_curve,
    labels_to_reach,
    mean_and_sd,
    utilisation,
)
from al_worker.core.simulation.plots import Plot, Points, Series, curves_plot, points_plot
from al_worker.formats.drawing import TONES

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


def svg_of(plot: Plot) -> ElementTree.Element:
    assert list(plot.files) == ["svg", "png", "pdf"]
    assert plot.files["png"].startswith(b"\x89PNG") and plot.files["pdf"].startswith(b"%PDF")
    return ElementTree.fromstring(plot.files["svg"])


def test_it_draws_a_curve_for_each_strategy() -> None:
    curves = [Series("_a < b & $c", AT, LEARNT, [0.01] * 4), Series("random", RANDOM_AT, RANDOM, [0.0] * 5)]
    root = svg_of(curves_plot("one", "Test", "labels", "macro-F1", curves, [("full", 0.8)]))
    assert {"_a < b & $c", "random", "full", "labels", "macro-F1", "Test"} <= {
        text.text for text in root.iter(f"{SVG}text")
    }
    # Tones of the pages' charts: one a curve, in the axes and in the key; the line to compare with is grey.
    styles = [path.get("style", "") for path in root.iter(f"{SVG}path")]
    lines = [style for style in styles if "fill: none" in style and "stroke-width: 1.5" in style]
    assert [sum(f"stroke: {tone}" in style for style in lines) for tone in TONES[:3]] == [2, 2, 0]


def test_it_draws_flat_curves_and_every_seed() -> None:
    svg_of(curves_plot("flat", "Flat", "x", "y", [Series("one", [5], [0.5], [0.0])]))
    rows = [Points("entropy", [0.01, 0.02, -0.01], 0.0067, (-0.01, 0.02)), Points("cal", [0.0], 0.0, None)]
    root = svg_of(points_plot("differences", "Differences", "x", rows))
    points = [use for use in root.iter(f"{SVG}use") if f"fill: {TONES[1]}" in use.get("style", "")]
    assert len(points) == 4


def test_it_gives_the_same_bytes_again() -> None:
    again = [curves_plot("one", "Test", "x", "y", [Series("a", AT, LEARNT, [0.01] * 4)]).files for _ in range(2)]
    assert again[0] == again[1]
