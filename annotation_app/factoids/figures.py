"""Draw the stability of the texts' ranking by the number of texts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from al_worker.formats.drawing import TONES, drawn, key_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Stability of the texts' ranking"


def stability_files(points: Sequence[Mapping[str, Any]], formats: Iterable[str]) -> dict[str, bytes]:
    """Return {format: file} of the plot of `list_stability`. Points without a mean are left out."""
    found = [each for each in points if each["rho"] is not None]

    def draw(axes: "Axes") -> None:
        from matplotlib.ticker import MaxNLocator

        m, rho = ([each[name] for each in found] for name in ("m", "rho"))
        spread = [each["sd"] or 0.0 for each in found]
        low, high = ([mean + sign * sd for mean, sd in zip(rho, spread, strict=True)] for sign in (-1, 1))
        band = axes.fill_between(m, low, high, color=TONES[0], alpha=0.12, linewidth=0)
        (line,) = axes.plot(m, rho, color=TONES[0], marker=".")
        axes.set_xlabel("Texts in a half")
        axes.set_ylabel("Spearman's ρ of two rankings")
        axes.set_ylim(min(0.0, *low, -0.0) if low else 0.0, 1.0)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(True)
        key_of(axes, [(line, "mean over draws"), (band, "mean ± standard deviation")], place="lower left", columns=2)

    return drawn(draw, title=TITLE, alternative=told(found), formats=formats)


def told(found: Sequence[Mapping[str, Any]]) -> str:
    """Describe the drawing in words."""
    if not found:
        return "There is no point: no two halves rank the texts."
    ends = " and ".join(f"{each['rho']:.2f} with halves of {each['m']} texts" for each in (found[0], found[-1]))
    return f"The mean is {ends}."
