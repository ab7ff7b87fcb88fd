"""Store what agreement is computed from: identical answers counted once.

Triggers fill the recount queue (`db/functions/recount.sql`).
"""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from annotation_app.models.project import Project
from annotation_app.models.rounds import Batch


class AnswerPattern(models.Model):
    """Store a rating pattern: at a stage, people with these numbers gave these labels to `n` items of a batch.

    The arrays `raters` and `labels` have one entry a person, in rising order of the numbers. `majorities` is {stage:
    label} of the same items over all stages, as text. It decides whether the stage is open for the aggregated labels.
    `key` is a hash of the other fields. A pattern without items is kept, with 0. `n_applied` of its items are in the
    label combinations. That is all of them, once the transaction that changes `n` has ended.
    """

    key = models.UUIDField(primary_key=True)
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="+")
    stage = models.CharField(max_length=64)
    raters = ArrayField(models.IntegerField())
    labels = ArrayField(models.TextField())
    majorities = models.TextField()
    n = models.BigIntegerField()
    n_applied = models.BigIntegerField(db_default=0)

    class Meta:
        indexes = [
            models.Index(
                fields=["batch"], condition=~models.Q(n=models.F("n_applied")), name="answer_pattern_unapplied"
            )
        ]


class LabelCombination(models.Model):
    """Store a label combination: at a stage, the people compared gave these labels to `n` items of a batch.

    The numbers `a` and `b` say who is compared:

    - two people, with a label of each;
    - one person alone, with theirs, where `b` is 0;
    - everyone who answered, with all their labels, sorted, where both are 0.

    `n_settled` of the items have an aggregated label there, and `n_circular` of those have no more answers than a
    majority takes. Combinations are sums over `AnswerPattern`. With many answers an item, hardly two items share a
    pattern, and yet few combinations are distinct. `key` is a hash of the other fields. A combination without items is
    kept, with 0.
    """

    key = models.UUIDField(primary_key=True)
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="+")
    stage = models.CharField(max_length=64)
    a = models.IntegerField()
    b = models.IntegerField()
    labels = ArrayField(models.TextField())
    n = models.BigIntegerField()
    n_settled = models.BigIntegerField()
    n_circular = models.BigIntegerField(db_default=0)


class CountedItem(models.Model):
    """Store the patterns in which an item of a batch was counted, one for each stage."""

    batch_item = models.BigIntegerField(primary_key=True)
    patterns = ArrayField(models.UUIDField())


class RecountQueue(models.Model):
    """Queue an item of a batch for a recount, since its answers have changed. A second entry does no harm."""

    batch_item = models.BigIntegerField(db_index=True)
    batch = models.BigIntegerField()


class AgreementState(models.Model):
    """Count how often the counts of a project have changed."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, primary_key=True, related_name="+")
    version = models.BigIntegerField()


class AgreementCache(models.Model):
    """Cache the table of one view of a project.

    `made_of` is a hash of the counts' version, the statement and its parameters.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    view = models.CharField(max_length=64)
    made_of = models.CharField(max_length=64)
    rows = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "view"], name="agreement_cache_once")]
