"""Run idempotent steps. A marker with the hashes of a step's inputs and outputs says that it need not run again.

The marker is written last. A process killed anywhere before that leaves a step that simply runs again.
Every step gives the same outputs for the same inputs.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from al_worker.core.run.files import file_hash, value_hash
from al_worker.core.run.progress import Progress
from al_worker.formats.run_directory import STEPS, read_json, write_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Describe a step. `inputs` is everything that the outputs depend on.

    `work` writes the outputs and returns facts for the record. An output that is a folder stands for the files in it.
    """

    name: str
    inputs: Mapping[str, Any]
    outputs: Sequence[str]
    work: Callable[[Path, Progress], dict[str, Any]]


def step_run(run: Path, step: Step, progress: Progress, *, force: bool = False) -> bool:
    """Run the step unless its outputs are up to date. Return whether it ran."""
    if not force and step_is_done(run, step):
        progress.report(1.0, "up to date")
        return False
    progress.report(0.0, "started")
    (run / STEPS).mkdir(exist_ok=True)
    marker_path(run, step.name).unlink(missing_ok=True)
    # Outputs of an earlier run must not pass for the result of a run that fails.
    for name in step.outputs:
        if (run / name).is_file():
            (run / name).unlink()
    started = datetime.now(UTC)
    facts = step.work(run, progress)
    marker = {
        "step": step.name,
        "inputs_hash": value_hash(step.inputs),
        "inputs": dict(step.inputs),
        "outputs": {name: file_hash(run / name) for name in _files(run, step.outputs)},
        "started_at": started.isoformat(timespec="seconds"),
        "seconds": round(progress.seconds, 3),
        "facts": facts,
    }
    write_json(marker_path(run, step.name), marker)
    progress.report(1.0, "done")
    return True


def step_is_done(run: Path, step: Step) -> bool:
    """Return whether the marker matches the inputs and every output is there unchanged."""
    marker = marker_read(run, step.name)
    if marker is None or marker.get("inputs_hash") != value_hash(step.inputs):
        return False
    return all(file_hash(run / name) == digest != "" for name, digest in marker["outputs"].items())


def marker_read(run: Path, name: str) -> dict[str, Any] | None:
    """Return the marker of a finished step, or None."""
    path = marker_path(run, name)
    return read_json(path) if path.is_file() else None


def _files(run: Path, outputs: Sequence[str]) -> list[str]:
    names: list[str] = []
    for output in outputs:
        inside = sorted((run / output).iterdir()) if (run / output).is_dir() else [run / output]
        names += [str(path.relative_to(run)) for path in inside]
    return names


def marker_path(run: Path, name: str) -> Path:
    """Return the path of a step's marker, which exists once the step is done."""
    return run / STEPS / f"{name}.json"
