"""Define a codebook's span layer: the categories that people mark, how often, with what comment, and inside what."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, ConfigDict, Field, StrictBool, StrictInt

from al_worker.formats.text_form import STYLES, category_fault
from annotation_app.codebook.model import (
    NAME_LENGTH,
    Color,
    Help,
    Json,
    Key,
    Model,
    Name,
    Shortcut,
    keys_of,
    objects,
    repeated,
)
from annotation_app.codebook.texts import shown, text_fault
from annotation_app.faults import Fault, worded

# Categories take the colours in this order.
COLORS = get_args(Color)
CATEGORIES = 50
# The most spans of one item, and the most code points of one comment on a span or an item.
MOST_SPANS = 5_000
COMMENT_LENGTH = 10_000
MOST_TIMES = 1_000
SHORTCUTS = "1234567890"

Times = Annotated[StrictInt, Field(ge=0, le=MOST_TIMES)]
TIMES = worded(f"must be a whole number from 0 to {MOST_TIMES}, or null")
# Whether it is a category's key is a matter of the layer.
CategoryKey = Annotated[str | None, BeforeValidator(lambda value: value if value is None else str(value))]


class SpanCategory(Model):
    """Hold a span category: `key` is stored, `name` is shown, `marker` is its name in the text form.

    `at_least` and `at_most` (None: any number) count within each span of the category `within`, or in the whole item
    where that is None. Where `refers` is true, each span names the source document that it means.
    """

    # Every key is written out where it is stored; the browser relies on that.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    key: Key
    name: Name
    marker: Name
    color: Color
    shortcut: Shortcut = None
    help: Help = ""
    at_least: Annotated[Times, BeforeValidator(lambda value: 0 if value is None else value), TIMES] = 0
    at_most: Annotated[Times | None, TIMES] = None
    comment: Literal["none", "optional", "required"] = "optional"
    within: CategoryKey = None
    refers: StrictBool = False

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        least, most, marker = raw.get("at_least"), raw.get("at_most"), raw.get("marker")
        needed = max(1, least) if type(least) is int and least <= MOST_TIMES else 1
        if type(most) is int and 0 <= most < needed:
            yield ("at_most",), f"is {most}: a category may occur at least {needed} times, or null"
        if isinstance(marker, str) and marker.strip():
            wrong = next(filter(None, (category_fault(marker, style) for style in STYLES)), None)
            if wrong:
                yield ("marker",), f'"{shown(marker)}" cannot stand in the text form: {wrong}'


class SpanLayer(Model):
    """Hold the span categories.

    `target` is the category whose spans make target sentences (Marfurt et al. 2022, 2.4), or None.
    """

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    target: CategoryKey = None
    categories: tuple[SpanCategory, ...] = Field(min_length=1, max_length=CATEGORIES)

    @classmethod
    def completed(cls, raw: Json) -> Json:
        """Give a category the next colour, the next free digit as its shortcut, and its name in capitals as marker."""
        places = objects(raw, "categories")
        taken = [each.get("shortcut") for _, each in places]
        free = iter([key for key in SHORTCUTS if key not in taken])
        filled = list(raw["categories"]) if places else []
        for place, each in places:
            filled[place] = {"color": COLORS[place % len(COLORS)]} | each
            if each.get("marker") is None:
                # A fault of the name is not named once more as one of the marker.
                wrong = text_fault(each.get("name"), NAME_LENGTH, may_be_blank=False)
                filled[place]["marker"] = f"CATEGORY {place}" if wrong else each["name"].upper()
            if each.get("shortcut") is None:
                filled[place]["shortcut"] = next(free, None)
        return raw | {"categories": filled} if places else raw

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        categories = objects(raw, "categories")
        keys = keys_of(raw, "categories")
        yield from repeated(raw, "categories", {"key": "category key", "marker": "marker", "shortcut": "shortcut"})
        if (target := raw.get("target")) is not None and target not in keys:
            yield ("target",), f'there is no category "{shown(target)}"'
        scopes = {each["key"]: each.get("within") for _, each in categories if isinstance(each.get("key"), str)}
        for place, each in categories:
            if (scope := each.get("within")) is not None and scope not in keys:
                yield ("categories", place, "within"), f'there is no category "{shown(scope)}"'
            elif runs_in_circle(each.get("key"), scopes):
                yield ("categories", place, "within"), "scopes run in a circle; one of them must be null"

    @cached_property
    def by_key(self) -> dict[str, SpanCategory]:
        return {category.key: category for category in self.categories}

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.by_key)


def runs_in_circle(key: Any, scopes: Mapping[Any, Any]) -> bool:
    """Tell whether the scopes above a category form a circle: such categories could never be marked."""
    seen = []
    while isinstance(key, str) and key in scopes and key not in seen:
        seen.append(key)
        key = scopes[key]
    return key in seen
