"""Draw a figure as SVG text for paper: light, self-contained, the same bytes for the same numbers."""

import math
from html import escape

from annotation_app.dashboards.report.figures import Bar, Figure, Part

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 60, 60
KEY_HEIGHT, KEY_WIDTH = 20, 230
# The tones of the pages' charts in light: told apart by the colour-blind, 3:1 or more on white.
TONES = ("#0067a8", "#c65200", "#00805e", "#a8457f", "#7a6200", "#5a4fcf")
QUIET = "#8d9096"
FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


def as_svg(figure: Figure) -> str:
    """Draw one bar a group, its parts from the bottom up, with a key below. It needs at least one bar."""
    keys = key_rows(figure)
    height = HEIGHT + KEY_HEIGHT * keys
    name = f"{figure.key}-title {figure.key}-text"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img" aria-labelledby="{name}" font-family="{FONT}" font-size="13" fill="#1c1e21">',
        f'<title id="{figure.key}-title">{escape(figure.title)}</title>',
        f'<desc id="{figure.key}-text">{escape(figure.alternative)}</desc>',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(LEFT, 20, figure.title, 'font-weight="600" font-size="14"'),
        *axis(figure),
        *(piece for place, bar in enumerate(figure.bars) for piece in drawn(figure, place, bar)),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 22, figure.x_name, 'text-anchor="middle" fill="#5d636b"'),
        *(piece for place, part in enumerate(figure.parts) for piece in key(figure, place, part)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def ceiling(figure: Figure) -> float:
    """Return the top of the scale: 1 for shares, else the next round number with five steps below it."""
    if figure.is_share:
        return 1.0
    most = max((sum(bar.values.values()) for bar in figure.bars), default=0) or 1
    size = 10 ** math.floor(math.log10(most / 5)) if most > 5 else 1
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor * 5 >= most)
    return float(step * 5)


def height_of(figure: Figure, value: float) -> float:
    return value / ceiling(figure) * (HEIGHT - TOP - BOTTOM)


def axis(figure: Figure) -> list[str]:
    drawn_: list[str] = [text(LEFT, TOP - 16, figure.y_name, 'fill="#5d636b" font-size="12"')]
    for fifth in range(6):
        value = ceiling(figure) * fifth / 5
        y = HEIGHT - BOTTOM - height_of(figure, value)
        colour = "#5d636b" if fifth == 0 else "#e3e3df"
        drawn_.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{colour}"/>')
        shown = f"{100 * value:.0f}%" if figure.is_share else f"{value:,.0f}"
        drawn_.append(text(LEFT - 8, y + 4, shown, 'text-anchor="end" font-size="12" fill="#5d636b"'))
    return drawn_


def drawn(figure: Figure, place: int, bar: Bar) -> list[str]:
    room = (WIDTH - LEFT - RIGHT) / len(figure.bars)
    wide = min(64.0, 0.7 * room)
    x = LEFT + room * (place + 0.5)
    y = float(HEIGHT - BOTTOM)
    pieces = [text(x, y + 18, bar.label, 'text-anchor="middle" font-size="12"')]
    for number, part in enumerate(figure.parts):
        tall = height_of(figure, bar.values.get(part.key, 0))
        y -= tall
        if tall > 0:
            place_ = f'x="{x - wide / 2:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
            pieces.append(f'<rect {place_} fill="{colour_of(figure, number)}" stroke="#ffffff"/>')
    return pieces


def colour_of(figure: Figure, number: int) -> str:
    if figure.parts[number].quiet:
        return QUIET
    return TONES[number % len(TONES)]


def per_row() -> int:
    return (WIDTH - LEFT - RIGHT) // KEY_WIDTH


def key_rows(figure: Figure) -> int:
    return math.ceil(len(figure.parts) / per_row())


def key(figure: Figure, number: int, part: Part) -> list[str]:
    row, column = divmod(number, per_row())
    x, y = LEFT + KEY_WIDTH * column, HEIGHT + KEY_HEIGHT * row
    square = f'<rect x="{x}" y="{y - 8}" width="11" height="11" rx="2" fill="{colour_of(figure, number)}"/>'
    return [square, text(x + 18, y + 2, part.label, 'font-size="12"')]


def text(x: float, y: float, words: str, style: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{escape(words)}</text>'
