"""Keep a project's held-out test set, on which every later model of its stage is measured and never trained."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.files.storage import default_storage
from django.core.files.uploadedfile import UploadedFile
from django.db import connection, transaction
from django.utils import timezone

from al_worker.formats.heads import SEVERAL
from annotation_app.codebook.definition import codebook_of
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.stages import Codebook
from annotation_app.models import Project, TestItem, TestSet, User, event_write
from annotation_app.projects.services import published_codebook
from annotation_app.refusals import Invalid
from annotation_app.rounds.held_out_file import HeldOutFileInvalid, HeldOutLine, held_out_read
from annotation_app.rounds.training_set import stage_labels

MAX_BYTES = 64 * 1024**2
ROWS_AT_ONCE = 5_000

# The same text or the same id as an item that people may be handed or were handed. Two joins, since one on either
# would compare every pair.
LEAKED = """
SELECT t.line, t.external_id FROM annotation_app_testitem t
JOIN annotation_app_item i ON i.text = t.text
WHERE t.test_set_id = %(test_set)s AND i.project_id = %(project)s
    AND (i.left_out = '' OR EXISTS (SELECT FROM annotation_app_batchitem b WHERE b.item_id = i.id))
UNION
SELECT t.line, t.external_id FROM annotation_app_testitem t
JOIN annotation_app_item i ON i.external_id = t.external_id
WHERE t.test_set_id = %(test_set)s AND i.project_id = %(project)s
    AND (i.left_out = '' OR EXISTS (SELECT FROM annotation_app_batchitem b WHERE b.item_id = i.id))
ORDER BY 1
"""


@dataclass(frozen=True)
class LearnableStage:
    """Hold a stage that a model can learn, with the labels that it learns."""

    key: str
    title: str
    labels: list[str]
    kind: str


def learnable_stages(project: Project) -> list[LearnableStage]:
    """Return the stages of the published codebook with two labels or more to tell apart."""
    version = published_codebook(project)
    if version is None:
        return []
    codebook = codebook_of(version)
    stages = [
        LearnableStage(stage.key, stage.title, list(stage_labels(codebook, stage.key)), str(stage.learned_as))
        for stage in codebook.learned_stages
    ]
    return [stage for stage in stages if len(stage.labels) > 1]


def held_out_of(project: Project) -> TestSet | None:
    """Return the test set that is attached now."""
    return project.test_sets.filter(removed_at__isnull=True).first()


def held_out_attach(*, project: Project, stage: str, upload: UploadedFile, actor: User) -> TestSet:
    """Keep the file exactly and its items as rows, in place of the one before. Raises Invalid."""
    asked, items = items_read(project, stage, upload)
    upload.seek(0)
    digest = hashlib.file_digest(upload, "sha256").hexdigest()
    with transaction.atomic():
        # Two admins at once: the second waits here and replaces the first one's.
        Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        live_remove(project)
        row = TestSet.objects.create(
            project=project,
            stage=stage,
            file_name=(upload.name or "upload")[-200:],
            sha256=digest,
            n=len(items),
            class_counts=dict(Counter(label for item in items for label in asked.labels_of(item.label))),
            notices=notices_of(items, asked),
            attached_by=actor,
        )
        items_store(row, items)
        leaks_refuse(row)
        upload.seek(0)
        row.path = default_storage.save(f"test-sets/{row.uuid}", upload)
        row.save(update_fields=["path"])
        event_write(
            verb="test_set_attached", project=project, actor_id=actor.pk, subject=row.uuid, stage=stage, sha256=digest
        )
    return row


def items_read(project: Project, stage: str, upload: UploadedFile) -> tuple[Stage, list[HeldOutLine]]:
    learnable = learnable_stages(project)
    if not learnable:
        raise Invalid({"stage": ["The codebook has no stage that a model can learn: there is nothing to test."]})
    found = next((each for each in learnable if each.key == stage), None)
    version = published_codebook(project)
    if found is None or version is None:
        raise Invalid({"stage": [f"{stage!r} is not a stage that a model can learn: choose another."]})
    if (upload.size or 0) > MAX_BYTES:
        raise Invalid({"file": [f"Larger than {MAX_BYTES // 1024**2} MiB: draw a sample of its items."]})
    codebook = codebook_of(version)
    asked, excluded = codebook.by_key[stage], codebook.never_learned
    try:
        return asked, held_out_read(upload, stage=asked, labels=found.labels, excluded=excluded)  # type: ignore[arg-type]
    except HeldOutFileInvalid as error:
        raise Invalid({"file": error.messages}) from error


def notices_of(items: Sequence[HeldOutLine], asked: Stage) -> list[str]:
    """Return what an admin should know of a test set that is accepted."""
    notices = []
    texts = Counter(item.text for item in items)
    repeated = sum(count for count in texts.values() if count > 1)
    if repeated:
        notices.append(f"{repeated} items share their text with another one of the set: each is counted.")
    labels = {item.label for item in items}
    if len(labels) == 1:
        only = asked.name_of(labels.pop()) if asked.learned_as == SEVERAL else labels.pop()
        notices.append(f'Every item is labelled "{only}": the figures say nothing of the other labels.')
    return notices


def items_store(row: TestSet, items: Sequence[HeldOutLine]) -> None:
    TestItem.objects.bulk_create(
        (
            TestItem(test_set=row, line=item.number, external_id=item.id, text=item.text, label=item.label)
            for item in items
        ),
        batch_size=ROWS_AT_ONCE,
    )


def leaks_refuse(row: TestSet) -> None:
    """Refuse items that people may label: their labels would teach the model the test set."""
    leaked = leaked_items(row)
    if leaked:
        shown = ", ".join(f"{name} (line {line})" for line, name in leaked[:5])
        more = f" and {len(leaked) - 5} more" if len(leaked) > 5 else ""
        message = (
            f"{len(leaked)} of {row.n} items stand in the project's pool or were handed out, by their id or their text:"
            f" {shown}{more}. The model may learn them: take these lines out of the file."
        )
        raise Invalid({"file": [message]})


def leaked_items(row: TestSet) -> list[tuple[int, str]]:
    """Return (line, id) of items that people have been given, or may be."""
    with connection.cursor() as cursor:
        cursor.execute(LEAKED, {"test_set": row.pk, "project": row.project_id})
        return cursor.fetchall()


@transaction.atomic
def held_out_remove(*, project: Project, actor: User) -> bool:
    """End its use by later rounds; past ones keep what they were measured on. False where there is none."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    removed = live_remove(project)
    if removed is None:
        return False
    event_write(verb="test_set_removed", project=project, actor_id=actor.pk, subject=removed.uuid)
    return True


