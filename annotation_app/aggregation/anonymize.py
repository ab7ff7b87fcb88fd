"""Anonymize annotations: each goes by a letter, in an order of the reader's own. Pure: no I/O."""

from collections.abc import Iterable
from hashlib import sha256
from string import ascii_uppercase
from uuid import UUID


def shuffled(assignments: Iterable[UUID], *, reader: UUID, item: UUID) -> list[UUID]:
    """Order by sha256("reader:item:assignment"): stable for one reader and item, different for every other pair."""
    return sorted(assignments, key=lambda uuid: sha256(f"{reader}:{item}:{uuid}".encode()).digest())


def letter(place: int) -> str:
    """Return A, B ... Z, AA, AB ... for 0, 1 ..."""
    rest, last = divmod(place, len(ascii_uppercase))
    return (letter(rest - 1) if rest else "") + ascii_uppercase[last]
