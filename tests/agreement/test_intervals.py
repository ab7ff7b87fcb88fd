"""Intervals of coefficients against printed quantiles of Student's t."""

import pytest

from annotation_app.agreement.intervals import jackknife_interval, t_quantile


@pytest.mark.parametrize(
    ("df", "quantile"),
    [
        (1, 12.706204736175),
        (2, 4.302652729749),
        (15, 2.131449545560),
        (30, 2.042272456301),
        (31, 2.039513446396),
        (1_000, 1.962339080826),
        (1_000_000, 1.959966356821),
    ],
)
def test_the_quantile_is_the_tables(df: int, quantile: float) -> None:
    assert t_quantile(df) == pytest.approx(quantile, abs=1e-9)


def test_the_interval_is_t_standard_errors_wide() -> None:
    """Expect t = 2.131449545560 with 16 items: 0.5 - 2.131449545560 * 0.1."""
    low, high = jackknife_interval("alpha_nominal", 0.5, 0.1, 16)
    assert (low, high) == (pytest.approx(0.286855045444, abs=1e-9), pytest.approx(0.713144954556, abs=1e-9))


def test_the_interval_ends_where_the_statistic_does() -> None:
    assert jackknife_interval("percent_agreement", 0.5, 1.0, 4) == (0, 1)
    assert jackknife_interval("alpha_nominal", 0.5, 1.0, 4) == (-1, 1)
    assert jackknife_interval("fleiss_kappa", 1.0, 0.0, 4) == (1, 1)
