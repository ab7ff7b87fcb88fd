"""Store flags, which ask admins to look at items, and which remarks are resolved. Both are append-only."""

from django.db import models
from django.utils import timezone

from annotation_app.models.annotations import Annotation, Assignment
from annotation_app.models.base import PublicModel
from annotation_app.models.people import Membership


class Flag(PublicModel):
    """Store an annotator's request that the admins look at an item. It says nothing about the item's labels."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="flags")
    note = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)


class Resolution(models.Model):
    """Store an admin's statement that a remark is dealt with, or is not after all. The newest counts.

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
