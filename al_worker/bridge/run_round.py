"""Run one round, from lease to open batch. Every step can be killed, and the next worker takes it up again."""

import logging
import os
import shutil
import socket
import time
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.db import OperationalError

from al_worker.bridge.directory import ModelNotOffered, directory_build, directory_of
from al_worker.bridge.process import CoreFailed, Progress, core_process
from al_worker.bridge.results import results_read
from al_worker.formats.models import NO_MODEL
from al_worker.formats.run_directory import RunDirectoryError
from annotation_app.disk import fault_words, is_full
from annotation_app.models import LASTING, Lease, LeaseLost, Round
from annotation_app.rounds.errors import RoundUnacceptable
from annotation_app.rounds.results import annotators_left, round_accept, round_fail

logger = logging.getLogger(__name__)
# A step that ended its worker this often would do so again. A lower limit would fail rounds on a machine that restarts.
MOST_ATTEMPTS = 10

STATE_OF_STEP = {
    "encode": Round.State.TRAINING,
    "train": Round.State.TRAINING,
    "score": Round.State.SCORING,
    "select": Round.State.SELECTING,
}

# Tokenising is shown as part of training, so that the bar does not run twice: (where it begins, its share of the bar).
PART_OF_STATE = {"encode": (0.0, 0.1), "train": (0.1, 0.9)}


def round_run(round_id: int) -> None:
    """Take the round's lease and work until the batch is open, the round has failed, or the lease is lost."""
    lease = Round.take(row_id=round_id, owner=f"{socket.gethostname()}:{os.getpid()}")
    if lease is None:
        return
    row = Round.objects.select_related("project", "codebook").get(pk=round_id)
    tracker = RoundTracker(lease, row)
    try:
        with lease:
            run_core(row, tracker)
            round_accept(lease=lease, results=results_read(row, directory_of(row)))
            directories_prune(row)
    except LeaseLost:
        logger.info("Round %s of %s: the lease was lost, nothing was written.", row.number, row.project.name)
    except (CoreFailed, ModelNotOffered, RunDirectoryError, RoundUnacceptable) as error:
        round_fail(lease=lease, step=tracker.state, reason=str(error))
    except (*LASTING, OperationalError) as error:
        if isinstance(error, OperationalError) and not is_full(error):
            raise
        logger.exception("Round %s of %s failed", row.number, row.project.name)
        round_fail(lease=lease, step=tracker.state, reason=fault_words(error))


def run_core(row: Round, tracker: "RoundTracker") -> None:
    if spent := tracker.lease.spent(row, MOST_ATTEMPTS):
        raise RoundUnacceptable(f"{spent} Restart the round once the reason is gone, or cancel it.")
    annotators_left(row)
    tracker.renew()
    directory = directory_build(row)
    cache = Path(settings.RUNS_DIR) / "cache"
    with closing(core_process(directory, cache=cache, tick=settings.WORKER_BEAT_SECONDS)) as run:
        for progress in run:
            tracker.follow(progress)
    tracker.finish()


class RoundTracker:
    """Write the core's progress into the row, with the seconds of each step, and renew the lease."""

    def __init__(self, lease: Lease, row: Round) -> None:
        self.lease = lease
        self.state = first_state(row)
        self.seconds: dict[str, float] = dict(row.progress.get("seconds", {}))
        self.fraction, self.detail = 0.0, "preparing"
        self.started = self.written = time.monotonic()

    def follow(self, progress: Progress | None) -> None:
        if progress is not None:
            state = str(STATE_OF_STEP.get(progress.step, self.state))
            changed = state != self.state
            if changed:
                self.turn(state)
            first, share = PART_OF_STATE.get(progress.step, (0.0, 1.0))
            self.fraction, self.detail = first + share * progress.fraction, progress.detail
            if not changed and time.monotonic() - self.written < 0.5:
                return
        self.renew()

    def turn(self, state: str) -> None:
        self.count()
        self.state = state

    def count(self) -> None:
        now = time.monotonic()
        self.seconds[self.state] = round(self.seconds.get(self.state, 0.0) + now - self.started, 2)
        self.started = now

    def renew(self) -> None:
        self.count()
        self.written = time.monotonic()
        progress = {"fraction": self.fraction, "detail": self.detail, "seconds": self.seconds}
        if not self.lease.renew(state=self.state, progress=progress):
            raise LeaseLost

    def finish(self) -> None:
        self.fraction, self.detail = 1.0, "opening the batch"
        self.renew()


def first_state(row: Round) -> str:
    """Return the state in which the round begins; a resumed one goes on in its last state."""
    if row.state != Round.State.DRAFT:
        return str(row.state)
    return str(Round.State.SELECTING if row.model == NO_MODEL else Round.State.TRAINING)


def directories_prune(row: Round) -> None:
    """Delete the run directories of earlier rounds. All that lasts is in the database and the storage."""
    for earlier in row.project.rounds.filter(number__lt=row.number):
        directory: Path = directory_of(earlier)
        if directory.is_dir():
            shutil.rmtree(directory)
