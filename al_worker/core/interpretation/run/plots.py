"""Draw loss curves, and confusion matrices of mistakes (Marfurt et al. 2022, Figure 5)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from al_worker.equivalence.evaluations import Evaluation
from al_worker.formats.drawing import DASHES, INK, MUTE, TONES, drawn, key_of
from al_worker.formats.interpretation_tables import evaluation_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTERS = 28


def plots_of(figures: Mapping[str, Any], evaluations: Sequence[Evaluation]) -> Iterator[tuple[str, dict[str, bytes]]]:
    """Yield the name of each plot with its {format: file}: a curve and several matrices for each system."""
    known = {(each.annotation, each.name): each for each in evaluations}
    for system in figures["systems"]:
        yield f"loss-{system['name']}", loss_plot(system)
        for found in (system["equivalence"] or {"confusion": []})["confusion"]:
            evaluation = known[found["annotation"], found["evaluation"]]
            number = evaluations.index(evaluation)
            called = re.sub("[^a-z0-9]+", "-", evaluation_title(evaluation.annotation, evaluation.name).lower()).strip(
                "-"
            )
            yield (
                f"confusion-{system['name']}-{number}-{called}",
                confusion_plot(system["title"], evaluation, found["cells"]),
            )


def loss_plot(system: Mapping[str, Any]) -> dict[str, bytes]:
    """Draw the losses of training and validation by epoch."""
    rows = system["curves"]
    epochs = [row["epoch"] for row in rows]
    best = system["training"]["best_epoch"]

    def draw(axes: "Axes") -> None:
        named = []
        for number, (key, name) in enumerate((("train_loss", "Training"), ("valid_loss", "Validation"))):
            values = [row[key] for row in rows]
            named.append(
                (axes.plot(epochs, values, color=TONES[number], linestyle=DASHES[number], marker=".")[0], name)
            )
        kept = axes.axvline(best, color=MUTE, linestyle=DASHES[2], linewidth=1)
        axes.set(xlabel="Epoch", ylabel="Loss (cross entropy of a token)")
        axes.locator_params("x", integer=True)
        axes.grid(True)
        key_of(axes, [*named, (kept, "Epoch that is kept")], place="right upper")

    told = "; ".join(f"epoch {row['epoch']}: {row['train_loss']:.3f}, {row['valid_loss']:.3f}" for row in rows)
    return drawn(draw, title=f"Loss of {system['title']}", alternative=f"Training and validation loss: {told}.")


def confusion_plot(title: str, evaluation: Evaluation, cells: Sequence[Mapping[str, Any]]) -> dict[str, bytes]:
    """Draw the mistakes by class of the true and of the false continuation.

    A cell shows the number of mistakes and of instances; a darker one has a larger share of mistakes. Pairs without an
    instance are empty. Classes are numbered from 1, for people; files of figures number them from 0.
    """
    names = [f"{number}. {_short(members[0])}" for number, members in enumerate(evaluation.distinct, start=1)]
    shares = np.full((len(names), len(names)), np.nan)
    for cell in cells:
        shares[cell["positive_class"], cell["negative_class"]] = cell["mistakes"] / cell["n"]

    def draw(axes: "Axes") -> None:
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        for cell in cells:
            row, column = cell["positive_class"], cell["negative_class"]
            colour = "white" if shares[row, column] > 0.6 else INK
            words = f"{cell['mistakes']:,}/{cell['n']:,}"
            axes.text(column, row, words, ha="center", va="center", color=colour, fontsize=6 if len(names) > 8 else 8)
        axes.set_xticks(range(len(names)), names, rotation=45, ha="right", fontsize=7)
        axes.set_yticks(range(len(names)), names, fontsize=7)
        axes.set(xlabel="Class of the false continuation", ylabel="Class of the true continuation")

    n, mistakes = (sum(cell[key] for cell in cells) for key in ("n", "mistakes"))
    told = "; ".join(
        f"{c['positive_class'] + 1} and {c['negative_class'] + 1}: {c['mistakes']} of {c['n']}" for c in cells
    )
    called = evaluation_title(evaluation.annotation, evaluation.name)
    side = 3.2 + 0.34 * len(names)
    return drawn(
        draw,
        title=f"{called}: mistakes of {title} ({mistakes:,} of {n:,})",
        alternative=f"Mistakes by classes of the true and the false continuation: {told}.",
        size=(side + 1.5, side),
    )


def _short(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"
