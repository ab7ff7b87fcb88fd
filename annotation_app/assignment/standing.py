"""Where people stand in their open batch: what is done, in hand, and still to be had."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

from annotation_app.models import Membership

# A batch is open until it is frozen. A person with several open ones is given the oldest in which there is work, and
# else sees the newest. `to_come` counts open rows whose item has a slot left; without k of n that is every open row.
STANDINGS = """
WITH mine AS (
    SELECT a.annotator_id, b.id AS batch_id, min(i.id) AS one_item,
        count(*) FILTER (WHERE a.state IN ('submitted', 'skipped', 'surplus')) AS done,
        count(*) FILTER (WHERE a.state = 'claimed') AS claimed,
        count(*) FILTER (WHERE a.state = 'open' AND b.annotators_per_item > (
            SELECT count(*) FROM annotation_app_assignment taken
            WHERE taken.batch_item_id = i.id AND taken.slot IS NOT NULL
        )) AS to_come
    FROM annotation_app_membership m
    JOIN annotation_app_batch b ON b.project_id = m.project_id AND b.frozen_at IS NULL
    JOIN annotation_app_batchitem i ON i.batch_id = b.id
    JOIN annotation_app_assignment a ON a.batch_item_id = i.id AND a.annotator_id = m.id AND a.state <> 'withdrawn'
    WHERE m.id = ANY(%(members)s)
    GROUP BY a.annotator_id, b.id
)
SELECT DISTINCT ON (mine.annotator_id)
    mine.annotator_id, b.id, b.number, mine.done, mine.claimed, mine.to_come, b.annotators_per_item,
    (SELECT count(*) FROM annotation_app_assignment rows WHERE rows.batch_item_id = mine.one_item)
FROM mine JOIN annotation_app_batch b ON b.id = mine.batch_id
ORDER BY mine.annotator_id, claimed + to_come = 0, CASE WHEN claimed + to_come > 0 THEN b.id ELSE -b.id END
"""


@dataclass(frozen=True)
class Standing:
    """One person in their open batch. `annotators` counts everyone who was put on the batch."""

    batch_id: int
    batch_number: int
    done: int
    claimed: int
    to_come: int
    annotators_per_item: int
    annotators: int

    @property
    def total(self) -> int:
        return self.done + self.claimed + self.to_come

    @property
    def has_work(self) -> bool:
        return self.claimed + self.to_come > 0

    @property
    def k_of_n(self) -> bool:
        """Items go to fewer people than are on the batch, so that slots are competed for."""
        return self.annotators_per_item < self.annotators


def standings(membership_ids: Iterable[int]) -> dict[int, Standing]:
    """By membership id, in one query; people without an open batch are missing."""
    with connection.cursor() as cursor:
        cursor.execute(STANDINGS, {"members": list(membership_ids)})
        return {annotator: Standing(*columns) for annotator, *columns in cursor.fetchall()}


def standing_of(membership: Membership) -> Standing | None:
    return standings([membership.pk]).get(membership.pk)
