"""Store what agreement is computed from: identical answers counted once. Triggers fill the recount queue."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from annotation_app.models.project import Project
from annotation_app.models.rounds import Batch


class AnswerPattern(models.Model):
    """Store a rating pattern:

    `n` items of a batch where, at a stage, people with these numbers gave these labels. The two arrays stand side by
    side, numbers rising. `majorities` is {stage: label} of the same items over all stages, as text: it decides whether
    the stage is open for the aggregated labels. `key` is a hash of the rest. A pattern without items stays, with 0.
    `n_bagged` of its items are in the label combinations: all of them, once the transaction that changes `n` has ended.
    """

    key = models.UUIDField(primary_key=True)
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="+")
    stage = models.CharField(max_length=64)
    raters = ArrayField(models.IntegerField())
    labels = ArrayField(models.CharField(max_length=64))
    majorities = models.TextField()
    n = models.BigIntegerField()
    n_bagged = models.BigIntegerField(db_default=0)

    class Meta:
        indexes = [
            models.Index(fields=["batch"], condition=~models.Q(n=models.F("n_bagged")), name="answer_pattern_unbagged")
        ]


class AnswerBag(models.Model):
    """Store a label combination:

    `n` items of a batch with these labels of the people under view, at a stage. `n_settled` of them have an aggregated
    label there, and `n_circular` of those no more answers than a majority takes. Numbers `a` and `b` say who is under
    view: two people, with a label of each; one alone (`b` is 0), with theirs; or everyone who answered (both 0), with
    all their labels, sorted. Combinations are sums over `AnswerPattern`. With many answers an item hardly two items
    share a pattern, and yet few combinations are distinct. `key` is a hash of the rest. A combination without items
    stays, with 0.
    """

    key = models.UUIDField(primary_key=True)
    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="+")
    stage = models.CharField(max_length=64)
    a = models.IntegerField()
    b = models.IntegerField()
    labels = ArrayField(models.CharField(max_length=64))
    n = models.BigIntegerField()
    n_settled = models.BigIntegerField()
    n_circular = models.BigIntegerField(db_default=0)


class FoldedItem(models.Model):
    """Store the patterns in which an item of a batch was counted, one a stage."""

    batch_item = models.BigIntegerField(primary_key=True)
    patterns = ArrayField(models.UUIDField())


class FoldQueue(models.Model):
    """Queue an item of a batch whose answers have changed since it was counted. Two entries do no harm."""

    batch_item = models.BigIntegerField(db_index=True)
    batch = models.BigIntegerField()


class AgreementState(models.Model):
    """Count how often the counts of a project have changed."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, primary_key=True, related_name="+")
    version = models.BigIntegerField()


class AgreementCache(models.Model):
    """Cache the table of one view of a project, with a hash of the counts' version, statement and parameters."""

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+")
    view = models.CharField(max_length=64)
    made_of = models.CharField(max_length=64)
    rows = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "view"], name="agreement_cache_once")]
