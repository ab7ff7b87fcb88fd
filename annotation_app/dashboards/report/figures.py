"""Figures: stacked bars with what they say in words, and the table behind them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation_app.dashboards.report.tables import Table


@dataclass(frozen=True)
class Part:
    """One colour of the bars. A quiet part is drawn in grey: what is not asked about."""

    key: str
    label: str
    quiet: bool = False


@dataclass(frozen=True)
class Bar:
    """`values` by part, counts or shares of 1; what is missing is 0."""

    label: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Figure:
    """`alternative` says in words what the drawing shows; `missing` says what there must be before it is drawn."""

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
