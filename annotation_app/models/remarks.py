"""Store flags with their threads, codebook notes, and which remarks are resolved. What people said is append-only."""

from django.db import models
from django.utils import timezone

from annotation_app.models.annotations import Annotation, Assignment
from annotation_app.models.base import PublicModel
from annotation_app.models.codebook import CodebookVersion
from annotation_app.models.people import Membership


class Flag(PublicModel):
    """Store an annotator's request that the admins look at an item. It says nothing about the item's labels.

    `client_id` names the sending, so that a retry flags nothing twice; none came from a client that makes no retries.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="flags")
    note = models.TextField(blank=True, default="")
    client_id = models.UUIDField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["assignment", "client_id"], name="flag_client_id_once")]


class CodebookNote(PublicModel):
    """Store what the admins tell everybody who labels, beside the codebook. A withdrawn note is kept, and not shown.

    It holds for batches of its codebook version and of later ones. `stage` is the key of a stage; empty for the whole.
    `flag` asked for it, which only admins and whoever flagged are told.
    """

    codebook = models.ForeignKey(CodebookVersion, on_delete=models.PROTECT, related_name="notes")
    stage = models.CharField(max_length=100, blank=True, default="")
    words = models.TextField()
    flag = models.ForeignKey(Flag, on_delete=models.PROTECT, null=True, related_name="notes")
    published_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    published_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True)
    client_id = models.UUIDField(null=True, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["published_by", "client_id"], name="codebook_note_once")]


class FlagMessage(PublicModel):
    """Store one message of the thread of a flag, by the person who flagged or by an admin. A note has its words too."""

    flag = models.ForeignKey(Flag, on_delete=models.PROTECT, related_name="messages")
    author = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    words = models.TextField()
    note = models.OneToOneField(CodebookNote, on_delete=models.PROTECT, null=True, related_name="message")
    client_id = models.UUIDField(null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["flag", "client_id"], name="flag_message_client_id_once")]


class FlagRead(models.Model):
    """Store how many messages of a thread a person has seen. An admin without a row has not seen the flag either."""

    flag = models.ForeignKey(Flag, on_delete=models.PROTECT, related_name="reads")
    reader = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    n_seen = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["flag", "reader"], name="flag_read_once")]


class Resolution(models.Model):
    """Store that a remark is dealt with, or is not after all. The newest counts. A reply opens a flag again.

    A remark is a flag, or the comment or skip reason of one revision. A changed comment is a new remark.
    """

    annotation = models.ForeignKey(Annotation, on_delete=models.PROTECT, null=True, related_name="resolutions")
    flag = models.ForeignKey(Flag, on_delete=models.PROTECT, null=True, related_name="resolutions")
    resolved = models.BooleanField()
    resolved_by = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(annotation__isnull=True) ^ models.Q(flag__isnull=True),
                name="resolution_is_of_one_remark",
            )
        ]
