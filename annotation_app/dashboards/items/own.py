"""Search a person's own done items, in all batches, by the same words as admins search all items."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F

from annotation_app.assignment.blinding import ANSWERED
from annotation_app.dashboards.items.page import compared
from annotation_app.dashboards.items.search import search_condition
from annotation_app.models import Assignment, Membership
from annotation_app.refusals import Invalid

PAGE_SIZE = 50


@dataclass(frozen=True)
class OwnPage:
    """Hold a page of own assignments, the last done first; `after` leads to the next one, None at the end."""

    rows: Sequence[Assignment]
    after: UUID | None


def own_found(*, member: Membership, q: str, after: UUID | None = None) -> OwnPage:
    """Return the next page of what the person has done, with current answers loaded. Raises Invalid."""
    done = member.assignments.filter(search_condition(q, "batch_item__item__"), state__in=ANSWERED)
    rows = done.filter(done_at__isnull=False)
    if after is not None:
        rows = rows.filter(done_before(member, after))
    found = list(
        rows.select_related("batch_item__item", "batch_item__batch")
        .prefetch_related("current__answers")
        .order_by("-done_at", "-pk")[: PAGE_SIZE + 1]
    )
    shown = found[:PAGE_SIZE]
    return OwnPage(shown, shown[-1].uuid if len(found) > PAGE_SIZE else None)


def done_before(member: Membership, after: UUID) -> Any:
    found = member.assignments.filter(uuid=after).values_list("done_at", "pk").first()
    if found is None or found[0] is None:
        raise Invalid({"after": ["The item at which this page begins is gone. Search again."]})
    return compared((F("done_at"), F("pk")), found, falls=True)
