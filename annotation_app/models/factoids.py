"""Store factoid analysis (Teufel and van Halteren 2004): text sets, phases, factoid lists, pairings and relations."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from annotation_app.models.base import PublicModel
from annotation_app.models.people import Membership
from annotation_app.models.project import Project


class TextSet(PublicModel):
    """Store a set of texts about one source, which people break into factoids."""

    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="text_sets")
    name = models.CharField(max_length=200)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="text_set_name_once")]


class SetText(PublicModel):
    """Store one text of a set. A system's text is scored, and has no vote in weights."""

    text_set = models.ForeignKey(TextSet, on_delete=models.PROTECT, related_name="texts")
    external_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    is_system = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["text_set", "external_id"], name="set_text_id_once"),
            models.UniqueConstraint(fields=["text_set", "position"], name="set_text_position_once"),
        ]


class SetSentence(models.Model):
    """Store one sentence of a text. Its id is unique in the set."""

    text_set = models.ForeignKey(TextSet, on_delete=models.PROTECT, related_name="sentences")
    set_text = models.ForeignKey(SetText, on_delete=models.PROTECT, related_name="sentences")
    external_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    text = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["text_set", "external_id"], name="set_sentence_id_once"),
            models.UniqueConstraint(fields=["set_text", "position"], name="set_sentence_position_once"),
        ]


class FactoidPhase(PublicModel):
    """Store a phase of work on a text set. Once it is closed, its lists never change.

    In the independent phase everyone makes their own list (definition), or marks a given one (annotation). In the
    second look everyone confirms or corrects their own items that differ from the others'. In the consensus phase one
    list is brought to one answer for each item.
    """

    class Kind(models.TextChoices):
        DEFINITION = "definition"
        ANNOTATION = "annotation"

    class Step(models.TextChoices):
        INDEPENDENT = "independent"
        SECOND_LOOK = "second_look"
        CONSENSUS = "consensus"

    text_set = models.ForeignKey(TextSet, on_delete=models.PROTECT, related_name="phases")
    # Counts from 1 within the set.
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20, choices=Kind.choices)
    step = models.CharField(max_length=20, choices=Step.choices)
    # The closed phase whose lists this one starts from.
    follows = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="followed_by")
    # The published list that people mark in an annotation.
    given = models.ForeignKey("FactoidList", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    opened_at = models.DateTimeField(default=timezone.now)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["text_set", "number"], name="factoid_phase_number_once"),
            models.CheckConstraint(
                condition=Q(step="independent", follows__isnull=True)
                | ~Q(step="independent") & Q(follows__isnull=False),
                name="factoid_phase_follows_unless_independent",
            ),
            models.CheckConstraint(
                condition=Q(kind="definition", given__isnull=True) | Q(kind="annotation", given__isnull=False),
                name="factoid_phase_given_for_annotation",
            ),
        ]


class FactoidList(PublicModel):
    """Store a factoid list: a person's own in a phase, or one of a consensus, which belongs to nobody.

    A consensus list that came from relations has no phase. Once it is published as a version, it never changes.
    """

    text_set = models.ForeignKey(TextSet, on_delete=models.PROTECT, related_name="lists")
    phase = models.ForeignKey(FactoidPhase, on_delete=models.PROTECT, null=True, blank=True, related_name="lists")
    owner = models.ForeignKey(Membership, on_delete=models.PROTECT, null=True, blank=True, related_name="factoid_lists")
    # What this list was copied from: the list of the phase before, the given list, or an older version.
    started_from = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    # The pairing from whose relations a consensus list was proposed.
    proposed_from = models.ForeignKey(
        "FactoidPairing", on_delete=models.PROTECT, null=True, blank=True, related_name="proposed"
    )
    # The number of its newest revision; 0 before the first.
    revision = models.PositiveIntegerField(default=0)
    # The owner says that the work on it is done. They may take it back while the phase is open.
    # A later step takes it back too, as does the reopening of the phase.
    done_at = models.DateTimeField(null=True, blank=True)
    # The published versions of a set count from 1.
    version = models.PositiveIntegerField(null=True, blank=True)
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # A draft that nobody needs is hidden. Its revisions stay.
    discarded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["phase", "owner"],
                name="factoid_list_once",
                nulls_distinct=False,
                condition=Q(phase__isnull=False),
            ),
            models.UniqueConstraint(fields=["text_set", "version"], name="factoid_list_version_once"),
        ]


