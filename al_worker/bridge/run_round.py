"""Run one round, from lease to open batch. Every step can be killed, and the next worker takes it up again."""

import shutil
import time
from contextlib import closing
from pathlib import Path

from django.conf import settings

from al_worker.bridge.directory import ModelNotOffered, directory_build, directory_of
from al_worker.bridge.process import CoreFailed, Progress, core_process
from al_worker.bridge.results import results_read
from al_worker.formats.models import NO_MODEL
from al_worker.formats.run_directory import RunDirectoryError
from annotation_app.leased_jobs import LeasedJob
from annotation_app.models import Lease, Round
from annotation_app.rounds.errors import RoundUnacceptable
from annotation_app.rounds.results import annotators_left, round_accept, round_fail

STATE_OF_STEP = {
    "encode": Round.State.TRAINING,
    "train": Round.State.TRAINING,
    "score": Round.State.SCORING,
    "select": Round.State.SELECTING,
}

# Tokenising is shown as part of training, so that the bar does not run twice: (where it begins, its share of the bar).
PART_OF_STATE = {"encode": (0.0, 0.1), "train": (0.1, 0.9)}


class RoundRun(LeasedJob):
    """Hold one attempt at a round. The core's progress goes into the row, with the seconds of each step."""

    model = Round
    reasons = (CoreFailed, ModelNotOffered, RunDirectoryError, RoundUnacceptable)

    def __init__(self, row: Round, lease: Lease) -> None:
        super().__init__(row, lease)
        self.state = first_state(row)
        self.seconds: dict[str, float] = dict(row.progress.get("seconds", {}))
        self.fraction, self.detail = 0.0, "preparing"
        self.started = self.written = time.monotonic()

    def execute(self) -> None:
        annotators_left(self.row)
        self.renew()
        directory, cache = directory_build(self.row), Path(settings.RUNS_DIR) / "cache"
        with closing(core_process(directory, cache=cache, tick=settings.WORKER_BEAT_SECONDS)) as core:
            for progress in core:
                self.follow(progress)
        self.fraction, self.detail = 1.0, "opening the batch"
        self.renew()
        round_accept(lease=self.lease, results=results_read(self.row, directory))
        directories_prune(self.row)

    def fail(self, reason: str) -> None:
        round_fail(lease=self.lease, step=self.state, reason=reason)

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
        self.lease.renew(state=self.state, progress=progress)


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
