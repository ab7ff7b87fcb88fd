"""Run one evaluation, from lease to figures. Every answer that was paid for is stored, however the run ends."""

import json
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import F

from al_worker.bridge.after_rounds import GIVES_WAY, LOOK_SECONDS, AfterRounds
from al_worker.bridge.directory import ModelNotOffered
from al_worker.bridge.evaluation_directory import (
    answers_whole,
    config_build,
    directory_of,
    item_ids,
    prediction_of,
    results_of,
)
from al_worker.bridge.process import CoreFailed, Progress, core_process
from al_worker.formats.evaluation import ANSWERS, FIGURES, PLOTS, PREDICTIONS, STOP_SECONDS, TABLES, answers_name
from al_worker.formats.run_directory import RunDirectoryError, read_json, read_rows, write_json, write_rows
from annotation_app.evaluation.as_rater import NO_PREDICTION, rater_figures
from annotation_app.evaluation.language_models import models_usable
from annotation_app.evaluation.people import people_answers
from annotation_app.evaluation.results import evaluation_accept, evaluation_fail, predictions_store
from annotation_app.models import Evaluation, Lease
from annotation_app.refusals import Refused
from annotation_app.storage import StoredFile, file_store

# The core itself stops waiting after STOP_SECONDS.
KILL_AFTER = STOP_SECONDS + 10


class EvaluationRun(AfterRounds):
    """Hold one attempt at an evaluation. Answers become rows as they arrive."""

    model = Evaluation
    reasons = (CoreFailed, ModelNotOffered, Refused, RunDirectoryError)

    def __init__(self, row: Evaluation, lease: Lease) -> None:
        super().__init__(row, lease)
        self.detail = "preparing"
        self.systems: dict[str, dict[str, Any]] = dict(row.progress.get("systems", {}))
        self.items = item_ids(row)
        # How far each file of answers has been read, in bytes.
        self.read: dict[Path, int] = {}

    def execute(self) -> None:
        # What an attempt before wrote and could not store.
        self.answers_store()
        # An approval may have been taken back since the start, and the operator may have changed the file.
        models_usable(self.row.project, self.row.spec["language_models"])
        config, cache = config_build(self.row), Path(settings.RUNS_DIR) / "cache"
        self.renew()
        core = core_process(config, cache=cache, tick=LOOK_SECONDS, command="evaluate", stop_seconds=KILL_AFTER)
        try:
            with closing(core):
                gives_way = self.gives_way(core)
        finally:
            self.answers_store()
        if gives_way:
            self.detail = GIVES_WAY
            self.lease.give_back(state=Evaluation.State.WAITING, progress=self.progress())
            return
        self.detail = "done"
        self.renew()
        results = results_of(self.row)
        predictions_store(self.computed(results / PREDICTIONS))
        figures = read_json(results / FIGURES)
        as_rater_add(self.row, figures)
        write_json(results / FIGURES, figures)
        if self.row.spec["language_models"]:
            write_rows(results / ANSWERS, answers_whole(self.row))
        evaluation_accept(
            lease=self.lease,
            files=files_store(self.row),
            progress=self.progress() | {"n_unanswered": sum(each["n_failed"] for each in figures["systems"])},
            notices=figures["notices"],
        )
        shutil.rmtree(directory_of(self.row))

    def fail(self, reason: str) -> None:
        evaluation_fail(lease=self.lease, reason=reason)

    def take_up(self, reported: Progress) -> None:
        titles = self.row.spec["titles"]
        self.detail = f"{titles.get(reported.step, reported.step)}: {reported.detail}"
        self.systems[reported.step] = {"failed_requests": reported.n_failed, "seconds_left": reported.seconds_left}

    def renew(self) -> None:
        """Store what was answered, renew the lease and write progress. Raises LeaseLost."""
        # An answer that ends its worker would do so again, so attempts count since the last answer.
        changes = {"attempts_before": F("attempt") - 1} if self.answers_store() else {}
        self.renewed = time.monotonic()
        self.lease.renew(progress=self.progress(), **changes)

    def answers_store(self) -> int:
        """Store the answers that the core has written since the last look, and return their number."""
        n = 0
        for system in self.row.spec["language_models"]:
            path = results_of(self.row) / answers_name(system)
            rows = [prediction_of(self.row, system, line, self.items[line["id"]]) for line in self.new_lines(path)]
            predictions_store(rows)
            n += len(rows)
        return n

    def new_lines(self, path: Path) -> Iterator[Mapping[str, Any]]:
        """Yield the whole lines of a file that were not read before."""
        if not path.is_file():
            return
        with path.open("rb") as file:
            file.seek(self.read.get(path, 0))
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self.read[path] = self.read.get(path, 0) + len(line)
                yield json.loads(line)

    def computed(self, path: Path) -> Iterator[Any]:
        """Yield the predictions of systems that are not asked: the majority class, and those that are trained."""
        for _, line in read_rows(path):
            if self.row.spec["kinds"][line["system"]] in ("majority", "trained"):
                yield prediction_of(self.row, line["system"], line, self.items[line["id"]])

    def progress(self) -> dict[str, Any]:
        return {**self.row.progress, "detail": self.detail, "systems": self.systems}


def as_rater_add(row: Evaluation, figures: dict[str, Any]) -> None:
    """Add the agreement of people with and without each system to the figures."""
    labels: dict[str, dict[tuple[str, str], str | None]] = {}
    rows = row.predictions.values_list("system", "stage", "item__external_id", "label")
    for system, stage, item, label in rows.iterator(chunk_size=2_000):
        labels.setdefault(system, {})[stage, item] = label
    found = rater_figures(people_answers(row), labels)
    for stage in figures["stages"]:
        for system in stage["systems"]:
            system["as_rater"] = found[system["name"]].get(stage["key"], {"reason": NO_PREDICTION})


def files_store(row: Evaluation) -> list[StoredFile]:
    """Store figures, predictions, tables and plots under the attempt; each by its own name."""
    folder, results = f"evaluations/{row.uuid}/{row.attempt}", results_of(row)
    names = [FIGURES, PREDICTIONS, *([ANSWERS] if row.spec["language_models"] else [])]
    names += sorted(f"{part}/{path.name}" for part in (TABLES, PLOTS) for path in (results / part).glob("*"))
    return [file_store(results / name, f"{folder}/{name}") for name in names]
