"""Deal a batch's slots out by shares, before anybody begins.

A share is a number of parts, such as 50, 30 and 20. Each item gets as many people as the batch asks for, and each
person as many items as their parts of all slots come to, but no item twice.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from uuid import UUID

MOST_PARTS = 1_000


def shares_faults(shares: Mapping[UUID, int], annotators: Mapping[UUID, str], per_item: int) -> list[str]:
    """Return what is wrong with shares; nothing without any. `annotators` are those of the batch, with their names."""
    if not shares:
        return []
    if set(shares) != set(annotators):
        return ["Give every annotator of this batch a share, and nobody else."]
    if not all(1 <= parts <= MOST_PARTS for parts in shares.values()):
        return [f"A share is a whole number from 1 to {MOST_PARTS:,}."]
    total = sum(shares.values())
    return [
        f"{annotators[person]} cannot have {parts} of {total} parts: nobody answers an item twice, so that a share is "
        f"at most {100 // per_item} % with {per_item} annotators per item."
        for person, parts in shares.items()
        if parts * per_item > total
    ]


def quotas(shares: Mapping[int, int], n_items: int, per_item: int) -> dict[int, int]:
    """Return how many items each person gets: their parts of all slots, by largest remainder, at most every item once.

    What somebody cannot take, because their part is more than every item once, goes to the others by their parts.
    """
    slots, left = n_items * per_item, dict(shares)
    found: dict[int, int] = {}
    while full := [person for person, parts in left.items() if parts * slots > n_items * sum(left.values())]:
        for person in full:
            found[person] = n_items
            del left[person]
        slots = per_item * n_items - sum(found.values())
    total = sum(left.values())
    found |= {person: parts * slots // total for person, parts in left.items()}
    by_remainder = sorted(left, key=lambda person: (-(left[person] * slots % total), person))
    for person in by_remainder[: n_items * per_item - sum(found.values())]:
        found[person] += 1
    return found


def dealt(names: Mapping[int, str], shares: Mapping[int, int], per_item: int, key: str) -> dict[int, list[int]]:
    """Return the items of each person, by ids. `names` gives the external id of each item.

    Items are gone through in the order of a hash. Each goes to those who have the most to get still, of equals to those
    with the lowest hash: so every quota is met, and people meet each other on items as chance has it.
    """
    left = quotas(shares, len(names), per_item)
    found: dict[int, list[int]] = {person: [] for person in shares}
    for item in sorted(names, key=lambda pk: hashed(key, names[pk])):
        for person in first_of(left, per_item, f"{key}:{names[item]}"):
            found[person].append(item)
            left[person] -= 1
    return found


def first_of(left: Mapping[int, int], per_item: int, key: str) -> Sequence[int]:
    return sorted(left, key=lambda person: (-left[person], hashed(key, str(person))))[:per_item]


def hashed(key: str, name: str) -> bytes:
    return sha256(f"{key}:{name}".encode()).digest()
