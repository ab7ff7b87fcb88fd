"""Compute ratios of shares with their intervals from counts. Pure: no I/O.

scipy is imported inside the function, because commands that compute no ratio would wait for it.
"""

from al_worker.formats.paper_tables import Interval


def share_ratio(count: int, n: int, base_count: int, base_n: int) -> Interval | None:
    """Return (count/n) / (base_count/base_n) with Katz's 95% interval on the logarithm (Katz et al. 1978).

    The two samples are independent. It is None where the base share is zero or has no observations. It has no
    limits where the other share is zero, since its logarithm has none.
    """
    if n == 0 or base_count == 0:
        return None
    # Divided once: scipy's quotient of two rounded shares falls short of 0.875, which then prints as 0.87.
    ratio = (count * base_n) / (n * base_count)
    if count == 0:
        return Interval(0.0, None, None)
    from scipy.stats.contingency import relative_risk

    limits = relative_risk(count, n, base_count, base_n).confidence_interval()
    return Interval(ratio, float(limits.low), float(limits.high))
