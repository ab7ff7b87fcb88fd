"""The registry of the statistics of agreement on labels: each is one file of `sql/statistics`, and one line here.

The last relation of NAME.sql is called NAME, and gives rows (slice, bag, n, value, reason) from `samples` and
`slice_totals`.
"""

from collections.abc import Sequence
from pathlib import Path

from annotation_app.db.statement import Generated, Step

# In the order in which tables show them.
STATISTICS = (
    "percent_agreement",
    "item_agreement",
    "fleiss_kappa",
    "fleiss_kappa_general",
    "alpha_nominal",
    "alpha_ordinal",
    "cohen_kappa",
    "ac1",
)

SQL = Path(__file__).parent / "sql" / "statistics"


def estimates_of(names: Sequence[str]) -> tuple[Step, ...]:
    """Return the steps of these statistics, and `estimates`, which holds the rows of all of them."""
    first, *others = names
    lines = [f"SELECT '{first}' AS statistic, * FROM {first}", *(f"SELECT '{name}', * FROM {name}" for name in others)]
    union = "\n  UNION ALL ".join(lines)
    text = f"-- Every statistic of the registry, one a row.\nestimates AS (\n  {union}\n)"
    return (*(SQL / f"{name}.sql" for name in names), Generated("the registry of statistics", text))
