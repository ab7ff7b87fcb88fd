"""Read what a second look shows: one's own first answer, and the stages where another answer differs, not how."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from annotation_app.models import Annotation, Assignment

# Stages at which another submitted answer to the item has a different label.
DIFFERS = """
SELECT DISTINCT mine.id, x.stage
FROM annotation_app_assignment mine
JOIN annotation_app_answer x ON x.annotation_id = mine.current_id
JOIN annotation_app_assignment other
  ON other.batch_item_id = mine.batch_item_id AND other.id <> mine.id AND other.state = 'submitted'
JOIN annotation_app_answer y ON y.annotation_id = other.current_id AND y.stage = x.stage AND y.label <> x.label
WHERE mine.id = ANY(%s)
"""


@dataclass(frozen=True)
class FirstLook:
    """Hold the person's own independent annotation, and the stages at which somebody's label differs."""

    annotation: Annotation
    differs: frozenset[str]


def first_looks(rows: Sequence[Assignment], first_batch_id: int) -> dict[int, FirstLook]:
    """Return the first looks by item id, for one person's assignments of a second look at `first_batch_id`.

    Each of `rows` must come with its `batch_item`.
    """
    items = [row.batch_item.item_id for row in rows]
    people = {row.annotator_id for row in rows}
    firsts = list(
        Assignment.objects.filter(
            annotator__in=people, batch_item__batch=first_batch_id, batch_item__item__in=items, current__isnull=False
        )
        .select_related("current", "batch_item")
        .prefetch_related("current__answers")
    )
    differs = stages_that_differ([first.pk for first in firsts])
    return {
        first.batch_item.item_id: FirstLook(first.current, frozenset(differs[first.pk]))
        for first in firsts
        if first.current is not None
    }


def stages_that_differ(assignment_ids: Sequence[int]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(DIFFERS, [list(assignment_ids)])
        for assignment, stage in cursor.fetchall():
            found[assignment].append(stage)
    return found
