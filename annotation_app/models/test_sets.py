"""Store what models are measured on and never trained on: a project's held-out test set, and its stopping set."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.project import Project


class TestSet(PublicModel):
    """Store a file of labelled items of one stage.

    A test set that was replaced or removed is kept for the rounds that were measured on it.
    """

    # Keeps pytest from collecting the class because of its name.
    __test__ = False

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="test_sets")
    stage = models.CharField(max_length=64)
    file_name = models.CharField(max_length=200)
    # Where the storage has the file as it was sent, and its SHA-256.
    path = models.CharField(max_length=500)
    sha256 = models.CharField(max_length=64)
    n = models.PositiveIntegerField()
    class_counts = models.JSONField()
    notices = models.JSONField(default=list)
    attached_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    attached_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project"], condition=models.Q(removed_at__isnull=True), name="test_set_one_a_project"
            ),
        ]


class TestItem(models.Model):
    """Store one line of a test set, with its text exactly as it was sent."""

    __test__ = False

    test_set = models.ForeignKey(TestSet, on_delete=models.PROTECT, related_name="items")
    line = models.PositiveIntegerField()
    external_id = models.TextField()
    text = models.TextField()
    label = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["test_set", "external_id"], name="test_item_id_once")]


class StoppingSet(PublicModel):
    """Store pool items, drawn once, on which the predictions of successive models are compared.

    An item stays in the set when it is issued later.
    """

    project = models.OneToOneField(Project, on_delete=models.PROTECT, related_name="stopping_set")
    # Item ids, in the order of the draw.
    items = ArrayField(models.BigIntegerField())
    pool_size = models.PositiveIntegerField()
    drawn_at = models.DateTimeField(default=timezone.now)
