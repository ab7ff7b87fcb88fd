"""Define figures: stacked bars with a description in words, and the table behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from al_worker.formats.paper_tables import Table


@dataclass(frozen=True)
class Part:
    """Hold one colour of the bars. A quiet part, which is not asked about, is drawn in grey."""

    key: str
    label: str
    quiet: bool = False


@dataclass(frozen=True)
class Bar:
    """Hold `values` by part, counts or shares of 1; a missing one is 0."""

    label: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Figure:
    """Hold a figure. `alternative` describes the drawing; `missing` says what there must be before it is drawn."""

    key: str
    title: str
    source: str
    about: str
    table: Table
    x_name: str = ""
    y_name: str = ""
    is_share: bool = False
    parts: Sequence[Part] = ()
    bars: Sequence[Bar] = ()
    alternative: str = ""
    notes: Sequence[str] = field(default_factory=tuple)
    missing: str = ""


def nothing_drawn(key: str, title: str, source: str, missing: str) -> Figure:
    """Return a figure that says what there must be before it is drawn."""
    table = Table(key=key, title=title, source=source, about="", missing=missing)
    return Figure(key=key, title=title, source=source, about="", table=table, missing=missing)
