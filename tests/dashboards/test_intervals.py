"""Intervals against hand-worked values and the closed forms of their papers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from al_worker.formats.intervals import wilson
from annotation_app.dashboards.intervals import share_ratio
from annotation_app.dashboards.signals import no_more_than

Z = 1.959963984540054


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
def test_it_agrees_with_wilsons_formula(counts: tuple[int, int]) -> None:
    """(p + z²/2n ± z √(p(1 - p)/n + z²/4n²)) / (1 + z²/n), and exactly 0 and 1 at the ends."""
    count, n = counts
    p, share = count / n, wilson(count, n)
    half = Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    low, high = ((p + Z * Z / (2 * n) + sign * half) / (1 + Z * Z / n) for sign in (-1, 1))
    assert share is not None and share.value == p
    assert (share.low, share.high) == (pytest.approx(low, abs=1e-12), pytest.approx(high, abs=1e-12))
    assert count or share.low == 0
    assert count < n or share.high == 1


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
def test_it_agrees_with_katzs_formula(count: int, n: int, base_count: int, base_n: int) -> None:
    lift = share_ratio(count, n, base_count, base_n)
    factor = math.exp(Z * math.sqrt(max(1 / count - 1 / n + 1 / base_count - 1 / base_n, 0)))
    assert lift is not None
    ratio = lift.value
    assert (lift.low, lift.high) == (pytest.approx(ratio / factor, rel=1e-12), pytest.approx(ratio * factor, rel=1e-12))


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
    assert no_more_than(2, 4, 0.25) == pytest.approx(67 / 256)
    assert no_more_than(0, 4, 0.25) == 1


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.99))
def test_it_agrees_with_the_binomial_terms(counts: tuple[int, int], share: float) -> None:
    count, n = counts
    terms = (math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(count, n + 1))
    assert no_more_than(count, n, share) == pytest.approx(math.fsum(terms), abs=1e-9)
