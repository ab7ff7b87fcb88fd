"""Store which notices people have read, and were mailed. Notices themselves are derived from rows."""

from django.db import models

from annotation_app.models.people import Membership


class NoticeRead(models.Model):
    """Store up to which level a person has read the notice with this key; it is unread again once its level is higher.

    Levels grow with what a notice tells of: milliseconds since 1970 of its newest row, or a number of items.
    """

    reader = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=80)
    # -1: it was mailed, and not read.
    level = models.BigIntegerField()
    # Up to which level the person was mailed it; -1: never.
    mailed = models.BigIntegerField(default=-1, db_default=-1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["reader", "key"], name="notice_read_once")]
