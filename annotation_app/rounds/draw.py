"""Draw uniformly from the remaining pool by hash, so that the order of the rows does not matter."""

import heapq
from collections.abc import Iterable
from hashlib import sha256

from django.db.models import Q, QuerySet

from annotation_app.models import Item, Project

READ_AT_ONCE = 5_000
# Items of the pool that were never issued; prototype and practice items count as issued.
ELIGIBLE = Q(left_out="", batch_items__isnull=True)


def eligible_items(project: Project) -> QuerySet[Item]:
    """Return the items that a round may still choose."""
    return project.items.filter(ELIGIBLE)


def uniform_draw(*, project: Project, key: str, size: int) -> list[int]:
    """Return ids of up to `size` items of the pool that nobody was given, in the order of sha256("{key}:{item}")."""
    names = eligible_items(project).values_list("external_id", "pk").iterator(chunk_size=READ_AT_ONCE)
    return first_by_hash(names, key, size)


def first_by_hash(names: Iterable[tuple[str, int]], key: str, size: int) -> list[int]:
    """Return the first `size` of the ids, given as (external id, id), in the order of sha256("{key}:{external id}")."""
    hashed = ((sha256(f"{key}:{name}".encode()).digest(), pk) for name, pk in names)
    return [pk for _, pk in heapq.nsmallest(size, hashed)]
