"""Read a span layer from JSON, and name every fault."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from al_worker.formats.text_form import STYLES, category_fault
from annotation_app.codebook.reading import Faults, Node, note_repeats
from annotation_app.codebook.spans import COLORS, COMMENTS, SpanCategory, SpanLayer
from annotation_app.codebook.texts import shown

CATEGORIES = 50
NAME_LENGTH = 200
HELP_LENGTH = 5_000
MOST_TIMES = 1_000
LAYER_KEYS = ("target", "categories")
CATEGORY_KEYS = (
    "key",
    "name",
    "marker",
    "color",
    "shortcut",
    "help",
    "at_least",
    "at_most",
    "comment",
    "within",
    "refers",
)
SHORTCUTS = "1234567890"


def read_span_layer(value: Any, path: str, faults: Faults) -> SpanLayer | None:
    """Return the span layer, or None after its faults were noted. A category needs only `key` and `name`."""
    node = Node.of(value, path, faults, LAYER_KEYS)
    if node is None:
        return None
    objects = [Node.of(each, at, faults, CATEGORY_KEYS) for each, at in node.objects("categories", CATEGORIES)]
    nodes = [each for each in objects if each is not None]
    categories = _with_shortcuts([_category(each, place) for place, each in enumerate(nodes)])
    _repeats(categories, nodes)
    keys = [category.key for category in categories]
    scoped = [
        replace(category, within=_known(each, "within", keys)) for category, each in zip(categories, nodes, strict=True)
    ]
    _scopes(scoped, nodes)
    return SpanLayer(tuple(scoped), _known(node, "target", keys))


def _category(node: Node, place: int) -> SpanCategory:
    name = node.text("name", NAME_LENGTH)
    least = node.count("at_least", MOST_TIMES) or 0
    most = node.count("at_most", MOST_TIMES)
    if most is not None and most < max(1, least):
        node.faults.add(node.at("at_most"), f"is {most}: a category may occur at least {max(1, least)} times, or null")
    return SpanCategory(
        key=node.key(),
        name=name,
        marker=_marker(node, name),
        color=node.choice("color", COLORS, default=COLORS[place % len(COLORS)]),
        shortcut=node.shortcut(),
        help=node.text("help", HELP_LENGTH, default=""),
        at_least=least,
        at_most=most,
        comment=node.choice("comment", COMMENTS, default="optional"),
        refers=node.flag("refers", default=False),
    )


def _with_shortcuts(categories: Sequence[SpanCategory]) -> list[SpanCategory]:
    """Give the unused digits to the categories without a shortcut, in their order."""
    asked = {category.shortcut for category in categories}
    free = iter([key for key in SHORTCUTS if key not in asked])
    return [category if category.shortcut else replace(category, shortcut=next(free, None)) for category in categories]


def _marker(node: Node, name: str) -> str:
    marker = node.text("marker", NAME_LENGTH) if node.value.get("marker") is not None else name.upper()
    for style in STYLES:
        fault = category_fault(marker, style) if marker else None
        if fault:
            node.faults.add(node.at("marker"), f'"{shown(marker)}" cannot stand in the text form: {fault}')
            break
    return marker


def _repeats(categories: Sequence[SpanCategory], nodes: Sequence[Node]) -> None:
    pairs = list(zip(categories, nodes, strict=True))
    if not pairs:
        return
    faults = pairs[0][1].faults
    note_repeats([(category.key, node.at("key")) for category, node in pairs], "the category key", faults)
    note_repeats([(category.marker, node.at("marker")) for category, node in pairs], "the marker", faults)
    shortcuts = [((category.shortcut or "").casefold(), node.at("shortcut")) for category, node in pairs]
    note_repeats(shortcuts, "the shortcut", faults)


def _known(node: Node, name: str, keys: Sequence[str]) -> str | None:
    value = node.value.get(name)
    if value is None:
        return None
    if value not in keys:
        node.faults.add(node.at(name), f'there is no category "{shown(value)}"')
        return None
    return str(value)


def _scopes(categories: Sequence[SpanCategory], nodes: Sequence[Node]) -> None:
    """Note a fault where scopes form a circle: such categories could never be marked."""
    within = {category.key: category.within for category in categories}
    for category, node in zip(categories, nodes, strict=True):
        seen = {category.key}
        scope = category.within
        while scope is not None and scope not in seen:
            seen.add(scope)
            scope = within.get(scope)
        if scope is not None:
            node.faults.add(node.at("within"), "scopes run in a circle; one of them must be null")
