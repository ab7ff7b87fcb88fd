"""The registry of the statistics of agreement on labels. Each has a file in `sql/statistics` and a line here.

The last relation of NAME.sql is called NAME. It computes rows (slice, bag, n, value, reason) from `samples` and
`slice_totals`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from annotation_app.db.statement import Generated, Step

SQL = Path(__file__).parent / "sql" / "statistics"


@dataclass(frozen=True)
class Statistic:
    """A statistic. With `is_share` its values are shares from 0 to 1, else coefficients from -1 to 1.

    Intervals are cut at these limits.
    """

    name: str
    is_share: bool = False


# Tables show them in this order.
REGISTRY = (
    Statistic("percent_agreement", is_share=True),
    Statistic("item_agreement", is_share=True),
    Statistic("fleiss_kappa"),
    Statistic("fleiss_kappa_general"),
    Statistic("alpha_nominal"),
    Statistic("alpha_ordinal"),
    Statistic("cohen_kappa"),
    Statistic("ac1"),
)
STATISTICS = tuple(statistic.name for statistic in REGISTRY)
SHARES = frozenset(statistic.name for statistic in REGISTRY if statistic.is_share)


def estimates_of(names: Collection[str]) -> tuple[Step, ...]:
    """Return the steps of these statistics, and `estimates`, which holds the rows of all of them."""
    chosen = [statistic for statistic in REGISTRY if statistic.name in names]
    union = "\n  UNION ALL ".join(f"SELECT '{each.name}' AS statistic, * FROM {each.name}" for each in chosen)
    text = f"-- Every statistic of the registry, one a row.\nestimates AS (\n  {union}\n)"
    return (*(SQL / f"{each.name}.sql" for each in chosen), Generated("the registry of statistics", text))
