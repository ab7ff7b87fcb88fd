"""Keep the draft of a codebook that a project's admins write together, with every pause in their typing."""

from django.db import transaction
from django.utils import timezone

from annotation_app.models import CodebookDraft, Project, User, event_write
from annotation_app.refusals import Refused

# Characters: guidelines and help of every label are in it.
MOST_DRAFT = 1_000_000


def draft_of(project: Project) -> CodebookDraft:
    """Return the project's draft; one without a text, which is not stored, where nobody has written one yet."""
    drafts = CodebookDraft.objects.select_related("changed_by")
    return drafts.filter(project=project).first() or CodebookDraft(project=project)


@transaction.atomic
def draft_put(*, project: Project, text: str | None, base_revision: int, actor: User, base: str = "") -> CodebookDraft:
    """Store the text that was written from `base_revision`; None discards it. A retry changes nothing.

    Raises Refused with `stale` where somebody changed it meanwhile: the sender keeps one text, the server the other.
    """
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    draft = draft_of(project)
    if draft.text == text:
        return draft
    if draft.revision != base_revision:
        who = draft.changed_by.shown_name if draft.changed_by else "Somebody"
        raise Refused("stale", f"{who} changed the draft meanwhile, so your text was not stored over it.")
    if draft.text is None or text is None:
        draft.base = base
        event_write(
            verb="codebook_draft_discarded" if text is None else "codebook_draft_begun",
            project=project,
            actor_id=actor.pk,
            subject=project.uuid,
        )
    return draft_store(draft, text, actor)


@transaction.atomic
def draft_done(*, project: Project, revision: int | None, actor: User) -> None:
    """End the draft whose text was saved as a version. One that was changed after `revision` goes on."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    draft = draft_of(project)
    if draft.text is not None and draft.revision == revision:
        draft_store(draft, None, actor)


def draft_store(draft: CodebookDraft, text: str | None, actor: User) -> CodebookDraft:
    draft.text, draft.changed_by, draft.changed_at = text, actor, timezone.now()
    draft.revision += 1
    draft.save()
    return draft
