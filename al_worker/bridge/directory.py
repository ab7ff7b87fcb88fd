"""Write a round's rows into a run directory. It is scratch space of the worker, and can be rebuilt at any time."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from al_worker.bridge.stopping import stopping_write
from al_worker.formats import run_directory as files
from al_worker.formats.heads import ONE
from al_worker.formats.models import NO_MODEL, learning_rate_for
from al_worker.formats.strategies import STRATEGIES
from annotation_app.codebook.definition import codebook_of
from annotation_app.models import Item, Project, Round, TestSet
from annotation_app.rounds.held_out import held_out_for
from annotation_app.rounds.models_offered import offered_model
from annotation_app.rounds.training_set import stage_labels

CHUNK = 5_000


class ModelNotOffered(Exception):
    """Signal that the operator took the round's model off the list after the round was started."""


def directory_of(row: Round) -> Path:
    return Path(settings.RUNS_DIR) / str(row.uuid)


def directory_build(row: Round) -> Path:
    """Write the round's input files once. The config is written last: a directory that has one is complete."""
    path = directory_of(row)
    if (path / files.CONFIG).is_file():
        return path
    path.mkdir(parents=True, exist_ok=True)
    labels: dict[str, dict[str, str]] = dict(row.training_set)
    files.write_items(path / files.LABELED, labeled_items(row, labels))
    files.write_items(path / files.ISSUED, issued_items(row.project, labels))
    files.write_items(path / files.POOL, pool_items(row.project))
    if row.test_set is not None:
        files.write_items(path / files.EVALUATION, evaluation_items(row, row.test_set))
    if row.model != NO_MODEL:
        stopping_write(row, path)
    files.write_config(path / files.CONFIG, config_tables(row))
    return path


def labeled_items(row: Round, labels: Mapping[str, Mapping[str, str]]) -> Iterator[files.Item]:
    """Yield the training set. A single stage is one head without a name; several have a head each, named by key."""
    rows = row.project.items.filter(external_id__in=labels).order_by("external_id")
    for name, text in rows.values_list("external_id", "text"):
        if len(row.learning_stages) == 1:
            yield files.Item(name, text, labels[name][row.learning_stages[0]])
        else:
            yield files.Item(name, text, labels=labels[name])


def issued_items(project: Project, labels: Mapping[str, Any]) -> Iterator[files.Item]:
    """Yield items that were in a batch before and have no usable label: neither drawn again nor trained on."""
    issued = Item.objects.filter(project=project, batch_items__isnull=False).exclude(external_id__in=labels).distinct()
    for name, text in issued.order_by("pk").values_list("external_id", "text"):
        yield files.Item(name, text)


def pool_items(project: Project) -> Iterator[files.Item]:
    pool = project.items.filter(left_out="", batch_items__isnull=True).order_by("pk")
    for name, text in pool.values_list("external_id", "text").iterator(chunk_size=CHUNK):
        yield files.Item(name, text)


def evaluation_items(row: Round, test_set: TestSet) -> Iterator[files.Item]:
    """Yield the test items that the round's model knows the labels of and was not trained on."""
    for item in held_out_for(test_set, codebook_of(row.codebook)).items:
        if len(row.learning_stages) == 1:
            yield files.Item(item.id, item.text, item.label)
        else:
            yield files.Item(item.id, item.text, labels={test_set.stage: item.label})


def config_tables(row: Round) -> dict[str, files.Table | Sequence[files.Table]]:
    heads = [labels_of(row, stage) for stage in row.learning_stages]
    several = len(heads) > 1
    only = heads[0] if len(heads) == 1 else {}
    source = model_source(row)
    combine = {"combine": row.combine} if several and row.model != NO_MODEL else {}
    tables: dict[str, files.Table | Sequence[files.Table]] = {
        "round": {
            "number": row.number - 1,
            "query_size": row.query_size,
            "random_state": row.random_state,
            "random_share": row.random_share,
            "no_duplicate_texts": row.no_duplicate_texts,
        },
        "strategy": {"name": row.strategy_used, **row.options, **combine, **alternative_of(row)},
        "model": {"name": source, **only},
    }
    if row.learning_rate is not None:
        tables["training"] = {"learning_rate": row.learning_rate}
    elif source != row.model and (rate := learning_rate_for(row.model)):
        # The core knows a folder by its path alone, not by the name that has a rate.
        tables["training"] = {"learning_rate": rate.value}
    if several:
        tables["heads"] = [{"name": stage, **head} for stage, head in zip(row.learning_stages, heads, strict=True)]
    return tables


def alternative_of(row: Round) -> dict[str, str]:
    """Return the strategy that may replace an uninformative model, where the admin allowed one."""
    trains_model = STRATEGIES[row.strategy_used].needs_model
    return {"alternative": row.allowed_alternative} if trains_model and row.allowed_alternative else {}


def labels_of(row: Round, stage: str) -> dict[str, list[str] | str]:
    """Return the labels that the model learns at a stage, in the codebook's order, the positive ones, and the kind."""
    codebook = codebook_of(row.codebook)
    asked, labels = codebook.by_key[stage], list(stage_labels(codebook, stage))
    kind = {} if asked.learned_as in (None, ONE) else {"kind": str(asked.learned_as)}
    return {"labels": labels, "positive_labels": [key for key in labels if key in asked.positive_labels], **kind}


def model_source(row: Round) -> str:
    if row.model == NO_MODEL:
        return NO_MODEL
    offered = offered_model(row.model)
    if offered is None:
        raise ModelNotOffered(
            f"{row.model} is no longer on this server's list of models (QUORUM_MODELS): add it, or cancel."
        )
    return offered.source
