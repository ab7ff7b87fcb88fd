"""Draw reliability diagrams, risk-coverage curves and confusion matrices."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from al_worker.formats.drawing import DASHES, INK, MUTE, TONES, drawn, key_of
from al_worker.formats.evaluation import file_part

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("svg", "png")


def plots_of(figures: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the name of each plot with its {format: file}."""
    for stage in figures["stages"]:
        at_stage = file_part(stage["key"])
        calibrated = [system for system in stage["systems"] if system["calibration"]]
        for system in stage["systems"]:
            named = f"{at_stage}-{file_part(system['name'])}"
            yield f"confusion-{named}", confusion_plot(stage["key"], system)
            if system["calibration"]:
                yield f"reliability-{named}", reliability_plot(stage["key"], system)
        if calibrated:
            yield f"risk-coverage-{at_stage}", risk_coverage_plot(stage["key"], calibrated)


def reliability_plot(stage: str, system: Mapping[str, Any]) -> dict[str, bytes]:
    """Draw accuracy by confidence, with the count of each bin above its bar."""
    bins = [each for each in system["calibration"]["bins"] if each["n"]]

    def draw(axes: "Axes") -> None:
        widths = [each["high"] - each["low"] for each in bins]
        axes.bar([each["low"] for each in bins], [each["accuracy"] for each in bins], widths, align="edge",
                 color=TONES[0], alpha=0.75, edgecolor="white")  # fmt: skip
        (even,) = axes.plot([0, 1], [0, 1], color=MUTE, linestyle=DASHES[1], linewidth=1)
        for each in bins:
            place = ((each["low"] + each["high"]) / 2, each["accuracy"])
            axes.annotate(f"{each['n']:,}", place, ha="center", va="bottom", fontsize=7, color=INK)
        axes.set(xlim=(0, 1), ylim=(0, 1.06), xlabel="Stated confidence", ylabel="Accuracy")
        key_of(axes, [(even, "Confidence equals accuracy")], place="lower left")

    found = system["calibration"]
    title = f"{stage}: calibration of {system['name']} (ECE {found['ece']:.2f}, n = {found['n']:,})"
    told = "; ".join(f"({each['low']:g}, {each['high']:g}]: {each['accuracy']:.2f} of {each['n']:,}" for each in bins)
    return drawn(draw, title=title, alternative=f"Accuracy by confidence: {told}.", formats=FORMATS)


def risk_coverage_plot(stage: str, systems: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Draw the share of wrong predictions among the most confident ones, a curve for each system."""

    def draw(axes: "Axes") -> None:
        named = []
        for number, system in enumerate(systems):
            points = system["calibration"]["risk_coverage"]
            tone, dash = TONES[number % len(TONES)], DASHES[number % len(DASHES)]
            coverage, risk = ([point[key] for point in points] for key in ("coverage", "risk"))
            named.append((axes.plot(coverage, risk, color=tone, linestyle=dash, marker=".")[0], system["name"]))
        axes.set(xlim=(0, 1.02), ylim=(0, None), xlabel="Coverage", ylabel="Risk (share of wrong predictions)")
        axes.grid(True)
        key_of(axes, named, place="right upper")

    ends = (f"{each['name']} {each['calibration']['risk_coverage'][-1]['risk']:.2f}" for each in systems)
    alternative = f"Risk at the largest coverage: {', '.join(ends)}."
    return drawn(draw, title=f"{stage}: risk and coverage", alternative=alternative, formats=FORMATS)


def confusion_plot(stage: str, system: Mapping[str, Any]) -> dict[str, bytes]:
    """Draw counts of predicted labels by gold label; a darker cell is a larger share of its gold label."""
    labels = list(system["confusion"])
    counts = np.array([[system["confusion"][gold][label] for label in labels] for gold in labels])
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)

    def draw(axes: "Axes") -> None:
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        for row, column in np.ndindex(counts.shape):
            colour = "white" if shares[row, column] > 0.6 else INK
            axes.text(column, row, f"{counts[row, column]:,}", ha="center", va="center", color=colour)
        axes.set_xticks(range(len(labels)), labels, rotation=30, ha="right")
        axes.set_yticks(range(len(labels)), labels)
        axes.set(xlabel="Predicted", ylabel="Gold")

    told = "; ".join(
        f"{gold}: " + ", ".join(f"{label} {n:,}" for label, n in row.items())
        for gold, row in system["confusion"].items()
    )
    title = f"{stage}: confusion of {system['name']} (n = {system['n']:,})"
    side = 2.8 + 0.5 * len(labels)
    return drawn(draw, title=title, alternative=f"Gold and predicted: {told}.", formats=FORMATS, size=(side + 1, side))
