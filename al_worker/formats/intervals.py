"""Compute Wilson's interval of a share, by the standard library alone: scipy.stats takes a second to import."""

from math import sqrt

from al_worker.formats.paper_tables import Interval

# The normal quantile of 0.975, for limits of 95 %.
Z = 1.959963984540054


def wilson(count: float, n: float) -> Interval | None:
    """Return the share count/n with Wilson's 95% score interval (Wilson 1927); None without observations.

    Both are whole numbers, or an effective number of observations and its part.
    """
    if n == 0:
        return None
    share, doubled = count / n, 2 * (n + Z**2)
    centre = (2 * n * share + Z**2) / doubled
    half = Z / doubled * sqrt(4 * n * share * (1 - share) + Z**2)
    # Exact at the ends, where rounding would miss 0 and 1.
    return Interval(share, centre - half if count else 0.0, centre + half if count < n else 1.0)
