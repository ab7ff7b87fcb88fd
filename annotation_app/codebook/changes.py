"""One difference between two versions of a codebook."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """`path` is "stages.<stage key>.labels.<label key>", "span_layer.categories.<key>" or a part of it."""

    path: str
    message: str
    breaking: bool


def texts_changed(path: str, old: object, new: object, names: tuple[str, ...]) -> Iterator[Change]:
    for name in names:
        if getattr(old, name) != getattr(new, name):
            yield Change(f"{path}.{name}".lstrip("."), "changed", False)
