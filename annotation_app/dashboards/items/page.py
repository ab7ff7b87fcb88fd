"""Read one page of items in constant time, however far into the list: from the last item of the page before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, F, Func, QuerySet, Value
from django.db.models.functions import Length

from annotation_app.assignment.selectors import items_progress
from annotation_app.dashboards.items.filters import ItemFilters, hidden_count, items_matching
from annotation_app.dashboards.items.outcomes import NOT_INDEPENDENT
from annotation_app.models import Batch, BatchItem, Item, Project
from annotation_app.refusals import Invalid

PAGE_SIZE = 25
# What the list is sorted by: the order of import, the id, or the characters of the text. A minus turns it round.
SORTS = ("order", "-order", "id", "-id", "length", "-length")
KEYS: dict[str, tuple[Any, ...]] = {
    "order": (F("pk"),),
    "id": (F("external_id"),),
    "length": (Length("text"), F("pk")),
}


@dataclass(frozen=True)
class FoundItem:
    """Hold an item and the batch that it was given out in; `done` of `total` counts slots."""

    row: Item
    batch: Batch | None
    done: int
    total: int


@dataclass(frozen=True)
class ItemPage:
    """Hold a page; `before` and `after` lead to the pages beside it, as the UUIDs of its own first and last item.

    Each is None at its end of the list, and both are of a page that is empty.
    """

    items: list[FoundItem]
    before: UUID | None
    after: UUID | None


@dataclass(frozen=True)
class ItemCount:
    """Count the items that match; `hidden` ones may match, but their answers are hidden from the reader."""

    n: int
    hidden: int


def items_counted(filters: ItemFilters) -> ItemCount:
    return ItemCount(items_matching(filters).count(), hidden_count(filters))


def item_page(
    *, filters: ItemFilters, sort: str = "order", after: UUID | None = None, before: UUID | None = None
) -> ItemPage:
    """Return the page after the item `after`, or before the item `before`; without either the first one.

    Raises Invalid.
    """
    rows = items_matching(filters).select_related("document", "utterance")
    shown = rows.defer("utterance__text", "utterance__sentence_starts", "utterance__sentence_ends")
    backwards = before is not None
    found = list(page_rows(shown, filters.reader.project, sort, before or after, backwards=backwards)[: PAGE_SIZE + 1])
    more, found = len(found) > PAGE_SIZE, found[:PAGE_SIZE]
    if backwards:
        found.reverse()
    has_before, has_after = (more, bool(found)) if backwards else (after is not None and bool(found), more)
    return ItemPage(with_batches(found), found[0].uuid if has_before else None, found[-1].uuid if has_after else None)


def page_rows(
    rows: QuerySet[Item], project: Project, sort: str, beside: UUID | None, *, backwards: bool
) -> QuerySet[Item]:
    """Return the rows in the order of `sort`, beyond the item `beside`; with `backwards` towards the beginning."""
    keys = KEYS[sort.removeprefix("-")]
    falls = sort.startswith("-") != backwards
    if beside is not None:
        rows = rows.filter(beyond(project, keys, beside, falls=falls))
    return rows.order_by(*(key.desc() if falls else key.asc() for key in keys))


def beyond(project: Project, keys: Sequence[Any], beside: UUID, *, falls: bool) -> Any:
    """Compare the whole key with that of the item, so that an index leads there. Raises Invalid where it is gone."""
    names = {f"key_{place}": key for place, key in enumerate(keys)}
    values = project.items.filter(uuid=beside).annotate(**names).values_list(*names).first()
    if values is None:
        raise Invalid({"after": ["The item at which this page begins is gone. Begin with the first page."]})
    return compared(keys, values, falls=falls)


def compared(keys: Sequence[Any], values: Sequence[Any], *, falls: bool) -> Func:
    """Return the condition that the keys, as one row, come after the values; with `falls` before them."""
    sides = (row_of(*keys), row_of(*(Value(value) for value in values)))
    joiner = " < " if falls else " > "
    return Func(*sides, template="(%(expressions)s)", arg_joiner=joiner, output_field=BooleanField())


def row_of(*parts: Any) -> Func:
    return Func(*parts, template="(%(expressions)s)", output_field=BooleanField())


def with_batches(items: list[Item]) -> list[FoundItem]:
    places = BatchItem.objects.filter(item__in=items, is_check=False).exclude(batch__kind__in=NOT_INDEPENDENT)
    found = {place.item_id: place for place in places.select_related("batch")}
    progress = items_progress([place.pk for place in found.values()])
    return [found_item(item, found.get(item.pk), progress) for item in items]


def found_item(item: Item, place: BatchItem | None, progress: Mapping[int, tuple[int, int]]) -> FoundItem:
    if place is None:
        return FoundItem(item, None, 0, 0)
    return FoundItem(item, place.batch, *progress[place.pk])


def item_after(*, project: Project, item: Item) -> Item | None:
    """Return the next item that people were given, in the order of import; after the last one comes the first."""
    batches = project.batches.exclude(kind__in=NOT_INDEPENDENT)
    given = project.items.filter(batch_items__batch__in=batches, batch_items__is_check=False).order_by("pk").distinct()
    return given.filter(pk__gt=item.pk).first() or given.first()
