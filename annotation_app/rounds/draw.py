"""Uniform random draws by hash, outside a round: the same for the same key, whatever the order of the rows."""

import heapq
from hashlib import sha256

from annotation_app.models import Project
from annotation_app.rounds.services import eligible_items

READ_AT_ONCE = 5_000


def uniform_draw(*, project: Project, key: str, size: int) -> list[int]:
    """Ids of up to `size` items of the pool that nobody was given, in the order of sha256("{key}:{item}")."""
    names = eligible_items(project).values_list("pk", "external_id").iterator(chunk_size=READ_AT_ONCE)
    hashed = ((sha256(f"{key}:{name}".encode()).digest(), pk) for pk, name in names)
    return [pk for _, pk in heapq.nsmallest(size, hashed)]
