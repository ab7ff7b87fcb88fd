"""What people remark on items for the admins: flags, and which remarks are resolved. Append-only."""

from django.db import models
from django.utils import timezone

from annotation_app.models.annotations import Annotation, Assignment
from annotation_app.models.base import PublicModel
from annotation_app.models.people import Membership


class Flag(PublicModel):
    """An annotator's sign to the admins that an item needs to be looked at. It says nothing about its labels."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="flags")
    note = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(default=timezone.now)


class Resolution(models.Model):
    """An admin's word that a remark is dealt with, or is not after all; the newest counts.

    A remark is a flag, or the comment or skip reason of one revision: a comment that is changed is a new remark.
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
