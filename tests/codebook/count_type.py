"""A type of question without labels, for tests: how often something occurs, answered with a whole number."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Literal, Self

from annotation_app.codebook.changes import Change
from annotation_app.codebook.model import Json
from annotation_app.codebook.question_types.stage import Stage


class CountStage(Stage):
    type: Literal["count"]

    exported_type: ClassVar = "int64"
    measure: ClassVar = "nominal"
    classes: ClassVar = ()

    @classmethod
    def labels_in(cls, raw: Json) -> list[str]:
        return []

    def answer_fault(self, answer: Any) -> str | None:
        return None if isinstance(answer, str) and answer.isdecimal() else "Must be a whole number (a text)."

    def in_order(self, answers: Iterable[str]) -> list[str]:
        return sorted({answer for answer in answers if not self.answer_fault(answer)}, key=int)

    def name_of(self, answer: str) -> str:
        return f"{answer} times"

    def exported(self, answer: str) -> int:
        return int(answer)

    def changes(self, new: Self, path: str) -> Iterator[Change]:
        return iter(())
