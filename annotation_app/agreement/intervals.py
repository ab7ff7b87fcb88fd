"""Make 95 percent intervals of coefficients and their standard errors. Pure: no I/O."""

from functools import lru_cache

from annotation_app.agreement.statistics import BY_KEY

Interval = tuple[float, float]


def jackknife_interval(statistic: str, value: float, error: float, items: int) -> Interval:
    """Return `value` plus and minus t times its standard error, cut at what the statistic can be.

    `error` is the delete-one jackknife's over `items`, at least two (Efron and Tibshirani 1993, chapter 11).
    """
    half = t_quantile(items - 1) * error
    return max(value - half, 0.0 if BY_KEY[statistic].share_of else -1.0), min(value + half, 1.0)


@lru_cache(maxsize=4096)
def t_quantile(df: int) -> float:
    """Return the 0.975 quantile of Student's t with `df` degrees of freedom."""
    # Imported here, because commands that compute no interval would wait for it.
    from scipy.stats import t

    return float(t.ppf(0.975, df))
