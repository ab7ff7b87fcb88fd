"""Run `simulate`: the cells in processes of their own, then results, summary and report."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import al_worker
from al_worker.core.run.lifetime import run_lock
from al_worker.core.run.progress import Progress
from al_worker.core.simulation.cells import (
    OWN,
    Cell,
    CellFailed,
    all_cells,
    cell_folder,
    cell_get,
    cell_is_done,
    cell_lines,
    cell_open,
    count_lines,
    drop_cells,
    wanted_lines,
)
from al_worker.core.simulation.config import SimulationSettings, read_simulation
from al_worker.core.simulation.report import report_write
from al_worker.core.simulation.rounds import cell_run, read_oracle
from al_worker.core.simulation.summary import summarise
from al_worker.formats.missing import marks_written
from al_worker.formats.run_directory import read_json, write_atomic, write_json
from al_worker.formats.simulation import RESULTS, SUMMARY
from al_worker.formats.tables import ConfigError

RESOLVED = "config.json"
LOG = "log.txt"
POLL_SECONDS = 0.2
PATIENCE_SECONDS = 5.0


def simulate(config: Path, *, cache: Path, form: str, force: bool, missing: Collection[str] | None = None) -> Path:
    """Run what is left of the simulation and write its report. Return the results folder.

    `missing` are marks for missing labels that take the place of the configuration's.
    Raises ConfigError, RunDirectoryError, RunBusy, CellFailed. If it is killed at any time, the same call continues.
    """
    settings = read_simulation(config, missing)
    oracle = read_oracle(settings)
    n_pool = len(oracle.pool)
    if form == "text":
        sys.stderr.writelines(f"{notice}\n" for notice in oracle.notices)
    settings.results.mkdir(parents=True, exist_ok=True)
    with run_lock(settings.results):
        if force:
            drop_cells(settings)
        for cell in all_cells(settings):
            cell_open(settings, cell)
        write_json(settings.results / RESOLVED, settings.resolved())
        Work(settings, n_pool, cache, Progress("simulate", form)).run()
        results_write(settings)
    return settings.results


def simulate_cell(config: Path, name: str, *, cache: Path, form: str, missing: Collection[str] | None = None) -> Path:
    """Run one cell in this process. Return its folder.

    Raises ConfigError, also where the configuration has changed since the simulation began, and RunBusy.
    """
    settings = read_simulation(config, missing)
    cell = cell_get(settings, name)
    settings.results.mkdir(parents=True, exist_ok=True)
    resolved = settings.results / RESOLVED
    if not resolved.is_file():
        write_json(resolved, settings.resolved())
    elif read_json(resolved) != json.loads(json.dumps(settings.resolved())):
        raise ConfigError(f"{config.name} is not what {resolved} says; start the whole simulation again")
    progress = Progress("simulate", form)

    def on_line(line: dict[str, Any]) -> None:
        done = 1.0 if cell.is_full else (line["batch"] + 1) / settings.run.batches
        progress.report(done, f"batch {line['batch']}, {line['n_labeled']} labels: macro-F1 {line['macro_f1']:.3f}")

    cell_run(settings, cell, cache, on_line)
    return cell_folder(settings, cell)


def simulate_report(config: Path, missing: Collection[str] | None = None) -> Path:
    """Assemble results, summary and report from the cells that exist, finished or not. Return the folder.

    Raises ConfigError, also where there is no results folder, and RunBusy.
    """
    settings = read_simulation(config, missing)
    if not settings.results.is_dir():
        raise ConfigError(f"{settings.results} is not there: run the simulation first")
    with run_lock(settings.results):
        results_write(settings)
    return settings.results


def results_write(settings: SimulationSettings) -> None:
    """Assemble results.jsonl, summary.json, report.html and the plots from the cells."""
    lines = [line for cell in all_cells(settings) for line in cell_lines(settings, cell)]
    oracle = read_oracle(settings)
    kept = [{name: value for name, value in line.items() if name not in OWN} for line in lines]
    text = "".join(json.dumps(line, ensure_ascii=False, allow_nan=False) + "\n" for line in kept)
    write_atomic(settings.results / RESULTS, text.encode())
    summary = summarise(settings, lines, oracle.test, oracle.counts(list(oracle.pool)), oracle.notices)
    write_json(settings.results / SUMMARY, summary)
    sys.stderr.writelines(f"{notice}\n" for notice in report_write(settings, summary))


@dataclass(slots=True)
class Work:
    """Run the cells that are left, at most `processes` of them at a time, each in a process of its own."""

    settings: SimulationSettings
    n_pool: int
    cache: Path
    progress: Progress
    running: dict[Cell, subprocess.Popen[bytes]] = field(default_factory=dict)
    done: dict[Cell, int] = field(default_factory=dict)

    def run(self) -> None:
        """Run all cells. Raises CellFailed at the first that stops. No process is left behind."""
        cells = all_cells(self.settings)
        left = [cell for cell in cells if not self._is_done(cell)]
        self.done = {cell: count_lines(self.settings, cell) for cell in cells}
        total = sum(wanted_lines(self.settings, cell, self.n_pool) for cell in cells)
        self._report(total)
        try:
            while left or self.running:
                while left and len(self.running) < self.settings.run.processes:
                    self._start(left.pop(0))
                time.sleep(POLL_SECONDS)
                self._collect()
                self._report(total)
        finally:
            self._stop()
        self.progress.report(1.0, f"{len(cells)} cells, {total} batches")

    def _is_done(self, cell: Cell) -> bool:
        return cell_is_done(self.settings, cell, cell_lines(self.settings, cell), self.n_pool)

    def _start(self, cell: Cell) -> None:
        command = [sys.executable, "-m", "al_worker.core", "simulate", str(self.settings.path), "--cell", cell.name,
                   "--cache", str(self.cache), "--progress", "json",
                   f"--missing={marks_written(self.settings.data.missing)}"]  # fmt: skip
        if sys.platform == "linux":
            command.append("--die-with-parent")
        with (cell_folder(self.settings, cell) / LOG).open("wb") as log:
            self.running[cell] = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log, env=self._environment()
            )

    def _environment(self) -> dict[str, str]:
        home = str(Path(str(al_worker.__file__)).parents[1])
        path = os.pathsep.join(part for part in (home, os.environ.get("PYTHONPATH", "")) if part)
        return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": str(self.settings.training.threads)}

    def _collect(self) -> None:
        for cell, process in list(self.running.items()):
            self.done[cell] = count_lines(self.settings, cell)
            if process.poll() is None:
                continue
            del self.running[cell]
            log = cell_folder(self.settings, cell) / LOG
            if process.returncode != 0:
                raise CellFailed(f"cell {cell.name}: {_last_line(log) or f'exit {process.returncode}'} (see {log})")
            log.unlink(missing_ok=True)

    def _report(self, total: int) -> None:
        done = sum(self.done.values())
        names = ", ".join(cell.name for cell in self.running)
        self.progress.report(min(done / total, 0.9999), f"{done} of {total} batches; {names or 'no cell'} running")

    def _stop(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _last_line(path: Path) -> str:
    lines = path.read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""
