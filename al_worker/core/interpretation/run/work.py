"""Hold what all stages of an interpretation share: settings, data, files, progress, and the wish to stop."""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from al_worker.core.backends.device import Execution
from al_worker.core.errors import ModelUnavailable
from al_worker.core.interpretation.run.config import InterpretationSettings
from al_worker.core.interpretation.run.data import InterpretationData
from al_worker.core.run.files import cut_half_line, file_hash, value_hash
from al_worker.core.run.machine import library_versions
from al_worker.core.run.progress import Progress
from al_worker.core.run.steps import Step, step_run
from al_worker.formats.interpretation import CURVES, STAGES
from al_worker.formats.run_directory import read_rows, write_json

# The share of a system's progress that each stage has.
SHARES = {"filter": 0.1, "train": 0.6, "generate": 0.2, "score": 0.1}
# Figures, tables and plots come last.
FIGURES_BEGIN = 0.97
# What is under way lies here, and is deleted when its stage is done.
WORK = "work"


@dataclass(slots=True)
class StageProgress(Progress):
    """Report a stage of one system as a part of the whole run.

    `begins` and `share` are fractions of the whole; `n_done` and `n_all` are steps of the stage.
    """

    stage: str = ""
    begins: float = 0.0
    share: float = 1.0
    n_done: int = 0
    n_all: int = 0
    first: tuple[float, int] | None = None

    def report(self, fraction: float, detail: str, **more: float | str | None) -> None:
        """Report a fraction of the stage."""
        known: dict[str, float | str | None] = {
            "stage": self.stage,
            "done": self.n_done,
            "total": self.n_all,
            "seconds_left": self._seconds_left(),
        }
        # slots make a new class, which super() without arguments does not know.
        Progress.report(self, self.begins + self.share * fraction, f"{self.stage}: {detail}", **(known | more))

    def steps(self, done: int, total: int, detail: str) -> None:
        """Report that some of the stage's steps are done."""
        self.n_done, self.n_all = done, total
        self.first = self.first or (time.monotonic(), done)
        self.report(done / total if total else 1.0, detail)

    def _seconds_left(self) -> float | None:
        """Return about how long the stage will go on, from the steps since its first report."""
        if self.first is None or self.n_done <= self.first[1]:
            return None
        seconds = (time.monotonic() - self.first[0]) / (self.n_done - self.first[1])
        return round(seconds * (self.n_all - self.n_done), 1)


@dataclass(slots=True)
class Work:
    """Hold one run under way. `curves` are the loss curves of the systems so far."""

    settings: InterpretationSettings
    data: InterpretationData
    execution: Execution
    form: str
    stop: Callable[[], bool]
    curves: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # What a file holds now was read; it may change before a later stage asks for its hash.
        self.data_files()
        self.evaluations_file()
        self.hash_of(self.settings.path)

    @property
    def results(self) -> Path:
        return self.settings.results

    def progress(self, name: str, stage: str) -> StageProgress:
        """Return the progress of a system's stage."""
        before = sum(SHARES[each] for each in STAGES[: STAGES.index(stage)])
        share = FIGURES_BEGIN / len(self.settings.run.systems)
        begins = share * (self.settings.run.systems.index(name) + before)
        return StageProgress(name, self.form, stage=stage, begins=begins, share=share * SHARES[stage])

    def figures_progress(self) -> StageProgress:
        """Return the progress of tables and plots, which come after all systems."""
        return StageProgress("figures", self.form, stage="figures", begins=FIGURES_BEGIN, share=1 - FIGURES_BEGIN)

    def stage(
        self,
        name: str,
        stage: str,
        inputs: Mapping[str, Any],
        outputs: Sequence[str],
        work: Callable[[StageProgress], dict[str, Any]],
    ) -> None:
        """Do a stage of a system, unless it is done with the same inputs."""
        progress = self.progress(name, stage)
        step = Step(name=f"{name}-{stage}", inputs=inputs, outputs=outputs, work=lambda run, _: work(progress))
        step_run(self.results, step, progress)

    def scratch(self, name: str, inputs: Mapping[str, Any]) -> Path:
        """Return the folder of a stage under way. Another one takes its place where the inputs change."""
        return self.results / WORK / f"{name}-{value_hash(inputs)[:16]}"

    def scratch_delete(self, name: str, inputs: Mapping[str, Any]) -> None:
        """Delete the folder of a stage whose marker is written: one killed before that goes on from the folder."""
        shutil.rmtree(self.scratch(name, inputs), ignore_errors=True)

    def curve(self, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write the loss curve of a system so far, beside those of the others."""
        keys = ("epoch", "train_loss", "valid_loss", "learning_rate")
        self.curves[name] = [{key: row[key] for key in keys} for row in rows]
        write_json(self.results / CURVES, self.curves)

    def hash_of(self, path: Path) -> str:
        """Return the sha256 of a file, which is read once."""
        if str(path) not in self.hashes:
            self.hashes[str(path)] = file_hash(path)
        return self.hashes[str(path)]

    def model_files(self, folder: Path) -> dict[str, str]:
        """Return the sha256 of each file of a model."""
        names = sorted(path for kind in ("*.safetensors", "*.json", "*.txt", "*.model") for path in folder.glob(kind))
        return {path.name: self.hash_of(path) for path in names}

    def data_files(self) -> dict[str, str]:
        """Return the sha256 of the sources and of the targets."""
        data = self.settings.data
        names = {"sources": data.sources, "targets": data.targets}
        return {key: self.hash_of(self.settings.file(name)) for key, name in names.items()}

    def evaluations_file(self) -> str:
        """Return the sha256 of the evaluations; "" where there are none."""
        name = self.settings.data.evaluations
        return self.hash_of(self.settings.file(name)) if name else ""

    def title(self, name: str) -> str:
        return self.settings.systems[name].title or name


def rows_there(path: Path) -> list[dict[str, Any]]:
    """Return the whole lines that a run before has written."""
    if not path.is_file():
        return []
    cut_half_line(path)
    return [row for _, row in read_rows(path)]


def place_of(settings: InterpretationSettings, name: str, key: str) -> str:
    """Return where in the configuration a system's value stands."""
    return f"{settings.path.name}: [systems.{name}] {key}"


def at_place(place: str, error: ModelUnavailable) -> ModelUnavailable:
    return ModelUnavailable(f"{place}: {error}")


def versions() -> dict[str, str | None]:
    """Return the versions of the libraries that weights and texts depend on."""
    known = library_versions()
    return {name: known[name] for name in ("torch", "transformers", "tokenizers")}
