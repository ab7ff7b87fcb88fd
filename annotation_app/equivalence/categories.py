"""Find the span category that an evaluation names."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from al_worker.equivalence.evaluations import same_category
from annotation_app.codebook.definition import codebook_of
from annotation_app.models import CodebookVersion, Project


@dataclass(frozen=True)
class Category:
    """Hold a category of the codebook; `marker` is its name in text forms, and so for models."""

    key: str
    name: str
    marker: str
    color: str
    takes_comment: bool

    @property
    def written(self) -> str:
        """Return the name by which a file of evaluations means it: the key, where spans in text forms agree with it."""
        return self.key if same_category(self.key) == same_category(self.marker) else self.marker

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(same_category(name) for name in (self.key, self.marker, self.name))


def categories_of(project: Project) -> list[Category]:
    """Return the categories of the published codebooks; one that several versions have is the newest one's."""
    rows = project.codebooks.filter(state=CodebookVersion.State.PUBLISHED).order_by("-version")
    layers = [layer for row in rows if (layer := codebook_of(row).span_layer) is not None]
    found: dict[str, Category] = {}
    for layer in layers:
        for each in layer.categories:
            found.setdefault(each.key, Category(each.key, each.name, each.marker, each.color, each.comment != "none"))
    return list(found.values())


def category_named(annotation: str, categories: Sequence[Category]) -> Category | None:
    """Return the category of that key, else of that marker, else of that name, without regard to case and "_"."""
    name = same_category(annotation)
    places = range(3)
    return next((each for place in places for each in categories if each.names[place] == name), None)


def names_words(categories: Iterable[Category]) -> str:
    """List the categories for a message."""
    return ", ".join(each.written for each in categories) or "none"
