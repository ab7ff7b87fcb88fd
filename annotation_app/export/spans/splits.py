"""Training, validation and test parts, drawn by source document (Marfurt et al. 2022, Table 1): pure."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

SPLITS = ("train", "valid", "test")


class SourceKey(NamedTuple):
    """What targets are grouped by: a source document, or an item that stands for its own. `id` is the external id."""

    id: str
    is_item: bool


def split_of(sources: Iterable[SourceKey], random_state: int) -> dict[SourceKey, str]:
    """floor(.8 n) train, floor(.1 n) valid, the rest test: 1,678 are 1,342, 167 and 169.

    The order is sha256("{random_state}:split:{external id}"), so that it does not depend on that of the rows.
    """
    ordered = sorted(set(sources), key=lambda key: (drawn(key.id, random_state), key.is_item))
    n = len(ordered)
    bounds = 8 * n // 10, 8 * n // 10 + n // 10
    return {key: SPLITS[sum(place >= bound for bound in bounds)] for place, key in enumerate(ordered)}


def drawn(external_id: str, random_state: int) -> str:
    return hashlib.sha256(f"{random_state}:split:{external_id}".encode()).hexdigest()
