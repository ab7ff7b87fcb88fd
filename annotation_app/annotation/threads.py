"""Store the messages of flags' threads, who has read them, and the notes that admins publish beside the codebook.

A thread is between the person who flagged an item and the admins. An admin takes part in no thread about an item whose
answer they can still change themselves: what is said there may tell how somebody else answered.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from annotation_app.annotation.remarks import REUSED, resolution_write
from annotation_app.assignment.services import member_lock
from annotation_app.models import (
    Assignment,
    Capability,
    CodebookNote,
    CodebookVersion,
    Flag,
    FlagMessage,
    FlagRead,
    Membership,
    event_write,
)
from annotation_app.refusals import Invalid, NotYours, Refused

MESSAGE_LENGTH = 5_000
CHANGEABLE = "SELECT EXISTS (SELECT FROM rules.changeable_answer WHERE item = %s AND annotator = %s)"


def thread_flag(membership: Membership, uuid: UUID) -> Flag:
    """Return a flag whose thread the person takes part in, locked against other messages. Raises NotYours."""
    flags = Flag.objects.filter(uuid=uuid, assignment__annotator__project=membership.project)
    flag = flags.select_related("assignment__batch_item__batch").first()
    if flag is None:
        raise NotYours
    # The flag itself never changes, so the application's role can't lock it.
    Assignment.objects.select_for_update(no_key=True).get(pk=flag.assignment_id)
    if flag.assignment.annotator_id == membership.pk:
        return flag
    with connection.cursor() as cursor:
        cursor.execute(CHANGEABLE, [flag.assignment.batch_item.item_id, membership.pk])
        if cursor.fetchone()[0] or not membership.may(Capability.MANAGE):
            raise NotYours
    return flag


@transaction.atomic
def message_write(*, membership: Membership, flag_uuid: UUID, words: str, client_id: UUID) -> FlagMessage:
    """Answer in a thread. The same `client_id` again writes nothing twice; a reply opens a resolved flag again.

    Raises NotYours, Invalid without words, and Refused where the `client_id` came with other words.
    """
    flag = thread_flag(membership, flag_uuid)
    words = words_given(words)
    before = FlagMessage.objects.filter(flag=flag, client_id=client_id).first()
    if before is not None:
        if before.words != words or before.author_id != membership.pk:
            raise Refused("client_id_reused", REUSED)
        return before
    message = FlagMessage.objects.create(flag=flag, author=membership, words=words, client_id=client_id)
    asked = flag.assignment.annotator_id == membership.pk
    if asked and flag.resolutions.order_by("-pk").values_list("resolved", flat=True).first():
        resolution_write(by=membership, flag=flag, resolved=False)
    event_write(
        verb="flag_replied" if asked else "flag_answered",
        project=membership.project,
        actor_id=membership.user_id,
        subject=flag.assignment.uuid,
    )
    return message


def words_given(words: str) -> str:
    if not words.strip():
        raise Invalid({"words": ["Write something first."]})
    return words.strip()


@transaction.atomic
def thread_read(*, membership: Membership, flag_uuid: UUID, n_seen: int) -> None:
    """Store that the person has seen the first `n_seen` messages of a thread. Raises NotYours."""
    flag = thread_flag(membership, flag_uuid)
    n_seen = min(n_seen, flag.messages.count())
    row, _ = FlagRead.objects.get_or_create(flag=flag, reader=membership)
    if n_seen > row.n_seen:
        row.n_seen = n_seen
        row.save(update_fields=["n_seen"])


@transaction.atomic
def note_publish(
    *,
    membership: Membership,
    words: str,
    stage: str,
    codebook_uuid: UUID | None = None,
    flag_uuid: UUID | None = None,
    client_id: UUID | None = None,
) -> CodebookNote:
    """Publish a note to everybody who labels, beside a codebook version: by default that of the flag, else the newest.

    A note that a flag asked for stands in its thread too. Nobody else is told who asked. The same `client_id` again
    publishes nothing twice. Raises NotYours, Refused where the `client_id` came with other words, and Invalid without
    words, without a published codebook, or for a stage that the version has not.
    """
    words = words_given(words)
    member_lock(membership)
    before = client_id and CodebookNote.objects.filter(published_by=membership, client_id=client_id).first()
    if before:
        if (before.words, before.stage) != (words, stage):
            raise Refused("client_id_reused", REUSED)
        return before
    flag = thread_flag(membership, flag_uuid) if flag_uuid else None
    codebook = note_codebook(membership, codebook_uuid, flag)
    stages = [each["key"] for each in codebook.definition.get("stages", [])]
    if stage and stage not in stages:
        raise Invalid({"stage": [f"Version {codebook.version} of the codebook has no stage “{stage}”."]})
    note = CodebookNote.objects.create(
        codebook=codebook, stage=stage, words=words, flag=flag, published_by=membership, client_id=client_id
    )
    if flag is not None:
        FlagMessage.objects.create(flag=flag, author=membership, words=words, note=note)
    event_write(
        verb="codebook_note_published",
        project=membership.project,
        actor_id=membership.user_id,
        subject=note.uuid,
        version=codebook.version,
        stage=stage,
    )
    return note


def note_codebook(membership: Membership, uuid: UUID | None, flag: Flag | None) -> CodebookVersion:
    published = CodebookVersion.objects.filter(
        project=membership.project, state=CodebookVersion.State.PUBLISHED
    ).order_by("-version")
    if uuid is None and flag is not None:
        return published.get(pk=flag.assignment.batch_item.batch.codebook_id)
    found = published.filter(uuid=uuid).first() if uuid else published.first()
    if found is None:
        raise Invalid({"codebook": ["Choose a published version of this project's codebook."]})
    return found


@transaction.atomic
def note_withdraw(*, membership: Membership, note_uuid: UUID) -> None:
    """Take a note away from those who label. It is kept with its dates. Doing it twice changes nothing.

    Raises NotYours.
    """
    notes = CodebookNote.objects.filter(uuid=note_uuid, codebook__project=membership.project)
    note = notes.select_related("codebook").select_for_update(of=("self",)).first()
    if note is None:
        raise NotYours
    if note.withdrawn_at is not None:
        return
    note.withdrawn_at = timezone.now()
    note.save(update_fields=["withdrawn_at"])
    event_write(
        verb="codebook_note_withdrawn",
        project=membership.project,
        actor_id=membership.user_id,
        subject=note.uuid,
        version=note.codebook.version,
        stage=note.stage,
    )


def codebook_notes(membership: Membership) -> Sequence[CodebookNote]:
    """Return the project's notes, newest first; withdrawn ones only to who manages the project."""
    notes = CodebookNote.objects.filter(codebook__project=membership.project)
    shown = Q() if membership.may(Capability.MANAGE) else Q(withdrawn_at__isnull=True)
    return list(notes.filter(shown).select_related("codebook", "published_by__user").order_by("-pk"))
