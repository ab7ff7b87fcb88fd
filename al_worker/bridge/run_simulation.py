"""Run one simulation, from lease to report. It can be killed anywhere, and it gives way to rounds."""

import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import F

from al_worker.bridge.after_rounds import GIVES_WAY, LOOK_SECONDS, AfterRounds
from al_worker.bridge.directory import ModelNotOffered
from al_worker.bridge.process import CoreFailed, Progress, core_process
from al_worker.bridge.simulation_curves import Curves
from al_worker.bridge.simulation_directory import config_build, directory_of, model_keys, results_of
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.simulation import PLOTS, REPORT, RESULTS, SUMMARY
from annotation_app.models import Lease, Simulation
from annotation_app.simulations.results import simulation_accept, simulation_fail
from annotation_app.storage import StoredFile, file_store

# The curves may be large, so they are not written at every renewal.
CURVES_SECONDS = 5.0


class SimulationRun(AfterRounds):
    """Hold one attempt at a simulation. The core's progress and the cells' results go into the row."""

    model = Simulation
    reasons = (CoreFailed, ModelNotOffered, RunDirectoryError)

    def __init__(self, row: Simulation, lease: Lease) -> None:
        super().__init__(row, lease)
        self.curves = Curves(results_of(row))
        self.fraction = float(row.progress.get("fraction", 0.0))
        self.detail = "preparing"
        self.seconds = float(row.progress.get("seconds", 0.0))
        self.counted = self.renewed = time.monotonic()
        self.written, self.unwritten = float("-inf"), False

    def execute(self) -> None:
        config, cache = config_build(self.row), Path(settings.RUNS_DIR) / "cache"
        # What earlier attempts have finished.
        self.curves.look()
        self.renew()
        with closing(core_process(config, cache=cache, tick=LOOK_SECONDS, command="simulate")) as core:
            gives_way = self.gives_way(core)
        if gives_way:
            self.lease.give_back(
                state=Simulation.State.WAITING, progress=self.progress(GIVES_WAY), curves=self.curves.shown()
            )
            return
        self.renew()
        simulation_accept(
            lease=self.lease, files=files_store(self.row), progress=self.progress(), timings=self.timings()
        )
        shutil.rmtree(directory_of(self.row).parent)

    def fail(self, reason: str) -> None:
        simulation_fail(lease=self.lease, reason=reason)

    def take_up(self, reported: Progress) -> None:
        self.fraction, self.detail = reported.fraction, reported.detail

    def renew(self) -> None:
        """Renew the lease and write progress. Raises LeaseLost."""
        changes: dict[str, Any] = {}
        if self.curves.look():
            # A batch that ends its worker would do so again, so attempts count since the last finished batch.
            changes["attempts_before"], self.unwritten = F("attempt") - 1, True
        self.renewed = time.monotonic()
        if self.unwritten and self.renewed - self.written >= CURVES_SECONDS:
            changes["curves"] = self.curves.shown()
            self.written, self.unwritten = self.renewed, False
        self.lease.renew(progress=self.progress(), **changes)

    def progress(self, detail: str | None = None) -> dict[str, Any]:
        now = time.monotonic()
        self.seconds, self.counted = self.seconds + now - self.counted, now
        return {
            **self.row.progress,
            "fraction": self.fraction,
            "detail": self.detail if detail is None else detail,
            "seconds": round(self.seconds, 1),
            "batches": self.curves.batches,
        }

    def timings(self) -> dict[str, Any]:
        """Return the seconds a batch takes by model, and a cell's other seconds: mostly the start of its process."""
        models, cells = model_keys(self.row.config["models"]), len(self.curves.curves)
        beside = max(0.0, self.seconds * settings.SIMULATION_PROCESSES - self.curves.seconds)
        return {
            "seconds_per_batch": {
                models[key]: round(seconds / batches, 4) for key, (batches, seconds) in self.curves.took.items()
            },
            "seconds_per_cell": round(beside / cells, 2) if cells else None,
        }


def files_store(row: Simulation) -> list[StoredFile]:
    """Store report, results, summary and plots under the attempt; plots are named plots/NAME."""
    folder, results = f"simulations/{row.uuid}/{row.attempt}", results_of(row)
    plots = sorted(f"{PLOTS}/{path.name}" for path in (results / PLOTS).iterdir())
    return [file_store(results / name, f"{folder}/{name}", name=name) for name in (REPORT, RESULTS, SUMMARY, *plots)]
