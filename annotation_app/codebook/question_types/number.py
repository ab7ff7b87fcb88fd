"""Questions that are answered with a number."""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator

from annotation_app.codebook.changes import Change, texts_changed
from annotation_app.codebook.model import Json, text_of
from annotation_app.codebook.question_types.stage import ExportedType, Stage
from annotation_app.codebook.texts import shown
from annotation_app.faults import Fault, fault

# Fifteen digits, which the floats of exports and of browsers hold exactly.
LARGEST, DECIMALS = 1_000_000_000, 6
FORM = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")


def _number(value: Any) -> int | float:
    # True and False count as whole numbers in Python.
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise fault("must be a number")
    if not -LARGEST <= value <= LARGEST:
        raise fault(f"must be from -{LARGEST:,} to {LARGEST:,}")
    if decimals(value) > DECIMALS:
        raise fault(f"has more than {DECIMALS} decimals")
    return value


def exact(value: int | float | str) -> Decimal:
    """Return the number that is written, such as 0.1: not the float nearest to it."""
    return Decimal(str(value))


def decimals(value: int | float | str) -> int:
    """Count the decimals that a number needs. A text is in FORM, and counted as it is: arithmetic would round it."""
    if isinstance(value, str):
        return len(value.partition(".")[2])
    exponent = exact(value).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def is_number(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and abs(value) <= LARGEST


Number = Annotated[int | float, BeforeValidator(_number)]


class NumberStage(Stage):
    """Hold a question for a number from `min` to `max`; None is no bound.

    With a `step`, answers lie whole steps above `min`, or above 0 without one. `unit` is shown beside the number. An
    answer is stored as its shortest decimal text: without exponent, plus sign, leading zeros or closing zeros.
    """

    type: Literal["number"]
    min: Number | None = None
    max: Number | None = None
    step: Number | None = None
    unit: Annotated[str, text_of(50, may_be_blank=True)] = ""

    measure: ClassVar = "interval"
    is_number: ClassVar = True
    classes: ClassVar = ()

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        given = {name: exact(raw[name]) for name in ("min", "max", "step") if is_number(raw.get(name))}
        low, high, step = map(given.get, ("min", "max", "step"))
        if step is not None and step <= 0:
            yield ("step",), "must be more than 0"
        elif low is not None and high is not None and high <= low:
            yield ("max",), f"is {plain(high)}, and min is {plain(low)}: max must be larger"
        elif low is not None and high is not None and step is not None and low + step > high:
            yield ("step",), f"is larger than the way from min to max, which is {plain(high - low)}"

    @classmethod
    def labels_in(cls, raw: Json) -> list[str]:
        return []

    @property
    def is_whole(self) -> bool:
        """Tell whether every answer is a whole number: it goes by whole steps from a whole number."""
        return self.step is not None and decimals(self.step) == 0 == decimals(self.min or 0)

    @property
    def exported_type(self) -> ExportedType:
        return "int64" if self.is_whole else "float64"

    def answer_fault(self, answer: Any) -> str | None:
        if not isinstance(answer, str) or not FORM.fullmatch(answer) or answer == "-0":
            return "Must be a number in its shortest form, as a text, such as 3, 2.5 or -0.25."
        value = exact(answer)
        if abs(value) > LARGEST:
            return f"{shown(answer)} is out of range: numbers go from -{LARGEST:,} to {LARGEST:,}."
        if decimals(answer) > DECIMALS:
            return f"{shown(answer)} has more than {DECIMALS} decimals."
        if self.min is not None and value < exact(self.min):
            return f"{answer} is too small: the least number here is {plain(exact(self.min))}."
        if self.max is not None and value > exact(self.max):
            return f"{answer} is too large: the largest number here is {plain(exact(self.max))}."
        if self.step is not None and (value - self.base) % exact(self.step):
            start = "" if self.min is None else f", counted from {plain(self.base)}"
            return f"{answer} lies between two steps: numbers here go by {plain(exact(self.step))}{start}."
        return None

    @property
    def base(self) -> Decimal:
        """Return where steps are counted from."""
        return exact(self.min or 0)

    def in_order(self, answers: Iterable[str]) -> list[str]:
        return sorted({answer for answer in answers if self.answer_fault(answer) is None}, key=Decimal)

    def name_of(self, answer: str) -> str:
        return f"{answer} {self.unit}".rstrip()

    def exported(self, answer: str) -> int | float:
        return int(answer) if self.is_whole else float(answer)

    def changes(self, new: Self, path: str) -> Iterator[Change]:
        for name in ("min", "max", "step"):
            old, now = getattr(self, name), getattr(new, name)
            if old != now:
                message = f"changed from {'none' if old is None else old} to {'none' if now is None else now}"
                yield Change(f"{path}.{name}", message, not self.still_fits(new, name))
        if self.unit != new.unit:
            yield from (Change(each.path, each.message, True) for each in texts_changed(path, self, new, ("unit",)))

    def still_fits(self, new: Self, name: str) -> bool:
        """Tell whether every answer of before is one of the new version, as far as this key goes."""
        if name == "step":
            return new.step is None or self.goes_by(new)
        old, now = getattr(self, name), getattr(new, name)
        wider = now is None or (old is not None and (now <= old if name == "min" else now >= old))
        return wider and (name == "max" or new.step is None or self.goes_by(new))

    def goes_by(self, new: Self) -> bool:
        """Tell whether each of its steps is one of the new version's."""
        return self.step is not None and not (
            exact(self.step) % exact(new.step or 1) or (self.base - new.base) % exact(new.step or 1)
        )


def plain(value: Decimal) -> str:
    """Return a number in its shortest form."""
    return f"{value.normalize():f}"
