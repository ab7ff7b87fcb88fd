"""Rows -> run directory. Rebuilt from rows at will: it is the worker's scratch, never the truth."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage

from al_worker.formats import run_directory as files
from al_worker.formats.models import NO_MODEL
from annotation_app.codebook.definition import parse_definition
from annotation_app.models import Item, Project, Round, StoppingSet, TestSet
from annotation_app.rounds.held_out import held_out_for, learnable_labels
from annotation_app.rounds.models_offered import offered_model
from annotation_app.rounds.stopping_set import previous_stopping

CHUNK = 5_000


class ModelNotOffered(Exception):
    """The operator took the round's model off the list after the round was started."""


def directory_of(row: Round) -> Path:
    return Path(settings.RUNS_DIR) / str(row.uuid)


def directory_build(row: Round) -> Path:
    """Writes the round's input files once; a directory whose config stands is complete, since it is written last."""
    path = directory_of(row)
    if (path / files.CONFIG).is_file():
        return path
    path.mkdir(parents=True, exist_ok=True)
    labels = dict(row.training_set)
    files.write_items(path / files.LABELED, labeled_items(row.project, labels))
    files.write_items(path / files.ISSUED, issued_items(row.project, labels))
    files.write_items(path / files.POOL, pool_items(row.project))
    if row.test_set is not None:
        files.write_items(path / files.EVALUATION, evaluation_items(row, row.test_set))
    if row.model != NO_MODEL:
        stopping_write(row, path)
    files.write_config(path / files.CONFIG, config_tables(row))
    return path


def labeled_items(project: Project, labels: dict[str, str]) -> Iterator[files.Item]:
    rows = project.items.filter(external_id__in=labels).order_by("external_id")
    for name, text in rows.values_list("external_id", "text"):
        yield files.Item(name, text, labels[name])


def issued_items(project: Project, labels: dict[str, str]) -> Iterator[files.Item]:
    """Handed out before, without a usable label: never asked again, never learned from."""
    issued = Item.objects.filter(project=project, batch_items__isnull=False).exclude(external_id__in=labels).distinct()
    for name, text in issued.order_by("pk").values_list("external_id", "text"):
        yield files.Item(name, text)


def pool_items(project: Project) -> Iterator[files.Item]:
    pool = project.items.filter(left_out="", batch_items__isnull=True).order_by("pk")
    for name, text in pool.values_list("external_id", "text").iterator(chunk_size=CHUNK):
        yield files.Item(name, text)


def evaluation_items(row: Round, test_set: TestSet) -> list[files.Item]:
    """The held-out items that the round's model can be asked about and cannot have learned."""
    labels = learnable_labels(parse_definition(row.codebook.definition), row.learning_stage)
    return [files.Item(item.id, item.text, item.label) for item in held_out_for(test_set, labels=labels).items]


def stopping_write(row: Round, path: Path) -> None:
    """The project's stopping set, and what the model before said of it, as far as the storage still has that."""
    found = StoppingSet.objects.filter(project=row.project_id).first()
    if found is None:
        return
    texts = {item.pk: item for item in Item.objects.filter(pk__in=found.items).only("external_id", "text")}
    files.write_items(
        path / files.STOPPING_SET, (files.Item(texts[pk].external_id, texts[pk].text) for pk in found.items)
    )
    previous = previous_stopping(row)
    if previous is not None and default_storage.exists(previous.path):
        with default_storage.open(previous.path) as stored:
            files.write_atomic(path / files.PREVIOUS_STOPPING, stored.read())


def config_tables(row: Round) -> dict[str, dict[str, files.Value]]:
    return {
        "round": {"number": row.number - 1, "query_size": row.query_size, "random_state": row.random_state},
        "strategy": {"name": row.strategy_used, **row.options},
        "model": {"name": model_source(row), **labels_of(row)},
    }


def labels_of(row: Round) -> dict[str, files.Value]:
    """What the model tells apart: the learning stage's labels in the codebook's order, and the positive ones."""
    codebook = parse_definition(row.codebook.definition)
    stage = codebook.by_key[row.learning_stage]
    labels = learnable_labels(codebook, stage.key)
    return {"labels": labels, "positive_labels": [label for label in labels if label in stage.positive]}


def model_source(row: Round) -> str:
    if row.model == NO_MODEL:
        return NO_MODEL
    offered = offered_model(row.model)
    if offered is None:
        raise ModelNotOffered(f"{row.model} is no longer on this server's list of models (QUORUM_MODELS).")
    return offered.source
