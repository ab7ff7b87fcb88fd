"""Tell how far a simulation is, from the lines that its cells append: learning curves, and the time they took."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from al_worker.formats.simulation import CELLS, FULL, LINES

CASE = ("strategy", "model", "batch_size", "seed")


@dataclass
class Curve:
    """Hold one cell's curve, and how much of its file was read."""

    case: dict[str, Any]
    n_labeled: list[int] = field(default_factory=list)
    macro_f1: list[float] = field(default_factory=list)

    def shown(self) -> dict[str, Any]:
        return {**self.case, "n_labeled": self.n_labeled, "macro_f1": self.macro_f1}


@dataclass
class Curves:
    """Follow the cells of a results folder. Only what was appended since the last look is read."""

    results: Path
    read: dict[Path, int] = field(default_factory=dict)
    curves: dict[Path, Curve] = field(default_factory=dict)
    # By the model's key: [batches, seconds].
    took: dict[str, list[float]] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def batches(self) -> int:
        return sum(len(curve.n_labeled) for curve in self.curves.values())

    def look(self) -> bool:
        """Tell whether lines came."""
        before = self.batches
        for path in sorted((self.results / CELLS).glob(f"*/{LINES}")):
            for line in self._new_lines(path):
                self._add(path, json.loads(line))
        return self.batches > before

    def _new_lines(self, path: Path) -> list[bytes]:
        """Return whole lines only: the last may be half written."""
        with path.open("rb") as file:
            file.seek(self.read.get(path, 0))
            *lines, rest = file.read().split(b"\n")
            self.read[path] = file.tell() - len(rest)
        return lines

    def _add(self, path: Path, line: dict[str, Any]) -> None:
        curve = self.curves.setdefault(path, Curve({name: line[name] for name in CASE}))
        curve.n_labeled.append(line["n_labeled"])
        curve.macro_f1.append(round(line["macro_f1"], 6))
        self.seconds += line["seconds"]
        # Full supervision learns everything at once: its time says nothing about a batch.
        if line["strategy"] != FULL:
            taken = self.took.setdefault(line["model"], [0, 0.0])
            taken[0] += 1
            taken[1] += line["seconds"]

    def shown(self) -> list[dict[str, Any]]:
        return [curve.shown() for curve in self.curves.values()]
