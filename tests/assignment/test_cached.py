"""The cache of a process: bounded, one load for all that is missing, and never a value of another state."""

from annotation_app.cached import Cache


class Loader:
    """Loads each key as itself, doubled, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def __call__(self, keys: list[str]) -> dict[str, str]:
        self.calls.append(keys)
        return {key: key * 2 for key in keys if key != "gone"}


def test_it_loads_at_once_what_it_does_not_hold() -> None:
    cache, load = Cache[str, str](10), Loader()
    assert cache.read(["a", "b", "a"], load) == {"a": "aa", "b": "bb"}
    assert cache.read(["b", "c", "gone"], load) == {"b": "bb", "c": "cc"}
    assert cache.read(["a", "b", "c"], load) == {"a": "aa", "b": "bb", "c": "cc"}
    assert load.calls == [["a", "b"], ["c", "gone"]]


def test_it_drops_what_was_used_least_recently() -> None:
    cache, load = Cache[str, str](2), Loader()
    cache.read(["a"], load)
    cache.read(["b"], load)
    cache.read(["a"], load)
    cache.read(["c"], load)
    cache.read(["a", "c"], load)
    assert load.calls == [["a"], ["b"], ["c"]]
    cache.read(["b"], load)
    assert load.calls[-1] == ["b"]


def test_it_counts_sizes_and_does_not_keep_what_is_larger_than_all() -> None:
    """Values of two, two and six characters, where five are kept."""
    cache, load = Cache[str, str](5, len), Loader()
    assert cache.read(["a", "b", "ccc"], load) == {"a": "aa", "b": "bb", "ccc": "cccccc"}
    cache.read(["a", "b", "ccc"], load)
    assert load.calls == [["a", "b", "ccc"], ["ccc"]]
