"""Draw plots: lines with bands, and points with intervals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from al_worker.formats.drawing import DASHES, MEDIA_TYPES, MUTE, TONES, data_address, drawn, key_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

REFERENCES = ((0, (4, 4)), (0, (1, 3)), (0, (12, 4)))


@dataclass(frozen=True, slots=True)
class Series:
    """Hold a curve: rising x, y, and half the height of its band, all of one length."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    band: Sequence[float]


@dataclass(frozen=True, slots=True)
class Points:
    """Hold a row of points (one for each seed) with their mean and its interval."""

    name: str
    values: Sequence[float]
    mean: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Plot:
    """Hold a plot with its {format: file}."""

    name: str
    title: str
    files: Mapping[str, bytes]

    @property
    def address(self) -> str:
        """Return the address under which a page holds the drawing."""
        return data_address(MEDIA_TYPES["svg"], self.files["svg"])


def curves_plot(
    name: str,
    title: str,
    x_label: str,
    y_label: str,
    curves: Sequence[Series],
    references: Sequence[tuple[str, float]] = (),
) -> Plot:
    """Draw curves with bands over x, and horizontal lines to compare with."""

    def draw(axes: "Axes") -> None:
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.grid(True)
        named = []
        for number, curve in enumerate(curves):
            tone, dash = TONES[number % len(TONES)], DASHES[number % len(DASHES)]
            low, high = ([y + sign * band for y, band in zip(curve.y, curve.band, strict=True)] for sign in (-1, 1))
            axes.fill_between(curve.x, low, high, color=tone, alpha=0.12, linewidth=0)
            named.append((axes.plot(curve.x, curve.y, color=tone, linestyle=dash, marker=".")[0], curve.name))
        for number, (reference, value) in enumerate(references):
            dash = REFERENCES[number % len(REFERENCES)]
            named.append((axes.axhline(value, color=MUTE, linestyle=dash, linewidth=1), reference))
        key_of(axes, named, place="right upper")

    return Plot(name, title, drawn(draw, title=title))


def points_plot(name: str, title: str, x_label: str, rows: Sequence[Points]) -> Plot:
    """Draw one row of points each around zero, with the mean as a bar and its interval as a line."""

    def draw(axes: "Axes") -> None:
        axes.set_xlabel(x_label)
        axes.grid(axis="x")
        axes.axvline(0, color=MUTE, linewidth=1)
        for place, row in enumerate(rows):
            if row.interval:
                axes.plot(row.interval, [place, place], color=TONES[0], linewidth=3, alpha=0.45)
            axes.plot([row.mean], [place], "|", color=TONES[0], markersize=14, markeredgewidth=3)
            axes.plot(row.values, [place] * len(row.values), "o", color=TONES[1], alpha=0.8, markersize=5)
        axes.set_yticks(range(len(rows)), [row.name for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)

    return Plot(name, title, drawn(draw, title=title, size=(7.5, 1.2 + 0.35 * len(rows))))
