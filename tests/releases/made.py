"""Releases for tests, made through the product's own path, and what is in them."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from django.core.files.storage import default_storage

from annotation_app.models import Assignment, Batch, BatchItem, CodebookVersion, Membership, Project, Release, Round
from annotation_app.releases.services import release_here
from tests.agreement.tables import Said, answer, in_pool, revise
from tests.conftest import People
from tests.export.rows import Labelled
from tests.factories import publish
from tests.spans import category

# Another version: a further label, a further stage, and a span layer.
MORE = {
    "name": "More",
    "stages": [
        {
            "key": "opinion",
            "title": "Opinion",
            "prompt": "Is it an opinion?",
            "labels": [{"key": key, "name": key.title()} for key in ("yes", "no", "unsure")],
        },
        {
            "key": "tone",
            "title": "Tone",
            "prompt": "What is its tone?",
            "labels": [{"key": key, "name": key.title()} for key in ("warm", "cold")],
        },
    ],
    "learning": {"stage": "opinion"},
    "span_layer": {"categories": [category("act"), category("actor")]},
}


def made(project: Project, **given: Any) -> Release:
    release = release_here(project=project, **given)
    assert release.state == Release.State.DONE, release.failure
    return release


def unpacked(release: Release, into: Path) -> Path:
    with default_storage.open(release.path) as file, ZipFile(file) as packed:
        packed.extractall(into)
    (root,) = into.iterdir()
    return root


def files_of(release: Release) -> dict[str, bytes]:
    """By path, the root folder left away."""
    with default_storage.open(release.path) as file, ZipFile(file) as packed:
        return {name.split("/", 1)[1]: packed.read(name) for name in packed.namelist()}


def lines_of(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def second_version(people: People) -> CodebookVersion:
    return publish(people.project, MORE)


def fill_second(people: People, texts: dict[str, str], said: Said, codebook: CodebookVersion) -> Batch:
    """A second round's batch under the newer version: items with scores, answered by one annotator."""
    batch = Batch.objects.create(project=people.project, number=2, codebook=codebook, annotators_per_item=1)
    items = in_pool(people.project, list(texts), "second")
    for item in items:
        item.text = texts[item.external_id]
        item.save(update_fields=["text"])
    places = BatchItem.objects.bulk_create(
        BatchItem(batch=batch, item=item, rank=rank, score=1 / (rank + 2)) for rank, item in enumerate(items, start=1)
    )
    answer(batch, [(place, people.annotators[0], said) for place in places])
    return batch


def round_of(project: Project, admin: Membership, batch: Batch, record: dict[str, Any]) -> Round:
    row = Round.objects.create(
        project=project,
        number=batch.number,
        state=Round.State.ANNOTATING,
        strategy_asked="random",
        query_size=4,
        random_state=1,
        model="none",
        learning_stages=["opinion"],
        annotators_per_item=3,
        codebook=batch.codebook,
        created_by=admin.user,
        record=record,
    )
    batch.round = row
    batch.save()
    return row


def late_answers(data: Labelled, people: People) -> None:
    """Two people submit the item that was open."""
    open_ones = Assignment.objects.filter(batch_item__item=data.items[3], annotator__in=people.annotators[:2])
    revise(data.batch, [(row, {"opinion": "no"}) for row in open_ones], revision=1)
    open_ones.update(state=Assignment.State.SUBMITTED)
