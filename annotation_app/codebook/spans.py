"""Define a codebook's span layer: the categories that people mark, how often, with what comment, and inside what."""

from dataclasses import dataclass
from functools import cached_property

# The browser gives each name of the palette a light and a dark value. Categories take the colours in this order.
COLORS = (
    "blue",
    "orange",
    "green",
    "purple",
    "ochre",
    "teal",
    "red",
    "pink",
    "brown",
    "grey",
    "indigo",
    "lime",
)
COMMENTS = ("none", "optional", "required")
# The most spans of one item, and the most code points of one comment.
MOST_SPANS = 5_000
COMMENT_LENGTH = 10_000


@dataclass(frozen=True)
class SpanCategory:
    """Hold a span category: `key` is stored, `name` is shown, `marker` is its name in the text form.

    `at_least` and `at_most` (None: any number) count within each span of the category `within`, or in the whole item
    where that is None. Where `refers` is true, each span names the source document that it means.
    """

    key: str
    name: str
    marker: str
    color: str
    shortcut: str | None = None
    help: str = ""
    at_least: int = 0
    at_most: int | None = None
    comment: str = "optional"
    within: str | None = None
    refers: bool = False


@dataclass(frozen=True)
class SpanLayer:
    """Hold the span categories.

    `target` is the category whose spans make target sentences (Marfurt et al. 2022, 2.4), or None.
    """

    categories: tuple[SpanCategory, ...]
    target: str | None = None

    @cached_property
    def by_key(self) -> dict[str, SpanCategory]:
        return {category.key: category for category in self.categories}

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.by_key)
