"""The project's stopping set into the run directory, with what the models before said of it."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.core.files.storage import default_storage

from al_worker.formats import run_directory as files
from annotation_app.models import Item, Round, RoundFile, StoppingSet
from annotation_app.rounds.stopping_set import previous_stopping


def stopping_write(row: Round, path: Path) -> None:
    """Nothing where the project has no set yet; of the predictions before, what the storage still has."""
    found = StoppingSet.objects.filter(project=row.project_id).first()
    if found is None:
        return
    texts = {item.pk: item for item in Item.objects.filter(pk__in=found.items).only("external_id", "text")}
    files.write_items(
        path / files.STOPPING_SET, (files.Item(texts[pk].external_id, texts[pk].text) for pk in found.items)
    )
    said = {
        head_of(row, stage): said_at(file, stage)
        for stage, file in previous_files(row)
        if default_storage.exists(file.path)
    }
    if said:
        files.write_labels(path / files.PREVIOUS_STOPPING, said)


def previous_files(row: Round) -> Iterator[tuple[str, RoundFile]]:
    """(stage, file) of the last model that learned each of the round's stages."""
    for stage in row.learning_stages:
        if (file := previous_stopping(row, stage)) is not None:
            yield stage, file


def head_of(row: Round, stage: str) -> str:
    """One stage is the model's one head, without a name."""
    return stage if len(row.learning_stages) > 1 else ""


def said_at(file: RoundFile, stage: str) -> dict[str, str]:
    """{item: label} at the stage."""
    with tempfile.TemporaryDirectory() as folder, default_storage.open(file.path) as stored:
        (path := Path(folder) / file.name).write_bytes(stored.read())
        return files.read_labels(path).get(head_of(file.round, stage), {})


def lost_notices(row: Round) -> list[str]:
    """A comparison that could not be made is said, since it is no reason to fail a round."""
    return [
        f"not compared with the model before: {file.path} is no longer in the storage"
        for _, file in previous_files(row)
        if not default_storage.exists(file.path)
    ]
