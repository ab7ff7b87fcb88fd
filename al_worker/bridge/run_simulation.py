"""Run one simulation, from lease to report. It can be killed anywhere, and it gives way to rounds."""

import logging
import os
import shutil
import socket
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import OperationalError

from al_worker.bridge.directory import ModelNotOffered
from al_worker.bridge.process import CoreFailed, Progress, core_process
from al_worker.bridge.simulation_curves import Curves
from al_worker.bridge.simulation_directory import config_build, directory_of, model_keys, results_of
from al_worker.formats.run_directory import RunDirectoryError
from al_worker.formats.simulation import PLOTS, REPORT, RESULTS, SUMMARY
from annotation_app.disk import fault_words, is_full
from annotation_app.models import LASTING, Lease, LeaseLost, Simulation
from annotation_app.simulations.results import (
    simulation_accept,
    simulation_fail,
    simulation_give_back,
    simulation_take,
)
from annotation_app.simulations.selectors import rounds_wait
from annotation_app.storage import StoredFile, file_store

logger = logging.getLogger(__name__)

MOST_WORKERS_LOST = 3
# How often the lease is renewed and a waiting round is looked for.
LOOK_SECONDS = 1.0
# The curves may be large, so they are not written at every renewal.
CURVES_SECONDS = 5.0


class RoundFirst(Exception):
    """A round waits for this worker. It goes first, because people wait for its batch."""


class WorkersLost(Exception):
    """The same batch has ended its worker several times."""


def simulation_run(simulation_id: int) -> None:
    """Take the simulation's lease and work until it is done, has failed, a round waits, or the lease is lost."""
    if rounds_wait():
        return
    lease = simulation_take(simulation_id=simulation_id, owner=f"{socket.gethostname()}:{os.getpid()}")
    if lease is None:
        return
    row = Simulation.objects.select_related("project").get(pk=simulation_id)
    tracker = SimulationTracker(lease, row)
    try:
        with lease:
            run_core(row, tracker)
            files = files_store(row)
            simulation_accept(lease=lease, files=files, progress=tracker.progress(), timings=tracker.timings())
            shutil.rmtree(directory_of(row).parent)
    except RoundFirst:
        detail = "Rounds go first: it goes on after the round."
        simulation_give_back(lease=lease, progress=tracker.progress(detail), curves=tracker.curves.shown())
    except LeaseLost:
        logger.info("Simulation %s of %s: the lease was lost, nothing was written.", row.name, row.project.name)
    except (CoreFailed, ModelNotOffered, RunDirectoryError, WorkersLost) as error:
        simulation_fail(lease=lease, reason=str(error))
    except (*LASTING, OperationalError) as error:
        if isinstance(error, OperationalError) and not is_full(error):
            raise
        logger.exception("Simulation %s of %s failed", row.name, row.project.name)
        simulation_fail(lease=lease, reason=fault_words(error))


def run_core(row: Simulation, tracker: "SimulationTracker") -> None:
    if row.workers_lost >= MOST_WORKERS_LOST:
        raise WorkersLost(
            f"Its worker stopped {row.workers_lost} times in the same batch, perhaps for want of memory: "
            "see the model worker's log, then restart with a smaller model or fewer processes."
            + (f" The last time: {row.last_error}" if row.last_error else "")
        )
    config = config_build(row)
    tracker.renew()
    cache = Path(settings.RUNS_DIR) / "cache"
    with closing(core_process(config, cache=cache, tick=LOOK_SECONDS, command="simulate")) as run:
        for reported in run:
            if tracker.follow(reported) and rounds_wait():
                raise RoundFirst
    tracker.renew()


class SimulationTracker:
    """Write the core's progress and the cells' results into the row, and renew the lease."""

    def __init__(self, lease: Lease, row: Simulation) -> None:
        self.lease, self.row = lease, row
        self.curves = Curves(results_of(row))
        self.fraction = float(row.progress.get("fraction", 0.0))
        self.detail = "preparing"
        self.seconds = float(row.progress.get("seconds", 0.0))
        self.counted = self.renewed = time.monotonic()
        self.written, self.unwritten = float("-inf"), False

    def follow(self, reported: Progress | None) -> bool:
        """Take up progress; return False where nothing was written because the last renewal is recent."""
        if reported is not None:
            self.fraction, self.detail = reported.fraction, reported.detail
        if time.monotonic() - self.renewed < LOOK_SECONDS / 2:
            return False
        self.renew()
        return True

    def renew(self) -> None:
        """Renew the lease and write progress. Raises LeaseLost."""
        changes: dict[str, Any] = {}
        if self.curves.look():
            changes["workers_lost"], self.unwritten = 0, True
        self.renewed = time.monotonic()
        if self.unwritten and self.renewed - self.written >= CURVES_SECONDS:
            changes["curves"] = self.curves.shown()
            self.written, self.unwritten = self.renewed, False
        if not self.lease.renew(progress=self.progress(), **changes):
            raise LeaseLost

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
    plots = sorted(f"{PLOTS}/{path.name}" for path in (results / PLOTS).glob("*.svg"))
    return [file_store(results / name, f"{folder}/{name}", name=name) for name in (REPORT, RESULTS, SUMMARY, *plots)]