class Factoid(models.Model):
    """Store a factoid of a list as it is now. `key` is the same in the lists that started from this one."""

    factoid_list = models.ForeignKey(FactoidList, on_delete=models.CASCADE, related_name="factoids")
    key = models.UUIDField()
    # The id that people see, such as F9.21.
    external_id = models.CharField(max_length=100)
    description = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["factoid_list", "key"], name="factoid_key_once"),
            # Deferred, as one step may renumber several factoids.
            models.UniqueConstraint(
                fields=["factoid_list", "external_id"], name="factoid_id_once", deferrable=models.Deferrable.DEFERRED
            ),
        ]


class FactoidSentence(models.Model):
    """Link a factoid to a sentence in which its list's author sees it."""

    factoid = models.ForeignKey(Factoid, on_delete=models.CASCADE, related_name="links")
    sentence = models.ForeignKey(SetSentence, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["factoid", "sentence"], name="factoid_sentence_once")]


class FactoidAbsence(models.Model):
    """Store that an annotator said that a factoid of the given list is not in a text."""

    factoid = models.ForeignKey(Factoid, on_delete=models.CASCADE, related_name="absences")
    set_text = models.ForeignKey(SetText, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["factoid", "set_text"], name="factoid_absence_once")]


class FactoidRevision(models.Model):
    """Store one step of work on a list. Rows are only added: an undone step is one more row.

    `changes` is [{"key", "before", "after"}], each side {"id", "description", "sentences": [id], "absent": [text id]},
    or null where the factoid did not exist. `item` is {"id", "before", "after"}, each side {"is_there", "note"}, or
    null where the step decided no item.
    """

    factoid_list = models.ForeignKey(FactoidList, on_delete=models.PROTECT, related_name="revisions")
    # Counts from 1 within the list.
    revision = models.PositiveIntegerField()
    client_id = models.UUIDField()
    body_hash = models.CharField(max_length=64)
    # What the person did: new, describe, link, unlink, split, merge, renumber, delete, absent, decide, undo, redo;
    # import, where an admin brought the list.
    kind = models.CharField(max_length=20)
    changes = models.JSONField(default=list)
    # Null too where the revision was stored before there was this field.
    item = models.JSONField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["factoid_list", "revision"], name="factoid_revision_once"),
            models.UniqueConstraint(fields=["factoid_list", "client_id"], name="factoid_revision_sent_once"),
        ]


class FactoidItem(PublicModel):
    """Store an item that differs between people: is this factoid in this text?

    In the second look it belongs to one person's list, and asks whether they stand by their own answer. In the
    consensus phase it is open until somebody decides it, with a note.
    """

    factoid_list = models.ForeignKey(FactoidList, on_delete=models.PROTECT, related_name="items")
    key = models.UUIDField()
    set_text = models.ForeignKey(SetText, on_delete=models.PROTECT, related_name="+")
    # The owner's answer before; null in the consensus phase.
    was_there = models.BooleanField(null=True)
    # Null while it is open.
    is_there = models.BooleanField(null=True)
    note = models.TextField(blank=True, default="")
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["factoid_list", "key", "set_text"], name="factoid_item_once")]


class FactoidPairing(PublicModel):
    """Store that two lists of one phase are compared, and how. Its links follow from the lists and are not stored."""

    text_set = models.ForeignKey(TextSet, on_delete=models.PROTECT, related_name="pairings")
    first = models.ForeignKey(FactoidList, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(FactoidList, on_delete=models.PROTECT, related_name="+")
    threshold = models.FloatField(default=0.8)
    description_weight = models.FloatField(default=0.0)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="factoid_pairing_once"),
            models.CheckConstraint(
                condition=Q(threshold__gte=0, threshold__lte=1, description_weight__gte=0, description_weight__lte=1),
                name="factoid_pairing_settings_are_shares",
            ),
        ]


class FactoidRelation(models.Model):
    """Store a person's judgement of two factoids. Rows are only added: the newest of a pair counts.

    `relation` says what the first list's factoid is to the second's; it is empty where a judgement was withdrawn.
    """

    class Relation(models.TextChoices):
        EQUAL = "equal"
        SUBSUMES = "subsumes"
        SUBSUMED = "subsumed"
        RELATED = "related"
        UNRELATED = "unrelated"

    pairing = models.ForeignKey(FactoidPairing, on_delete=models.PROTECT, related_name="relations")
    a = models.UUIDField()
    b = models.UUIDField()
    relation = models.CharField(max_length=20, choices=Relation.choices, blank=True, default="")
    client_id = models.UUIDField()
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pairing", "client_id"], name="factoid_relation_sent_once")]
        indexes = [models.Index(fields=["pairing", "a", "b", "-id"], name="factoid_relation_newest")]
