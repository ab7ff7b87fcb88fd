"""Run directory -> rows: what must last goes into the database and the storage."""

import hashlib
from pathlib import Path

from django.core.files import File
from django.core.files.storage import default_storage

from al_worker.formats import run_directory as files
from annotation_app.models import Round
from annotation_app.rounds.results import Chosen, Results, StoredFile

KEPT = (files.SCORES, files.SELECTED, files.METRICS, files.RECORD)


def results_read(row: Round, directory: Path) -> Results:
    """The chosen items in order, the metrics and the core's record, with the lasting files stored."""
    drawn = row.strategy_used == "random"
    chosen = [
        Chosen(c.id, c.rank, None if drawn or c.source == "random" else c.score)
        for c in files.read_selected(directory / files.SELECTED)
    ]
    metrics = files.read_json(directory / files.METRICS) if (directory / files.METRICS).is_file() else {}
    folder = f"rounds/{row.uuid}/{row.attempt}"
    stored = [file_store(folder, directory / name) for name in KEPT if (directory / name).is_file()]
    return Results(chosen=chosen, metrics=metrics, record=files.read_json(directory / files.RECORD), files=stored)


def file_store(folder: str, path: Path) -> StoredFile:
    """`folder` names the attempt, so that a worker that lost its lease overwrites nothing."""
    with path.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256").hexdigest()
        source.seek(0)
        name = default_storage.save(f"{folder}/{path.name}", File(source))
    return StoredFile(name=path.name, path=name, sha256=digest, size=path.stat().st_size)
