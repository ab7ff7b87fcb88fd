"""What a codebook's span layer is: the categories that people mark, how often, with what comment, and inside what."""

from dataclasses import dataclass
from functools import cached_property

# Names of the palette, which the browser gives a light and a dark value each; also the order in which they are taken.
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
# Of one item, and code points of one comment.
MOST_SPANS = 5_000
COMMENT_LENGTH = 10_000


@dataclass(frozen=True)
class SpanCategory:
    """`key` is stored, `name` is shown, `marker` is its name in the text form.

    `at_least` and `at_most` (None: any number) count within each span of the category `within`, or in the whole item
    where that is None. `refers`: its spans name the source document that they mean.
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
    """`target` is the category whose spans make target sentences (Marfurt et al. 2022, 2.4), or None."""

    categories: tuple[SpanCategory, ...]
    target: str | None = None

    @cached_property
    def by_key(self) -> dict[str, SpanCategory]:
        return {category.key: category for category in self.categories}

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.by_key)