def live_remove(project: Project) -> TestSet | None:
    row = held_out_of(project)
    if row is not None:
        row.removed_at = timezone.now()
        row.save(update_fields=["removed_at"])
    return row


@dataclass(frozen=True)
class HeldOut:
    """Hold what a round is measured on: items of its test set whose label its model knows and was not trained on."""

    items: list[HeldOutLine]
    notices: list[str]


def held_out_for(test_set: TestSet, codebook: Codebook) -> HeldOut:
    """Return the items whose labels a model of the codebook learns; what was imported or changed since counts."""
    asked, labels = codebook.by_key[test_set.stage], stage_labels(codebook, test_set.stage)
    rows = test_set.items.order_by("line").values_list("line", "external_id", "text", "label")
    leaked = {name for _, name in leaked_items(test_set)}
    known = [HeldOutLine(*row) for row in rows if all(label in labels for label in asked.labels_of(row[3]))]
    notices = []
    if len(known) < test_set.n:
        notices.append(f"{test_set.n - len(known)} of {test_set.n} test items have a label that the codebook lost.")
    items = [item for item in known if item.id not in leaked]
    if len(items) < len(known):
        notices.append(
            f"{len(known) - len(items)} of {test_set.n} test items stand in the pool by now: they are not measured on."
        )
    return HeldOut(items, notices)


def held_out_for_round(
    project: Project, *, stages: Sequence[str], codebook: Codebook
) -> tuple[TestSet | None, list[str]]:
    """Return the attached test set if the round learns its stage, and the notices for the round."""
    test_set = held_out_of(project)
    if test_set is None or test_set.stage not in stages:
        return None, []
    held_out = held_out_for(test_set, codebook)
    return (test_set if held_out.items else None), held_out.notices
