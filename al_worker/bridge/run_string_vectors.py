"""Run one comparison of strings by an encoder's vectors, from lease to the nearest ones in the row."""

import json
import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings

from al_worker.bridge.after_rounds import LOOK_SECONDS, rounds_wait
from al_worker.bridge.directory import ModelNotOffered
from al_worker.bridge.process import CoreFailed, core_process
from al_worker.formats.run_directory import RunDirectoryError, read_json, write_atomic
from annotation_app.equivalence.vectors import vectors_accept, vectors_fail
from annotation_app.leased_jobs import LeasedJob
from annotation_app.models import StringVectors
from annotation_app.rounds.models_offered import offered_model

STRINGS, NEAREST = "strings.json", "nearest.json"


class StringVectorsRun(LeasedJob):
    """Hold one attempt. It takes seconds, so that one that gives way to a round begins anew."""

    model = StringVectors
    reasons = (CoreFailed, ModelNotOffered, RunDirectoryError)

    @classmethod
    def run(cls, row_id: int) -> None:
        """Run the comparison, unless a round waits."""
        if not rounds_wait():
            super().run(row_id)

    @classmethod
    def waiting(cls) -> list[tuple[int, int]]:
        """Return the waiting comparisons; none while a round waits."""
        return [] if rounds_wait() else super().waiting()

    def execute(self) -> None:
        offered = offered_model(self.row.encoder)
        if offered is None:
            raise ModelNotOffered(f'"{self.row.encoder}" is not offered here: add it to QUORUM_MODELS.')
        folder = Path(settings.RUNS_DIR) / "string-vectors" / str(self.row.uuid)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            nearest = self.compared(offered.source, folder)
        finally:
            # The strings are people's words. The job is free only after this: another attempt has the same folder.
            shutil.rmtree(folder)
        if nearest is None:
            self.lease.give_back(state=StringVectors.State.WAITING)
        else:
            vectors_accept(lease=self.lease, nearest=nearest)

    def compared(self, source: str, folder: Path) -> list[Any] | None:
        """Return the nearest strings of each one, or None where a round waits."""
        write_atomic(folder / STRINGS, json.dumps(self.row.strings).encode())
        more = ["--encoder", source, "--out", str(folder / NEAREST)]
        renewed = time.monotonic()
        core = core_process(folder / STRINGS, cache=None, tick=LOOK_SECONDS, command="similar", more=more)
        with closing(core):
            for _ in core:
                if time.monotonic() - renewed < LOOK_SECONDS:
                    continue
                renewed = time.monotonic()
                self.lease.renew()
                if rounds_wait():
                    return None
        found: list[Any] = read_json(folder / NEAREST)["nearest"]
        return found

    def fail(self, reason: str) -> None:
        vectors_fail(lease=self.lease, reason=reason)
