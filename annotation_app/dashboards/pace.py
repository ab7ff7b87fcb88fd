"""Read a person's own pace: how much they did, and how long it took. Nothing here follows from others' work."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from django.db import connection

from annotation_app.dashboards.statements import SQL
from annotation_app.db.statement import statement
from annotation_app.models import Membership

# So many days with work are told, the newest ones.
DAYS = 30


@dataclass(frozen=True)
class Pace:
    """Hold the items that a person answered or skipped, and the active time that this took, in milliseconds."""

    done: int = 0
    active_ms: int = 0

    def __add__(self, other: "Pace") -> "Pace":
        return Pace(self.done + other.done, self.active_ms + other.active_ms)


@dataclass(frozen=True)
class OwnPace:
    """Hold a person's pace over all, by batch (id, kind, number), and by day; the newest of both come first."""

    whole: Pace
    batches: dict[tuple[UUID, str, int], Pace]
    days: dict[date, Pace]


def own_pace(member: Membership) -> OwnPace:
    """Return the person's own pace, with days of the time zone in which they read times."""
    asked: dict[str, Any] = {"reader": member.pk, "time_zone": member.user.time_zone or member.project.time_zone}
    batches: dict[tuple[UUID, str, int], Pace] = defaultdict(Pace)
    days: dict[date, Pace] = defaultdict(Pace)
    with connection.cursor() as cursor:
        cursor.execute(statement([], SQL / "own_pace.sql"), asked)
        for uuid, kind, number, day, done, active in cursor.fetchall():
            batches[uuid, kind, number] += Pace(done, active)
            days[day] += Pace(done, active)
    return OwnPace(sum(days.values(), Pace()), dict(batches), dict(list(days.items())[:DAYS]))
