"""Describe one difference between two versions of a codebook."""

from collections.abc import Iterator, Sequence
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


def order_changed(path: str, old: Sequence[str], new: Sequence[str], *, breaking: bool) -> Iterator[Change]:
    """Compare the order of the keys that both versions have. An addition or removal alone does not change the order."""
    if [key for key in old if key in new] != [key for key in new if key in old]:
        yield Change(path, "order changed", breaking)


def value_changed(old: str | int | None, new: str | int | None) -> str:
    """Return the message of a value that was replaced; null is shown as none."""
    before, after = ("none" if value is None else value for value in (old, new))
    return f"changed from {before} to {after}"
