"""Questions that are answered with a short text."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, StrictInt

from annotation_app.codebook.changes import Change, value_changed
from annotation_app.codebook.model import Json
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.faults import worded

LONGEST = 2_000
# Control characters, what ends a line, and lone surrogates, which are not characters.
NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
BYTE_ORDER_MARK = "\ufeff"
Length = Annotated[StrictInt, Field(ge=1, le=LONGEST), worded(f"must be a whole number from 1 to {LONGEST:,}")]


class TextStage(Stage):
    """Hold a question for a short text: one line of at most `most_characters` code points.

    An answer is stored in Unicode's normal form C (NFC), without white space at its ends.
    """

    type: Literal["text"]
    most_characters: Length = LONGEST

    exported_type: ClassVar = "string"
    measure: ClassVar = "none"
    classes: ClassVar = ()

    @classmethod
    def labels_in(cls, raw: Json) -> list[str]:
        return []

    def answer_fault(self, answer: Any) -> str | None:
        if not isinstance(answer, str):
            return "Must be a text."
        if bad := NOT_IN_A_LINE.search(answer):
            return f"Must be one line: take out character {bad.start() + 1} (U+{ord(bad[0]):04X})."
        if answer.strip().strip(BYTE_ORDER_MARK) != answer:
            return "Must not begin or end with white space."
        if not answer:
            return "Must not be empty."
        if len(answer) > self.most_characters:
            return f"Has {len(answer):,} characters; at most {self.most_characters:,} are allowed."
        if not unicodedata.is_normalized("NFC", answer):
            return "Must be in Unicode's normal form C (NFC)."
        return None

    def in_order(self, answers: Iterable[str]) -> list[str]:
        return sorted(answer for answer in set(answers) if self.answer_fault(answer) is None)

    def name_of(self, answer: str) -> str:
        return answer

    def exported(self, answer: str) -> str:
        return answer

    def changes(self, new: Self, path: str) -> Iterator[Change]:
        old, now = self.most_characters, new.most_characters
        if old != now:
            yield Change(f"{path}.most_characters", value_changed(old, now), now < old)
