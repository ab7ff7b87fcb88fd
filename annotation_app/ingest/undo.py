"""Undo an import: take away all that it alone brought, while nobody was given any of it."""

from collections.abc import Sequence

from django.db import connection, transaction
from django.db.models import Count, Q
from django.utils import timezone

from annotation_app.ingest.checks import project_lock
from annotation_app.ingest.pool import choosing_reason, pool_lock
from annotation_app.models import BatchItem, Import, Prediction, Project, StoppingSet, User, event_write
from annotation_app.refusals import Refused

# In the order of the foreign keys. A document comes whole, in one import, and its utterances and items with it. A
# source document stays where an item of another import, or a span that somebody marked, refers to it.
REMOVE = {
    "marks": """
        DELETE FROM annotation_app_importedspans USING annotation_app_item i, annotation_app_document d
        WHERE item_id = i.id AND d.id = i.document_id AND d.source_id = %(source)s
    """,
    "links": """
        DELETE FROM annotation_app_itemsource USING annotation_app_item i, annotation_app_document d
        WHERE item_id = i.id AND d.id = i.document_id AND d.source_id = %(source)s
    """,
    "sources": """
        DELETE FROM annotation_app_sourcedocument s
        WHERE s.source_id = %(source)s
          AND NOT EXISTS (SELECT FROM annotation_app_itemsource WHERE source_document_id = s.id)
          AND NOT EXISTS (SELECT FROM annotation_app_span WHERE source_document_id = s.id)
          AND NOT EXISTS (SELECT FROM annotation_app_validatedspan WHERE source_document_id = s.id)
    """,
    "items": """
        DELETE FROM annotation_app_item i USING annotation_app_document d
        WHERE d.id = i.document_id AND d.source_id = %(source)s
    """,
    "utterances": """
        DELETE FROM annotation_app_utterance u USING annotation_app_document d
        WHERE d.id = u.document_id AND d.source_id = %(source)s
    """,
    "documents": "DELETE FROM annotation_app_document WHERE source_id = %(source)s",
}
INSTEAD = "Leave single items out of the pool instead."
NOT_DONE = {
    Import.State.QUEUED: "It is still waiting to be read.",
    Import.State.RUNNING: "It is still being read.",
    Import.State.FAILED: "It imported nothing, so there is nothing to undo.",
}


def undo_reasons(project: Project, imports: Sequence[Import]) -> dict[int, str]:
    """Return by import id why it cannot be undone, empty where it can. Four queries, however many imports."""
    given = dict(
        BatchItem.objects.filter(item__document__source__in=imports)
        .values_list("item__document__source")
        .annotate(n=Count("item", distinct=True))
    )
    choosing = choosing_reason(project)
    predicted = predicted_imports(project, imports)
    return {row.pk: reason_of(row, given.get(row.pk, 0), row.pk in predicted, choosing) for row in imports}


def predicted_imports(project: Project, imports: Sequence[Import]) -> set[int]:
    """Return the ids of imports with items that an evaluation has predicted, or drew from the pool to ask about."""
    drawn = project.evaluations.filter(spec__pool_items__0__isnull=False).values_list("spec__pool_items", flat=True)
    named = Q(external_id__in={name for names in drawn for name in names})
    predicted = Q(pk__in=Prediction.objects.filter(evaluation__project=project).values("item_id"))
    rows = project.items.filter(named | predicted, document__source__in=imports)
    return set(rows.values_list("document__source", flat=True).distinct())


def reason_of(row: Import, n_given: int, is_predicted: bool, choosing: str) -> str:
    if row.undone_at is not None:
        return "It has already been undone."
    if row.state != Import.State.DONE:
        return NOT_DONE[Import.State(row.state)]
    if n_given:
        items = "1 of its items was" if n_given == 1 else f"{n_given:,} of its items were"
        return f"{items} given to people in a batch. {INSTEAD}"
    if is_predicted:
        return f"Systems predict items of it in an evaluation. {INSTEAD}"
    return choosing


@transaction.atomic
def import_undo(*, imported: Import, actor: User) -> Import:
    """Remove the items, documents, context and sources that only this import brought; their ids are free again.

    A round that starts at the same moment waits, and reads the pool without them; one that has read it refuses the
    undo. Raises Refused; nothing is removed then.
    """
    project = imported.project
    pool_lock(project)
    # An import under way may be about to link its items to a source document of this one.
    project_lock(project.pk)
    imported = Import.objects.select_for_update(of=("self",)).select_related("project").get(pk=imported.pk)
    if reason := undo_reasons(project, [imported])[imported.pk]:
        raise Refused("import_kept", reason)
    stopping_set_shorten(imported)
    removed = {}
    with connection.cursor() as cursor:
        for what, statement in REMOVE.items():
            cursor.execute(statement, {"source": imported.pk})
            removed[what] = cursor.rowcount
    imported.undone_at, imported.undone_by = timezone.now(), actor
    imported.save(update_fields=["undone_at", "undone_by"])
    event_write(
        verb="import_undone",
        project=project,
        actor_id=actor.pk,
        subject=imported.uuid,
        items=removed["items"],
        documents=removed["documents"],
        sources=removed["sources"],
    )
    return imported


def stopping_set_shorten(imported: Import) -> None:
    """Take the import's items out of the stopping set; models are compared on the ids that both were asked about."""
    found = StoppingSet.objects.filter(project=imported.project_id).first()
    if found is None:
        return
    its = imported.project.items.filter(document__source=imported, pk__in=found.items)
    gone = set(its.values_list("pk", flat=True))
    if not gone:
        return
    found.items = [pk for pk in found.items if pk not in gone]
    if found.items:
        found.save(update_fields=["items"])
    else:
        found.delete()
