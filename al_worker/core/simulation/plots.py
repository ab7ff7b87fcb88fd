"""Draw plots as SVG text, without a library: lines with bands, and points with intervals.

The same numbers give the same bytes.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

WIDTH, HEIGHT = 760, 430
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 44, 52
# Okabe and Ito's colours can be told apart with any kind of colour vision. Dashes help where curves coincide.
COLOURS = ("#000000", "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#7f7f00")
REFERENCES = (
    'stroke="#555" stroke-dasharray="4 4"',
    'stroke="#555" stroke-dasharray="1 3" stroke-width="1.5"',
    'stroke="#555" stroke-dasharray="12 4"',
)
DASHES = ("", "7 3", "2 3", "9 3 2 3")


@dataclass(frozen=True, slots=True)
class Series:
    """A curve: rising x, y, and half the height of its band, all of one length."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    band: Sequence[float]


@dataclass(frozen=True, slots=True)
class Points:
    """A row of points (one for each seed) with their mean and its interval."""

    name: str
    values: Sequence[float]
    mean: float
    interval: tuple[float, float] | None


@dataclass(slots=True)
class Canvas:
    """The plotting area and the elements drawn so far. Ranges are in data units."""

    title: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    parts: list[str] = field(default_factory=list)

    def x(self, value: float) -> float:
        low, high = self.x_range
        return self.left + (value - low) / (high - low) * (WIDTH - self.left - self.right)

    def y(self, value: float) -> float:
        low, high = self.y_range
        return self.height - BOTTOM - (value - low) / (high - low) * (self.height - TOP - BOTTOM)

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>')

    def text(self, x: float, y: float, text: str, style: str = "") -> None:
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(text)}</text>')

    def render(self) -> str:
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" '
            f'height="{self.height}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#222">'
        )
        body = f'<title>{escape(self.title)}</title><rect width="{WIDTH}" height="{self.height}" fill="#fff"/>'
        heading = f'<text x="{self.left}" y="22" font-size="14" font-weight="600">{escape(self.title)}</text>'
        return "\n".join([head, body, heading, *self.parts, "</svg>"]) + "\n"


def curves_svg(
    title: str, x_label: str, y_label: str, curves: Sequence[Series], references: Sequence[tuple[str, float]] = ()
) -> str:
    """Draw curves with bands over x, and horizontal lines to compare with."""
    edges = [y + sign * band for c in curves for y, band in zip(c.y, c.band, strict=True) for sign in (-1, 1)]
    canvas = Canvas(
        title, _span([x for c in curves for x in c.x]), _span([*edges, *(value for _, value in references)])
    )
    _axes(canvas, x_label, y_label)
    for number, curve in enumerate(curves):
        _band(canvas, curve, _colour(number))
    for number, (name, value) in enumerate(references):
        y, stroke = canvas.y(value), REFERENCES[number % len(REFERENCES)]
        canvas.line(canvas.left, y, WIDTH - canvas.right, y, stroke)
        _legend(canvas, name, len(curves) + number, stroke)
    for number, curve in enumerate(curves):
        _curve(canvas, curve, number)
        _legend(canvas, curve.name, number, _stroke(number))
    return canvas.render()


def points_svg(title: str, x_label: str, rows: Sequence[Points]) -> str:
    """Draw one row of points each around zero, with the mean as a bar and its interval as a line."""
    spread = [value for row in rows for value in (*row.values, *(row.interval or ()), 0.0)]
    height = TOP + BOTTOM + 30 * len(rows)
    canvas = Canvas(title, _span(spread), (0.0, float(len(rows))), height=height, left=RIGHT, right=24)
    _ticks(canvas, x_label, horizontal=True)
    zero = canvas.x(0.0)
    canvas.line(zero, TOP, zero, height - BOTTOM, 'stroke="#555"')
    for number, row in enumerate(rows):
        y = canvas.y(len(rows) - number - 0.5)
        canvas.text(canvas.left - 8, y + 4, row.name, 'text-anchor="end"')
        if row.interval:
            low, high = (canvas.x(value) for value in row.interval)
            canvas.line(low, y, high, y, f'stroke="{COLOURS[4]}" stroke-width="3" stroke-opacity="0.45"')
        mean = canvas.x(row.mean)
        canvas.line(mean, y - 8, mean, y + 8, f'stroke="{COLOURS[4]}" stroke-width="3"')
        canvas.parts += [
            f'<circle cx="{canvas.x(value):.1f}" cy="{y:.1f}" r="3.5" fill="{COLOURS[5]}" fill-opacity="0.8"/>'
            for value in row.values
        ]
    return canvas.render()


def ticks_between(low: float, high: float, wanted: int = 6) -> list[float]:
    """Return round numbers inside the range, about as many as wanted, in steps of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    margin = 0.04 * (high - low) or 0.05 * (abs(high) or 1.0)
    return low - margin, high + margin


def _axes(canvas: Canvas, x_label: str, y_label: str) -> None:
    _ticks(canvas, x_label, horizontal=True)
    _ticks(canvas, y_label, horizontal=False)


def _ticks(canvas: Canvas, label: str, *, horizontal: bool) -> None:
    bottom, right = canvas.height - BOTTOM, WIDTH - canvas.right
    values = ticks_between(*(canvas.x_range if horizontal else canvas.y_range))
    digits = max(0, -math.floor(math.log10(values[1] - values[0]) + 1e-9)) if len(values) > 1 else 2
    for value in values:
        text = f"{value + 0.0:.{digits}f}"
        if horizontal:
            x = canvas.x(value)
            canvas.line(x, TOP, x, bottom, 'stroke="#e5e5e5"')
            canvas.text(x, bottom + 17, text, 'text-anchor="middle"')
        else:
            y = canvas.y(value)
            canvas.line(canvas.left, y, right, y, 'stroke="#e5e5e5"')
            canvas.text(canvas.left - 7, y + 4, text, 'text-anchor="end"')
    middle = (canvas.left + right) / 2, (TOP + bottom) / 2
    if horizontal:
        canvas.line(canvas.left, bottom, right, bottom, 'stroke="#555"')
        canvas.text(middle[0], canvas.height - 14, label, 'text-anchor="middle"')
    else:
        canvas.line(canvas.left, TOP, canvas.left, bottom, 'stroke="#555"')
        canvas.text(16, middle[1], label, f'text-anchor="middle" transform="rotate(-90 16 {middle[1]:.1f})"')


def _band(canvas: Canvas, curve: Series, colour: str) -> None:
    points = list(zip(curve.x, curve.y, curve.band, strict=True))
    edge = [(x, y + band) for x, y, band in points] + [(x, y - band) for x, y, band in reversed(points)]
    canvas.parts.append(f'<polygon points="{_points(canvas, edge)}" fill="{colour}" fill-opacity="0.12"/>')


def _curve(canvas: Canvas, curve: Series, number: int) -> None:
    points = list(zip(curve.x, curve.y, strict=True))
    canvas.parts.append(f'<polyline points="{_points(canvas, points)}" fill="none" {_stroke(number)}/>')


def _legend(canvas: Canvas, name: str, number: int, stroke: str) -> None:
    x, y = WIDTH - canvas.right + 12, TOP + 40 + 18 * number
    canvas.line(x, y, x + 26, y, stroke)
    canvas.text(x + 32, y + 4, name)


def _points(canvas: Canvas, points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{canvas.x(x):.1f},{canvas.y(y):.1f}" for x, y in points)


def _stroke(number: int) -> str:
    dash = DASHES[number % len(DASHES)]
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{_colour(number)}" stroke-width="2"{dashed}'


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]
