"""Compute shares and ratios with their intervals from counts. Pure: no I/O."""

import math
from dataclasses import dataclass

Z95 = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    """Hold an estimate with its 95% limits; limits are None where the method gives none."""

    value: float
    low: float | None
    high: float | None


def wilson(count: int, n: int) -> Interval | None:
    """Return the share count/n with Wilson's 95% score interval (Wilson 1927); None without observations."""
    if n == 0:
        return None
    share, z2 = count / n, Z95 * Z95
    middle = share + z2 / (2 * n)
    half = Z95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    scale = 1 + z2 / n
    # At 0 and n the limit is exact; rounding must not put it a hair outside.
    low = 0.0 if count == 0 else (middle - half) / scale
    high = 1.0 if count == n else (middle + half) / scale
    return Interval(share, low, high)


def share_ratio(count: int, n: int, base_count: int, base_n: int) -> Interval | None:
    """Return (count/n) / (base_count/base_n) with Katz's 95% interval on the logarithm (Katz et al.

    1978). The two samples are independent. It is None where the base share is zero or has no observations. It has no
    limits where the other share is zero, since its logarithm has none.
    """
    if n == 0 or base_count == 0:
        return None
    # Divided once: the quotient of two rounded shares falls short of 0.875, which then prints as 0.87.
    ratio = (count * base_n) / (n * base_count)
    if count == 0:
        return Interval(0.0, None, None)
    # Unequal by rounding alone, the terms of a share of 1 could sum below zero.
    variance = max(1 / count - 1 / n + 1 / base_count - 1 / base_n, 0.0)
    factor = math.exp(Z95 * math.sqrt(variance))
    return Interval(ratio, ratio / factor, ratio * factor)


def binomial_at_least(count: int, n: int, share: float) -> float:
    """Return P(X >= count) for X ~ Binomial(n, share): the p-value of "no more positives than at this share"."""
    if count <= 0:
        return 1.0
    if share <= 0 or share >= 1:
        return float(share >= 1)
    log_p, log_q = math.log(share), math.log1p(-share)
    choose = math.lgamma(n + 1)
    terms = [
        choose - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * log_p + (n - k) * log_q for k in range(count, n + 1)
    ]
    return min(math.fsum(math.exp(term) for term in terms), 1.0)
