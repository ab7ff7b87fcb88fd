"""Create and change evaluations of equivalence classes; each change is a revision that is never changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from al_worker.equivalence.evaluations import same_category
from annotation_app.annotation.revisions import Stale
from annotation_app.equivalence.categories import Category, categories_of, category_named
from annotation_app.equivalence.content import NOT_SAVED, Content, content_check
from annotation_app.equivalence.selectors import evaluations_in_use, latest_revisions
from annotation_app.models import (
    EquivalenceEvaluation,
    EquivalenceReview,
    EquivalenceRevision,
    Project,
    User,
    event_write,
)
from annotation_app.projects.writable import writable_lock
from annotation_app.refusals import Invalid, NotYours, Refused

STALE = "Somebody changed this evaluation after this page was loaded."
REUSED = "This client_id was already used for another change. Send a new one."
REMOVED = "This evaluation was removed. Put it back first."
REMOVED_SINCE = "The evaluation was created by this request, and removed since. Put it back, or start with a new form."
CREATED = "Created the evaluation"
ACTION_LENGTH = 200


@transaction.atomic
def evaluation_create(
    *, project: Project, actor: User, category: str, name: str, part: str, in_depth: bool, client_id: UUID
) -> EquivalenceEvaluation:
    """Create an evaluation without classes, or return the one that the same client_id created before.

    Raises Invalid, and Refused where that one was removed since.
    """
    project = writable_lock(project.pk)
    found = next((each for each in categories_of(project) if each.key == category), None)
    if found is None:
        names = ", ".join(each.key for each in categories_of(project)) or "none"
        raise Invalid({"category": [f"Choose a category of the codebook; it has {names}."]}, NOT_SAVED)
    content = Content(found.written, name.strip(), part, in_depth)
    earlier = EquivalenceRevision.objects.filter(
        evaluation__project=project, number=1, client_id=client_id
    ).select_related("evaluation")
    for row in earlier:
        if Content.read(row.content) != content:
            raise Refused("client_id_reused", REUSED)
        if row.evaluation.removed_at is not None:
            raise Refused("removed", REMOVED_SINCE)
        return row.evaluation
    content_check(content)
    return evaluation_write(project, actor, content, CREATED, client_id)


def evaluation_write(
    project: Project, actor: User, content: Content, action: str, client_id: UUID
) -> EquivalenceEvaluation:
    """Write a new evaluation behind the others. The caller holds the project, and has checked the content."""
    name_check(project, content)
    last = project.equivalence_evaluations.aggregate(last=Max("position"))["last"]
    row = EquivalenceEvaluation.objects.create(
        project=project, position=0 if last is None else last + 1, created_by=actor
    )
    revision_add(row, actor, content, action=action, client_id=client_id, undo_to=None)
    event_write(verb="equivalence_created", **about(row, actor), name=content.name)
    return row


@transaction.atomic
def evaluation_save(
    *, row: EquivalenceEvaluation, actor: User, content: Content, action: str, base_revision: int, client_id: UUID
) -> EquivalenceEvaluation:
    """Store the whole content as the next revision. `content.annotation` is ignored: the category stays.

    Raises Invalid, Stale and Refused.
    """

    def changed(row: EquivalenceEvaluation, latest: EquivalenceRevision) -> dict[str, Any]:
        before = Content.read(latest.content)
        after = replace(content, annotation=before.annotation, name=content.name.strip())
        content_check(after, before)
        return {"content": after, "action": action.strip() or "Changed it", "undo_to": latest.number}

    return _revise(row, actor, base_revision, client_id, changed)


@transaction.atomic
def evaluation_undo(
    *, row: EquivalenceEvaluation, actor: User, base_revision: int, client_id: UUID
) -> EquivalenceEvaluation:
    """Store again what stood before the latest change that was not undone. Raises Stale and Refused."""

    def changed(row: EquivalenceEvaluation, latest: EquivalenceRevision) -> dict[str, Any]:
        if latest.undo_to is None:
            raise Refused("nothing_to_undo", "There is nothing to undo in this evaluation.")
        before = row.revisions.get(number=latest.undo_to)
        action = f"Undid: {latest.action}"
        return {"content": Content.read(before.content), "action": action, "undo_to": before.undo_to}

    return _revise(row, actor, base_revision, client_id, changed)


@transaction.atomic
def evaluation_restore(
    *, row: EquivalenceEvaluation, actor: User, base_revision: int, client_id: UUID, revision: int
) -> EquivalenceEvaluation:
    """Store again what stood in an earlier revision; this can be undone. Raises Invalid, Stale and Refused."""

    def changed(row: EquivalenceEvaluation, latest: EquivalenceRevision) -> dict[str, Any]:
        old = row.revisions.filter(number=revision).first()
        if old is None:
            raise Invalid({"revision": [f"There is no revision {revision}; the latest is {latest.number}."]}, NOT_SAVED)
        action = f"Went back to revision {revision}"
        return {"content": Content.read(old.content), "action": action, "undo_to": latest.number}

    return _revise(row, actor, base_revision, client_id, changed)


def _revise(
    row: EquivalenceEvaluation,
    actor: User,
    base_revision: int,
    client_id: UUID,
    changed: Callable[[EquivalenceEvaluation, EquivalenceRevision], dict[str, Any]],
) -> EquivalenceEvaluation:
    """Add the revision that `changed` makes of the latest one, unless the same client_id added one before.

    A retry is known by its client_id, its base, and what it makes of that. Another one would be lost, and is refused.
    """
    row = locked(row)
    earlier = row.revisions.filter(client_id=client_id).first()
    if earlier is not None:
        base = row.revisions.filter(number=base_revision).first()
        if base is None or earlier.number != base_revision + 1 or not _is_made(earlier, changed(row, base)):
            raise Refused("client_id_reused", REUSED)
        return row
    if row.removed_at is not None:
        raise Refused("removed", REMOVED)
    latest = row.revisions.get(number=row.revision)
    if base_revision != row.revision:
        raise Stale(STALE, latest)
    made = changed(row, latest)
    if made["content"].name != Content.read(latest.content).name:
        name_check(row.project, made["content"], but=row)
    revision_add(row, actor, client_id=client_id, **made)
    event_write(verb="equivalence_changed", **about(row, actor), name=made["content"].name, revision=row.revision)
    return row


def _is_made(revision: EquivalenceRevision, made: Mapping[str, Any]) -> bool:
    """Tell whether a revision is the one that a change makes."""
    says = made["content"].stored(), made["action"][:ACTION_LENGTH], made["undo_to"]
    return says == (revision.content, revision.action, revision.undo_to)


def revision_add(
    row: EquivalenceEvaluation, actor: User, content: Content, *, action: str, client_id: UUID, undo_to: int | None
) -> EquivalenceRevision:
    """Add the next revision. The caller holds the project."""
    row.revision += 1
    row.save(update_fields=["revision"])
    return EquivalenceRevision.objects.create(
        evaluation=row,
        number=row.revision,
        client_id=client_id,
        content=content.stored(),
        action=action[:ACTION_LENGTH],
        undo_to=undo_to,
        made_by=actor,
    )


@transaction.atomic
def evaluation_remove(*, row: EquivalenceEvaluation, actor: User) -> EquivalenceEvaluation:
    """Remove an evaluation from the list. It is kept, and can be put back. Raises Refused."""
    row = locked(row)
    if row.removed_at is None:
        row.removed_at = timezone.now()
        row.save(update_fields=["removed_at"])
        event_write(verb="equivalence_removed", **about(row, actor), name=content_of(row).name)
    return row


@transaction.atomic
def evaluation_put_back(*, row: EquivalenceEvaluation, actor: User) -> EquivalenceEvaluation:
    """Put a removed evaluation back. Raises Invalid where another one has its name by now, and Refused."""
    row = locked(row)
    if row.removed_at is not None:
        name_check(row.project, content_of(row), but=row)
        row.removed_at = None
        row.save(update_fields=["removed_at"])
        event_write(verb="equivalence_put_back", **about(row, actor), name=content_of(row).name)
    return row


@transaction.atomic
def class_review(
    *,
    row: EquivalenceEvaluation,
    actor: User,
    class_key: UUID,
    decision: str,
    note: str,
    revision: int,
    client_id: UUID,
) -> EquivalenceEvaluation:
    """Store that a class was validated or returned as it stood in `revision`, or that this is taken back.

    Raises Invalid, Stale where the class has changed since, and Refused.
    """
    row = locked(row)
    if (stored := row.reviews.filter(client_id=client_id).first()) is not None:
        before = (stored.class_key, stored.decision, stored.note, stored.revision)
        if before != (class_key, decision, note.strip(), revision):
            raise Refused("client_id_reused", REUSED)
        return row
    if row.removed_at is not None:
        raise Refused("removed", REMOVED)
    if decision == EquivalenceReview.Decision.RETURNED and not note.strip():
        raise Invalid({"note": ["Say what is to be changed."]}, "The review was not saved.")
    latest = row.revisions.get(number=row.revision)
    seen = row.revisions.filter(number=revision).first()
    classes = [
        next((each for each in Content.read(each_revision.content).classes if each.key == str(class_key)), None)
        for each_revision in (seen, latest)
        if each_revision is not None
    ]
    if len(classes) < 2 or classes[0] is None:
        raise Invalid({"class_key": [f"Revision {revision} has no such class."]}, "The review was not saved.")
    if classes[1] is None or classes[0].says != classes[1].says:
        raise Stale("Somebody changed this class after this page was loaded. Look at it again.", latest)
    EquivalenceReview.objects.create(
        evaluation=row,
        class_key=class_key,
        revision=revision,
        client_id=client_id,
        decision=decision,
        note=note.strip(),
        made_by=actor,
    )
    event_write(verb="equivalence_reviewed", **about(row, actor), name=content_of(row).name, decision=decision)
    return row


def locked(row: EquivalenceEvaluation) -> EquivalenceEvaluation:
    """Hold the project, and return the evaluation as it is now. Raises ProjectArchived."""
    project = writable_lock(row.project_id)
    found = EquivalenceEvaluation.objects.filter(pk=row.pk).first()
    if found is None:
        raise NotYours
    found.project = project
    return found


def content_of(row: EquivalenceEvaluation) -> Content:
    return Content.read(row.revisions.get(number=row.revision).content)


def name_check(project: Project, content: Content, but: EquivalenceEvaluation | None = None) -> None:
    """Raise Invalid where another evaluation of the category, which is not removed, has the name already."""
    categories = categories_of(project)
    others = evaluations_in_use(project)
    if but is not None:
        others = others.exclude(pk=but.pk)
    taken = (name_key(Content.read(latest.content), categories) for latest in latest_revisions(others).values())
    if name_key(content, categories) in taken:
        message = f"The category has an evaluation “{content.name}” already: choose another name."
        raise Invalid({"name": [message]}, NOT_SAVED)


def name_key(content: Content, categories: Sequence[Category]) -> tuple[str, str]:
    """Return what no two evaluations have both: the category, by whichever of its names, and the evaluation's name."""
    category = category_named(content.annotation, categories)
    return category.key if category else f"unknown {same_category(content.annotation)}", content.name


def about(row: EquivalenceEvaluation, actor: User) -> dict[str, Any]:
    """Return what every line of the log about an evaluation has."""
    return {"project": row.project, "actor_id": actor.pk, "subject": row.uuid}
