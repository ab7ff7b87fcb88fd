"""Compare two versions of a span layer, to see what the new one means for spans marked under the old one."""

from collections.abc import Iterator

from annotation_app.codebook.changes import Change, texts_changed, value_changed
from annotation_app.codebook.spans import SpanCategory, SpanLayer

LAYER = "span_layer"


def layer_changes(old: SpanLayer | None, new: SpanLayer | None) -> Iterator[Change]:
    """Yield the changes of a span layer.

    A change is breaking if it removes the layer or a category, adds a mandatory category, or makes a rule refuse what
    it accepted.
    """
    if old is None or new is None:
        if new is not None:
            yield Change(LAYER, "added", any(category.at_least for category in new.categories))
        if old is not None:
            yield Change(LAYER, "removed", True)
        return
    if old.target != new.target:
        yield Change(f"{LAYER}.target", value_changed(old.target, new.target), False)
    for key, category in old.by_key.items():
        if key not in new.by_key:
            yield Change(category_path(key), "category removed", True)
        else:
            yield from category_changes(category, new.by_key[key])
    for key, category in new.by_key.items():
        if key not in old.by_key:
            needed = "mandatory" if category.at_least else "optional"
            yield Change(category_path(key), f"{needed} category added", category.at_least > 0)


def category_path(key: str) -> str:
    return f"{LAYER}.categories.{key}"


def category_changes(old: SpanCategory, new: SpanCategory) -> Iterator[Change]:
    """Yield the changes of one category that both versions have."""
    path = category_path(old.key)
    yield from texts_changed(path, old, new, ("name", "marker", "color", "shortcut", "help"))
    if old.within != new.within:
        yield Change(f"{path}.within", value_changed(old.within, new.within), new.within is not None)
    if old.at_least != new.at_least:
        message = value_changed(old.at_least, new.at_least)
        yield Change(f"{path}.at_least", message, new.at_least > old.at_least)
    if old.at_most != new.at_most:
        narrower = new.at_most is not None and (old.at_most is None or new.at_most < old.at_most)
        yield Change(f"{path}.at_most", value_changed(old.at_most, new.at_most), narrower)
    if old.comment != new.comment:
        # Only a change to "optional" keeps everything allowed; any other change refuses spans that were accepted.
        loosened = new.comment == "optional"
        yield Change(f"{path}.comment", value_changed(old.comment, new.comment), not loosened)
    if old.refers != new.refers:
        yield Change(f"{path}.refers", "spans link to a source" if new.refers else "spans link to no source", True)
