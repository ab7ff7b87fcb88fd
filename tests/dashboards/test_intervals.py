"""Intervals against hand-worked values and scipy."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats.contingency import relative_risk

from annotation_app.dashboards.intervals import binomial_at_least, share_ratio, wilson


@pytest.mark.parametrize(
    ("count", "n", "shown"),
    [
        (546, 1044, "0.523 0.493 0.553"),
        (49, 200, "0.245 0.191 0.309"),
        (0, 10, "0.000 0.000 0.278"),
        (4, 4, "1.000 0.510 1.000"),
    ],
)
def test_it_gives_wilsons_interval(count: int, n: int, shown: str) -> None:
    share = wilson(count, n)
    assert share is not None
    assert f"{share.value:.3f} {share.low:.3f} {share.high:.3f}" == shown


def test_it_gives_no_share_of_nothing() -> None:
    assert wilson(0, 0) is None
    assert share_ratio(0, 0, 49, 200) is None


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_it_agrees_with_scipy_on_wilson(counts: tuple[int, int]) -> None:
    share, interval = wilson(*counts), binomtest(*counts).proportion_ci(method="wilson")
    assert share is not None
    assert (share.low, share.high) == (pytest.approx(interval.low, abs=1e-12), pytest.approx(interval.high, abs=1e-12))


def test_it_gives_the_papers_lift() -> None:
    """546/1044 over 49/200; ln = .75830, its variance 1/546 - 1/1044 + 1/49 - 1/200 = .0162818."""
    lift = share_ratio(546, 1044, 49, 200)
    assert lift is not None
    assert lift.value == pytest.approx(2.134647, abs=1e-6)
    half = 1.959963984540054 * math.sqrt(0.016281797)
    assert lift.low == pytest.approx(math.exp(0.758301 - half), abs=1e-5)
    assert lift.high == pytest.approx(math.exp(0.758301 + half), abs=1e-5)
    assert f"{lift.low:.2f} {lift.high:.2f}" == "1.66 2.74"


@given(st.integers(1, 50), st.integers(50, 400), st.integers(1, 50), st.integers(50, 400))
def test_it_agrees_with_scipy_on_the_ratio(count: int, n: int, base_count: int, base_n: int) -> None:
    lift = share_ratio(count, n, base_count, base_n)
    interval = relative_risk(count, n, base_count, base_n).confidence_interval()
    assert lift is not None
    assert (lift.low, lift.high) == (pytest.approx(interval.low), pytest.approx(interval.high))


def test_it_divides_once() -> None:
    """7 of 10 over 4 of 5 is 35/40; the quotient of the two rounded shares is less, and printed as 0.87."""
    ratio = share_ratio(7, 10, 4, 5)
    assert ratio is not None and ratio.value == 0.875
    assert f"{ratio.value:.2f}" == "0.88"


def test_it_gives_no_limits_where_the_logarithm_has_none() -> None:
    none = share_ratio(0, 150, 49, 200)
    assert none is not None
    assert (none.value, none.low, none.high) == (0.0, None, None)
    assert share_ratio(20, 150, 0, 200) is None


def test_it_sums_the_binomial_tail() -> None:
    """Of four at 1/4: 1 - (81 + 108) / 256."""
    assert binomial_at_least(2, 4, 0.25) == pytest.approx(67 / 256)
    assert binomial_at_least(0, 4, 0.25) == 1
    assert binomial_at_least(1, 4, 0.0) == 0
    assert binomial_at_least(4, 4, 1.0) == 1


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.99))
def test_it_agrees_with_scipy_on_the_tail(counts: tuple[int, int], share: float) -> None:
    expected = binomtest(*counts, share, alternative="greater").pvalue
    assert binomial_at_least(*counts, share) == pytest.approx(expected, abs=1e-9)
