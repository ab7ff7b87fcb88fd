"""Store cells.

A cell is one strategy, model, seed and batch size. Its file of lines, one a batch, is its whole state.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from al_worker.core.errors import CoreError
from al_worker.core.run.machine import library_versions
from al_worker.core.simulation.config import SimulationSettings
from al_worker.formats.run_directory import read_json, write_json
from al_worker.formats.simulation import CELLS, FULL, LINES
from al_worker.formats.tables import ConfigError

CELL = "cell.json"
# Fields that a line holds for resuming and for reference. The results leave them out, as times differ between runs.
OWN = ("selected", "seconds", "predicted")


class CellFailed(CoreError):
    """Signal that a cell of the simulation stopped. The others are kept, and the same command continues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """Hold keys of the configuration's tables. Full supervision is a cell without batches; its batch size is 0."""

    strategy: str
    model: str
    seed: int
    batch_size: int

    @property
    def name(self) -> str:
        """Return the name of the cell's folder, which is also what `--cell` takes."""
        return f"{self.strategy}__{self.model}__b{self.batch_size}__s{self.seed}"

    @property
    def is_full(self) -> bool:
        return self.strategy == FULL


def all_cells(settings: SimulationSettings) -> list[Cell]:
    """Return all cells: full supervision first, then seed by seed.

    In this order a simulation that is stopped early has whole seeds.
    """
    run = settings.run
    full = [
        Cell(strategy=FULL, model=m, seed=s, batch_size=0) for m in settings.models for s in run.full_supervision_seeds
    ]
    return full + [
        Cell(strategy=strategy, model=model, seed=seed, batch_size=size)
        for model in settings.models
        for size in run.batch_sizes
        for seed in run.seeds
        for strategy in settings.strategies
    ]


def cell_get(settings: SimulationSettings, name: str) -> Cell:
    """Return the cell of that name. Raises ConfigError, which names the first cells there are."""
    for cell in all_cells(settings):
        if cell.name == name:
            return cell
    known = ", ".join(cell.name for cell in all_cells(settings)[:3])
    raise ConfigError(f'{settings.path.name}: no cell "{name}"; there are {known}, ...')


def wanted_lines(settings: SimulationSettings, cell: Cell, n_pool: int) -> int:
    """Return how many lines the finished cell has: one for each batch, as far as the pool lasts."""
    return 1 if cell.is_full else min(settings.run.batches, -(-n_pool // cell.batch_size))


def cell_folder(settings: SimulationSettings, cell: Cell) -> Path:
    """Return the folder of a cell below the results."""
    return settings.results / CELLS / cell.name


def cell_open(settings: SimulationSettings, cell: Cell) -> None:
    """Create the cell's folder, or check that it holds the beginning of this very cell. Raises ConfigError."""
    folder, inputs = cell_folder(settings, cell), _inputs(settings, cell)
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / CELL).is_file():
        (folder / LINES).unlink(missing_ok=True)
        write_json(folder / CELL, {"inputs": inputs, "made_with": library_versions()})
        return
    stored = read_json(folder / CELL)["inputs"]
    differing = ", ".join(name for name, value in inputs.items() if stored.get(name) != value)
    if differing:
        raise ConfigError(
            f"{folder} was made with another {differing}; name another folder in [run] results, "
            "or start anew with --force"
        )


def check_versions(settings: SimulationSettings, cell: Cell) -> None:
    """Raise ConfigError unless a cell that was begun continues with the same libraries."""
    folder = cell_folder(settings, cell)
    stored, here = read_json(folder / CELL)["made_with"], library_versions()
    changed = [f"{name} {was} (now {here.get(name)})" for name, was in stored.items() if was != here.get(name)]
    if changed and cell_lines(settings, cell):
        raise ConfigError(f"{folder} was begun with {', '.join(changed)}; delete the folder to run the cell anew")


def cell_lines(settings: SimulationSettings, cell: Cell) -> list[dict[str, Any]]:
    """Return the complete lines. Half a line, left by a kill in the middle of a write, is not counted."""
    path = cell_folder(settings, cell) / LINES
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def count_lines(settings: SimulationSettings, cell: Cell) -> int:
    """Return how many batches the cell has done."""
    path = cell_folder(settings, cell) / LINES
    return path.read_bytes().count(b"\n") if path.is_file() else 0


def cell_is_done(settings: SimulationSettings, cell: Cell, lines: Sequence[Mapping[str, Any]], n_pool: int) -> bool:
    """Return whether nothing is left to do: all batches are done, or the last one found no further text to select."""
    return len(lines) >= wanted_lines(settings, cell, n_pool) or (bool(lines) and not lines[-1]["selected"])


def drop_cells(settings: SimulationSettings) -> None:
    """Delete everything that was computed."""
    shutil.rmtree(settings.results / CELLS, ignore_errors=True)


def _inputs(settings: SimulationSettings, cell: Cell) -> dict[str, Any]:
    """Return everything that the cell's numbers depend on.

    The number of batches is left out, because a cell can be continued.
    """
    strategy = settings.strategies.get(cell.strategy)
    missing = {"missing": list(settings.data.missing)} if settings.data.missing else {}
    return {
        "data": settings.data_hashes | missing,
        "strategy": {"name": strategy.name, "options": dict(strategy.options)} if strategy else FULL,
        "model": {"name": settings.models[cell.model].name, "revision": settings.models[cell.model].revision},
        "round": dict(settings.round),
        "training": settings.training_of(cell.model),
        "validation_share": settings.data.validation_share,
        "parts": {key: asdict(part) for key, part in settings.parts.items()},
        "seed": cell.seed,
        "batch_size": cell.batch_size,
    }
