"""Questions that are answered with several labels of a list."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, StrictInt

from al_worker.formats.heads import SEVERAL, set_labels, set_text
from annotation_app.codebook.changes import Change, value_changed
from annotation_app.codebook.conditions import VALUES
from annotation_app.codebook.model import Json
from annotation_app.codebook.question_types.labelled import LabelledStage
from annotation_app.codebook.texts import shown
from annotation_app.faults import Fault, worded

FORM = 'Must be a JSON list of label keys, as a text, such as ["a","b"].'
Bound = Annotated[StrictInt, Field(ge=0, le=VALUES), worded(f"must be a whole number from 0 to {VALUES}")]


class SeveralStage(LabelledStage):
    """Hold a question of which a person chooses from `least` to `most` labels; `most` None is all of them.

    An answer is stored as the JSON list of the distinct label keys in alphabetical order, without spaces. With `least`
    0 the empty list is an answer: none of the labels.
    """

    type: Literal["several"]
    least: Bound = 1
    most: Bound | None = Field(None, exclude_if=lambda most: most is None)

    exported_type: ClassVar = ("string",)
    measure: ClassVar = "set"
    learned_as: ClassVar = SEVERAL
    # There are too many sets to list.
    classes: ClassVar = ()

    @classmethod
    def faults(cls, raw: Json) -> Iterator[Fault]:
        return chain(super().faults(raw), cls.bound_faults(raw))

    @classmethod
    def bound_faults(cls, raw: Json) -> Iterator[Fault]:
        labels, least, most = len(cls.labels_in(raw)), raw.get("least", 1), raw.get("most")
        # True and False count as whole numbers in Python.
        bounds = {name: n for name, n in (("least", least), ("most", most)) if type(n) is int}
        for name, n in bounds.items():
            if labels and n > labels:
                yield (name,), f"is {n}, and the question has {labels} labels only"
        if bounds.get("most") == 0:
            yield ("most",), "must be at least 1: nobody could choose a label"
        elif len(bounds) == 2 and bounds["most"] < bounds["least"]:
            yield ("most",), f"is {most}, and least is {least}: most must not be smaller"

    def answer_fault(self, answer: Any) -> str | None:
        if not isinstance(answer, str):
            return FORM
        try:
            keys = json.loads(answer)
        except (ValueError, RecursionError):
            return FORM
        if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
            return FORM
        if unknown := [key for key in keys if key not in self.label_keys]:
            return f'Unknown label "{shown(unknown[0])}". Labels here: {", ".join(self.label_keys)}.'
        if answer != (form := set_text(keys)):
            return f"Must list each label once, in alphabetical order and without spaces: {shown(form, 500)}."
        return self.number_fault(len(keys))

    def number_fault(self, n: int) -> str | None:
        if n < self.least:
            return f"Must have at least {self.least} of the labels, and has {n}."
        if self.most is not None and n > self.most:
            return f"May have at most {self.most} of the labels, and has {n}."
        return None

    def in_order(self, answers: Iterable[str]) -> list[str]:
        places = {key: place for place, key in enumerate(self.label_keys)}
        given = {answer: [places[key] for key in self.labels_of(answer)] for answer in self.valid(answers)}
        return sorted(given, key=lambda answer: sorted(given[answer]))

    def valid(self, answers: Iterable[str]) -> set[str]:
        return {answer for answer in answers if self.answer_fault(answer) is None}

    def labels_of(self, answer: str) -> tuple[str, ...]:
        """Return the labels of a stored set; of a text of another form, which an older version let in, the text."""
        keys = set_labels(answer)
        return (answer,) if keys is None else keys

    def name_of(self, answer: str) -> str:
        keys = self.labels_of(answer)
        listed = [key for key in self.label_keys if key in keys]
        return ", ".join(map(self.label_name, dict.fromkeys([*listed, *keys]))) or "none of them"

    def exported(self, answer: str) -> list[str]:
        return list(self.labels_of(answer))

    def changes(self, new: Self, path: str) -> Iterator[Change]:
        most, now = (len(each.labels) if each.most is None else each.most for each in (self, new))
        if self.least != new.least:
            yield Change(f"{path}.least", value_changed(self.least, new.least), new.least > self.least)
        if self.most != new.most:
            yield Change(f"{path}.most", value_changed(self.most, new.most), now < most)
        yield from self.label_changes(new, path, is_ordered=False)
