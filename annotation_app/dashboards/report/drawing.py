"""Draw the report's figures for paper."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from al_worker.formats.drawing import FORMATS, QUIET, TONES, drawn, key_of
from annotation_app.dashboards.report.figures import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def figure_files(figure: Figure, formats: Iterable[str] = FORMATS) -> dict[str, bytes]:
    """Return {format: file} of a figure that has bars. Each format is one of FORMATS."""

    def draw(axes: "Axes") -> None:
        stacks(axes, figure)
        scales(axes, figure)

    return drawn(draw, title=figure.title, alternative=figure.alternative, formats=formats)


def stacks(axes: "Axes", figure: Figure) -> None:
    """Draw one bar a group, its parts from the bottom up, with a key below."""
    places = range(len(figure.bars))
    bottoms = [0.0] * len(figure.bars)
    named = []
    for number, part in enumerate(figure.parts):
        heights = [bar.values.get(part.key, 0) for bar in figure.bars]
        colour = QUIET if part.quiet else TONES[number % len(TONES)]
        named.append((axes.bar(places, heights, 0.7, bottoms, color=colour, edgecolor="white"), part.label))
        bottoms = [bottom + height for bottom, height in zip(bottoms, heights, strict=True)]
    axes.set_xticks(places, [bar.label for bar in figure.bars])
    key_of(axes, named, place="lower left", columns=2)


def scales(axes: "Axes", figure: Figure) -> None:
    from matplotlib.ticker import MaxNLocator, PercentFormatter, StrMethodFormatter

    axes.set_xlabel(figure.x_name)
    axes.set_ylabel(figure.y_name)
    axes.grid(axis="y")
    axes.tick_params(length=0)
    # A few bars stand in the middle, no wider than five would be.
    spare = max(0, 5 - len(figure.bars)) / 2
    axes.set_xlim(-0.6 - spare, len(figure.bars) - 0.4 + spare)
    if figure.is_share:
        axes.set_ylim(0, 1)
        axes.yaxis.set_major_formatter(PercentFormatter(1))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
