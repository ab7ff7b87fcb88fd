"""Tables as they are shown and as files hold them: pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

DASH = "–"
Kind = Literal["text", "number", "long"]


@dataclass(frozen=True)
class Cell:
    """`text` is shown; `value` stands in files, a number at full precision. `why` says why there is no value.

    `repeats`: the same as in the row above, so that it is left blank where the table is read, not where it is computed
    with.
    """

    text: str
    value: str | float | int | None = None
    why: str = ""
    repeats: bool = False


@dataclass(frozen=True)
class Column:
    """`name` heads the column in CSV; `title` where people read. Long text is wrapped."""

    name: str
    title: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Table:
    """`source` is the table of OP-FED that it follows; `missing` says what there must be before it has rows."""

    key: str
    title: str
    source: str
    about: str
    columns: Sequence[Column] = ()
    rows: Sequence[Sequence[Cell]] = ()
    notes: Sequence[str] = field(default_factory=tuple)
    missing: str = ""


def words(text: str, *, repeats: bool = False) -> Cell:
    return Cell(text, text, repeats=repeats)


def whole(number: int) -> Cell:
    return Cell(f"{number:,}", number)


def nothing(why: str = "") -> Cell:
    """A dash; an empty place in a file."""
    return Cell(DASH, None, why)


def decimal(value: float | None, digits: int, why: str = "") -> Cell:
    """With a true minus sign; minus zero is zero."""
    return nothing(why) if value is None else Cell(decimal_words(value, digits), value)


def decimal_words(value: float, digits: int) -> str:
    shown = f"{value:.{digits}f}"
    return f"{0:.{digits}f}" if float(shown) == 0 else shown.replace("-", "−")


def percent_words(share: float) -> str:
    return f"{100 * share:.1f}%"


def reasons(rows: Iterable[Sequence[Cell]]) -> list[str]:
    """Why cells have no value, each reason once."""
    found = dict.fromkeys(cell.why for row in rows for cell in row if cell.why)
    return [f"{DASH} {reason}." for reason in found]
