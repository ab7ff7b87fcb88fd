"""Questions that are answered with a point of an ordered scale."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, StrictInt

from al_worker.formats.heads import ORDERED
from annotation_app.codebook.changes import Change, value_changed
from annotation_app.codebook.model import Json, Model, Name, objects
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.codebook.texts import shown
from annotation_app.faults import Fault, worded

POINTS = range(2, 12)
Point = Annotated[StrictInt, Field(ge=-10, le=10), worded("must be a whole number from -10 to 10")]


class Anchor(Model):
    """Say in words what a point of the scale means, such as "not at all" for the lowest."""

    point: Point
    name: Name


class ScaleStage(Stage):
    """Hold a question with a scale from `low` to `high`, of 2 to 11 points. An answer is stored as the point's number.

    Points are at equal distances on the screen only: agreement takes them as an order (`measure`).
    """

    type: Literal["scale"]
    low: Point = 1
    high: Point
    anchors: tuple[Anchor, ...] = Field((), max_length=POINTS[-1])

    exported_type: ClassVar = "int64"
    measure: ClassVar = "ordinal"
    learned_as: ClassVar = ORDERED
    is_number: ClassVar = True

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        points = cls.points_in(raw)
        if points is None:
            return
        if len(points) not in POINTS:
            least, most = POINTS[0], POINTS[-1]
            yield ("high",), f"a scale has {least} to {most} points, and this one has {len(points)} from low to high"
            return
        first: dict[int, int] = {}
        for place, anchor in objects(raw, "anchors"):
            if not isinstance(point := anchor.get("point"), int):
                continue
            if point not in points:
                yield ("anchors", place, "point"), f"must be a point of the scale, from {points[0]} to {points[-1]}"
            elif (before := first.setdefault(point, place)) != place:
                yield ("anchors", place, "point"), f"the point {point} has a name already at anchors[{before}]"

    @classmethod
    def points_in(cls, raw: Json) -> range | None:
        """Return the points of a definition; None where one end is missing or no whole number."""
        low, high = raw.get("low", 1), raw.get("high")
        # True and False count as whole numbers in Python.
        if isinstance(low, bool) or isinstance(high, bool) or not isinstance(low, int) or not isinstance(high, int):
            return None
        return range(low, high + 1)

    @classmethod
    def labels_in(cls, raw: Json) -> list[str]:
        points = cls.points_in(raw) or range(0)
        return [str(point) for point in points[: POINTS[-1]]]

    @cached_property
    def classes(self) -> tuple[str, ...]:
        return tuple(str(point) for point in range(self.low, self.high + 1))

    @cached_property
    def names(self) -> dict[str, str]:
        """Return the words of the points that have some."""
        return {str(anchor.point): anchor.name for anchor in self.anchors}

    def answer_fault(self, answer: Any) -> str | None:
        if not isinstance(answer, str):
            return "Must be a point of the scale (as a text)."
        if answer not in self.classes:
            return f'"{shown(answer)}" is no point of the scale, which goes from {self.low} to {self.high}.'
        return None

    def in_order(self, answers: Iterable[str]) -> list[str]:
        given = set(answers)
        return [point for point in self.classes if point in given]

    def name_of(self, answer: str) -> str:
        return f"{answer} ({self.names[answer]})" if answer in self.names else answer

    def learned_label(self, majority: str | None, votes: Mapping[str, int], takes: int) -> str | None:
        """Return the median, which needs as many answers as a majority takes.

        Of an even number of answers it is the lower of the two in the middle, so that it is a point of the scale.
        """
        given = [point for point in self.classes for _ in range(votes.get(point, 0))]
        return given[(len(given) - 1) // 2] if len(given) >= takes else None

    def exported(self, answer: str) -> int:
        return int(answer)

    def changes(self, new: Self, path: str) -> Iterator[Change]:
        for name in ("low", "high"):
            old, now = getattr(self, name), getattr(new, name)
            if old != now:
                yield Change(f"{path}.{name}", value_changed(old, now), True)
        if self.names != new.names:
            yield Change(f"{path}.anchors", "changed", False)
