"""Run one interpretation, from lease to figures. It can be killed anywhere, and it gives way to rounds."""

import shutil
import time
from contextlib import closing
from typing import Any

from django.db.models import F

from al_worker.bridge.after_rounds import GIVES_WAY, LOOK_SECONDS, AfterRounds
from al_worker.bridge.directory import ModelNotOffered
from al_worker.bridge.interpretation_directory import config_build, directory_of, results_of
from al_worker.bridge.process import CoreFailed, Progress, core_process
from al_worker.formats.interpretation import (
    CURVES,
    FIGURES,
    GENERATE,
    GENERATIONS,
    INSTANCES,
    PLOTS,
    RECORD,
    STAGES,
    STOP_SECONDS,
    TABLES,
    filtered_name,
    scored_name,
)
from al_worker.formats.run_directory import RunDirectoryError, read_json
from annotation_app.interpretations.estimate import timing_key
from annotation_app.interpretations.results import interpretation_accept, interpretation_fail
from annotation_app.models import Interpretation, Lease
from annotation_app.storage import StoredFile, file_store


class InterpretationRun(AfterRounds):
    """Hold one attempt at an interpretation. The core's progress and the loss curves go into the row."""

    model = Interpretation
    reasons = (CoreFailed, ModelNotOffered, RunDirectoryError)

    def __init__(self, row: Interpretation, lease: Lease) -> None:
        super().__init__(row, lease)
        self.told: dict[str, Any] = {**row.progress, "detail": "preparing"}
        self.curves = dict(row.curves)
        self.reached = self.place()

    def execute(self) -> None:
        config = config_build(self.row)
        self.renew()
        core = core_process(config, cache=None, tick=LOOK_SECONDS, command="interpret", stop_seconds=STOP_SECONDS)
        with closing(core):
            gives_way = self.gives_way(core)
        if gives_way:
            changes = self.curves_read() | {"progress": self.told | {"detail": GIVES_WAY, "seconds_left": None}}
            self.lease.give_back(state=Interpretation.State.WAITING, **changes)
            return
        self.renew()
        figures = read_json(results_of(self.row) / FIGURES)
        progress = self.told | {"detail": "done", "fraction": 1.0, "timings": timings_of(self.row, figures)}
        interpretation_accept(
            lease=self.lease,
            files=files_store(self.row),
            changes={"progress": progress, "notices": [*self.row.notices, *figures["notices"]]},
        )
        shutil.rmtree(directory_of(self.row))

    def fail(self, reason: str) -> None:
        interpretation_fail(lease=self.lease, reason=reason)

    def take_up(self, reported: Progress) -> None:
        self.told = self.told | {
            "detail": reported.detail,
            "fraction": reported.fraction,
            "system": reported.step,
            "stage": reported.stage,
            "done": reported.done,
            "total": reported.total,
            "seconds_left": reported.seconds_left,
        }

    def renew(self) -> None:
        """Renew the lease, and write progress and curves. Raises LeaseLost."""
        changes, place = self.curves_read(), self.place()
        if changes or place > self.reached:
            # What ends its worker would do so again, so attempts count since the last work that is not done again.
            changes["attempts_before"] = F("attempt") - 1
        self.renewed, self.reached = time.monotonic(), max(place, self.reached)
        self.lease.renew(progress=self.told, **changes)

    def curves_read(self) -> dict[str, Any]:
        """Return the loss curves as a change of the row, where they have changed since the last look."""
        path = results_of(self.row) / CURVES
        curves = read_json(path) if path.is_file() else {}
        if curves == self.curves:
            return {}
        self.curves = curves
        return {"curves": curves}

    def place(self) -> tuple[int, int, int]:
        """Return how far the core is: system, stage, and generated texts, each of which is written down at once."""
        system, stage = self.told.get("system"), self.told.get("stage")
        names = [each["name"] for each in self.row.spec["systems"]]
        if system not in names or stage not in STAGES:
            return -1, -1, 0
        return names.index(system), STAGES.index(stage), self.told["done"] if stage == GENERATE else 0


def timings_of(row: Interpretation, figures: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return the seconds of a training example in an epoch, and of a generated text, by kind and model."""
    found = {}
    # Figures name the operator's folder where there is one.
    models = {system["name"]: system["model"] for system in row.spec["systems"]}
    for system in figures["systems"]:
        training, generation = system["training"], system["generation"]
        steps = training["examples"] * training["epochs"]
        found[timing_key(system["kind"], models[system["name"]])] = {
            "per_example": training["seconds"] / steps if steps else 0.0,
            "per_text": generation["seconds"] / generation["n"] if generation["n"] else 0.0,
        }
    return found


def files_store(row: Interpretation) -> list[StoredFile]:
    """Store figures, texts, scores, tables and plots under the attempt; each by its own name."""
    folder, results = f"interpretations/{row.uuid}/{row.attempt}", results_of(row)
    names = [FIGURES, CURVES, RECORD, GENERATIONS, INSTANCES]
    names += [made(system["name"]) for system in row.spec["systems"] for made in (filtered_name, scored_name)]
    names += sorted(f"{part}/{path.name}" for part in (TABLES, PLOTS) for path in (results / part).glob("*"))
    return [file_store(results / name, f"{folder}/{name}") for name in names if (results / name).is_file()]
