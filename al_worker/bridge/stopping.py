"""Write the project's stopping set into the run directory, with the earlier models' predictions on it."""

from collections.abc import Iterator
from pathlib import Path

from django.core.files.storage import default_storage

from al_worker.formats import run_directory as files
from annotation_app.models import Item, Round, RoundFile, StoppingSet
from annotation_app.rounds.stopping_set import previous_stopping
from annotation_app.storage import stored_copy


def stopping_write(row: Round, path: Path) -> None:
    """Write the stopping set, if there is one, and those earlier predictions that the storage still has."""
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
    """Yield (stage, file) of the last model that learned each of the round's stages."""
    for stage in row.learning_stages:
        if (file := previous_stopping(row, stage)) is not None:
            yield stage, file


def head_of(row: Round, stage: str) -> str:
    """Return the head's name: empty where the round has a single stage."""
    return stage if len(row.learning_stages) > 1 else ""


def said_at(file: RoundFile, stage: str) -> dict[str, str]:
    """Read {item: label} at the stage from stored predictions."""
    with stored_copy(file.path) as path:
        return files.read_labels(path).get(head_of(file.round, stage), {})


def lost_notices(row: Round) -> list[str]:
    """Return notices of comparisons that could not be made, which is no reason to fail a round."""
    return [
        f"not compared with the model before: {file.path} is no longer in the storage"
        for _, file in previous_files(row)
        if not default_storage.exists(file.path)
    ]
