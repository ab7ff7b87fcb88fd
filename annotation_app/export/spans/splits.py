"""Draw training, validation and test parts by source document (Marfurt et al. 2022, Table 1). Pure: no I/O."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

SPLITS = ("train", "valid", "test")


class SourceKey(NamedTuple):
    """Group targets by a source document, or an item that stands for its own. `id` is the external id."""

    id: str
    is_item: bool


def split_of(sources: Iterable[SourceKey], random_state: int) -> dict[SourceKey, str]:
    """Return floor(.8 n) sources as train, floor(.1 n) as valid, the rest as test: of 1,678 they are 1,342, 167, 169.

    The order is sha256("{random_state}:split:{external id}"), so that it does not depend on that of the rows.
    """
    ordered = sorted(set(sources), key=lambda key: (drawn(key.id, random_state), key.is_item))
    n = len(ordered)
    bounds = 8 * n // 10, 8 * n // 10 + n // 10
    return {key: SPLITS[sum(place >= bound for bound in bounds)] for place, key in enumerate(ordered)}


def drawn(external_id: str, random_state: int) -> str:
    """Return the hexadecimal SHA-256 that puts a source into the split's order."""
    return hashlib.sha256(f"{random_state}:split:{external_id}".encode()).hexdigest()
