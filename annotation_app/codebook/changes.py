"""Describe one difference between two versions of a codebook."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """Hold one change, its message and whether it is breaking.

    `path` is "stages.<stage key>.labels.<label key>" or "span_layer.categories.<key>", or a part of one of these.
    """

    path: str
    message: str
    breaking: bool


def texts_changed(path: str, old: object, new: object, names: tuple[str, ...]) -> Iterator[Change]:
    """Yield a compatible change for each of the named attributes that differs."""
    for name in names:
        if getattr(old, name) != getattr(new, name):
            yield Change(f"{path}.{name}".lstrip("."), "changed", False)
