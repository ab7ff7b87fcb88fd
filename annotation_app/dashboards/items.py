"""Look items up by id or text, without what anybody answered."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation_app.assignment.selectors import items_progress
from annotation_app.models import Batch, BatchItem, Item, Project

PAGE_SIZE = 25
# Which items: all, those in the pool, those given out, those an admin left out.
WHICH = ("all", "pool", "given", "left_out")


@dataclass(frozen=True)
class FoundItem:
    """Hold an item and the batch that it was given out in; `done` of `total` counts slots."""

    row: Item
    batch: Batch | None
    done: int
    total: int


@dataclass(frozen=True)
class ItemPage:
    items: list[FoundItem]
    n: int
    page: int
    n_pages: int


def items_found(*, project: Project, query: str, which: str, page: int) -> ItemPage:
    """Return one page of items whose id or text holds `query`, in any case, in the order of import."""
    rows = filtered(project, query.strip(), which)
    n = rows.count()
    shown = list(rows.select_related("document").order_by("pk")[(page - 1) * PAGE_SIZE : page * PAGE_SIZE])
    return ItemPage(with_batches(shown), n, page, max(1, -(-n // PAGE_SIZE)))


def item_after(*, project: Project, item: Item) -> Item | None:
    """Return the next item that people were given, in the order of import; after the last one comes the first."""
    given = filtered(project, "", "given").order_by("pk")
    return given.filter(pk__gt=item.pk).first() or given.first()


def filtered(project: Project, query: str, which: str) -> QuerySet[Item]:
    rows = project.items.all()
    if query:
        rows = rows.filter(Q(external_id__icontains=query) | Q(text__icontains=query))
    match which:
        case "pool":
            return rows.filter(left_out="", batch_items__isnull=True)
        case "given":
            return rows.filter(pk__in=BatchItem.objects.filter(batch__project=project).values("item"))
        case "left_out":
            return rows.filter(left_out=Item.LeftOut.BY_ADMIN)
    return rows


def with_batches(items: list[Item]) -> list[FoundItem]:
    places = BatchItem.objects.filter(item__in=items).exclude(batch__kind=Batch.Kind.SECOND_LOOK)
    found = {place.item_id: place for place in places.select_related("batch")}
    progress = items_progress([place.pk for place in found.values()])
    return [found_item(item, found.get(item.pk), progress) for item in items]


def found_item(item: Item, place: BatchItem | None, progress: Mapping[int, tuple[int, int]]) -> FoundItem:
    if place is None:
        return FoundItem(item, None, 0, 0)
    return FoundItem(item, place.batch, *progress[place.pk])
