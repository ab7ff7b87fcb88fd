"""Cache in this process what was read from the database, within bounds."""

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Hold the last used values, at most `most` of them, or of their sizes where `size` is given.

    A key names all that its value depends on, such as a batch and its state. An entry is therefore valid for ever.
    """

    def __init__(self, most: int, size: Callable[[V], int] | None = None) -> None:
        self.entries: LRUCache[K, V] = LRUCache(most, size)
        self.lock = threading.Lock()

    def read(self, keys: Iterable[K], load: Callable[[list[K]], Mapping[K, V]]) -> dict[K, V]:
        """Return the values by key, with one call of `load` for those that are not cached."""
        keys = list(dict.fromkeys(keys))
        with self.lock:
            found = {key: self.entries[key] for key in keys if key in self.entries}
        if missing := [key for key in keys if key not in found]:
            loaded = load(missing)
            with self.lock:
                for key, value in loaded.items():
                    # A value that is larger than the whole cache is not kept.
                    with suppress(ValueError):
                        self.entries[key] = value
            found.update(loaded)
        return found

    def clear(self) -> None:
        with self.lock:
            self.entries.clear()
