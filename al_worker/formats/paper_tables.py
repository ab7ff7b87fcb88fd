"""Define tables for paper, as pages show them and as files hold them. Pure: no I/O."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

DASH = "–"
INTERVALS = "In brackets, 95% intervals over the items."
NO_WIDTH = "An interval of no width says that no single item changes the value, not that it is certain."
Kind = Literal["text", "number", "long"]


@dataclass(frozen=True)
class Interval:
    """Hold an estimate with its 95% limits; limits are None where the method gives none."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Bounds:
    """Hold a 95% interval: as it is shown, without brackets, and at full precision."""

    text: str
    low: float
    high: float


@dataclass(frozen=True)
class Cell:
    """Hold a cell.

    `text` is shown; `value` stands in files, a number at full precision; `why` says why there is none. `repeats` means
    that the cell equals the one above: it is blank for readers, and filled in for programs. `interval` stands beside
    the value; `unbounded` says why there is none where there could be. `n` counts the items behind the value, where it
    is known; `key` is the codebook's, or the program's, word for a name. `beside` are more numbers that files hold.
    """

    text: str
    value: str | float | int | None = None
    why: str = ""
    repeats: bool = False
    interval: Bounds | None = None
    unbounded: str = ""
    n: int | None = None
    key: str = ""
    beside: tuple[float | None, ...] = ()

    @property
    def basis(self) -> str:
        """Return the number of items behind the value as it is shown, empty where it is not known."""
        return "" if self.n is None else f"n = {self.n:,}"

    @property
    def bracketed(self) -> str:
        """Return the interval as it is shown, empty where there is none."""
        return f"[{self.interval.text}]" if self.interval else ""


@dataclass(frozen=True)
class Column:
    """Describe a column.

    `name` heads it in CSV, `title` where people read. Long text is wrapped. With `has_interval`, `has_n`, `has_key` and
    `has_reason` files have what its cells hold beside their value. `beside` names more such numbers.
    """

    name: str
    title: str
    kind: Kind = "text"
    has_interval: bool = False
    has_n: bool = False
    has_key: bool = False
    has_reason: bool = False
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """Hold a table.

    `source` is the table of OP-FED that it follows; `missing` says what it needs before it has rows.
    """

    key: str
    title: str
    source: str
    about: str
    columns: Sequence[Column] = ()
    rows: Sequence[Sequence[Cell]] = ()
    notes: Sequence[str] = field(default_factory=tuple)
    missing: str = ""


def words(text: str, *, key: str = "", repeats: bool = False) -> Cell:
    return Cell(text, text, key=key, repeats=repeats)


def whole(number: int) -> Cell:
    return Cell(f"{number:,}", number)


def nothing(why: str = "") -> Cell:
    """Return a dash; in a file the place is empty."""
    return Cell(DASH, None, why)


def decimal(value: float | None, digits: int, why: str = "") -> Cell:
    """Return a decimal with a true minus sign; minus zero is zero."""
    return nothing(why) if value is None else Cell(decimal_words(value, digits), value)


def decimal_words(value: float, digits: int) -> str:
    shown = f"{value:.{digits}f}"
    return f"{0:.{digits}f}" if float(shown) == 0 else shown.replace("-", "−")


def decimal_bounds(low: float | None, high: float | None, digits: int) -> Bounds | None:
    if low is None or high is None:
        return None
    return Bounds(f"{decimal_words(low, digits)}, {decimal_words(high, digits)}", low, high)


def share_cell(share: Interval | None) -> Cell:
    """Return a percentage with its interval."""
    if share is None or share.low is None or share.high is None:
        return nothing()
    bounds = Bounds(f"{percent_words(share.low)}, {percent_words(share.high)}", share.low, share.high)
    return Cell(percent_words(share.value), share.value, interval=bounds)


def percent_words(share: float) -> str:
    return f"{100 * share:.1f}%"


def reasons(rows: Iterable[Sequence[Cell]]) -> list[str]:
    """Return what brackets mean, and why cells have no value or interval, each reason once."""
    cells = [cell for row in rows for cell in row]
    intervals = [cell.interval for cell in cells if cell.interval and not cell.repeats]
    missing = dict.fromkeys(cell.why for cell in cells if cell.why)
    unbounded = dict.fromkeys(cell.unbounded for cell in cells if cell.unbounded)
    return [
        *([INTERVALS] if intervals else []),
        *([NO_WIDTH] if any(interval.low == interval.high for interval in intervals) else []),
        *(f"{DASH} {reason}." for reason in missing),
        *(f"{reason[0].upper()}{reason[1:]}." for reason in unbounded),
    ]
