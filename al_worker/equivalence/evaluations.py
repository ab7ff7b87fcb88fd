"""Hold evaluations by equivalence classes, and read and write them in their authors' JSON (Marfurt et al. 2022, 3.1).

An evaluation tests a part of the spans of one category. Its classes hold strings that mean the same for its purpose.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from al_worker.equivalence.errors import EquivalenceInvalid
from al_worker.formats.json_files import read_json_file

FORM = '[{"annotation", "evaluation", "equivalence_classes": [[member]]}]'
KEYS = ("annotation", "evaluation", "equivalence_classes", "part", "in_depth", "class_names")
WORDS, COMMENT, BOTH = PARTS = ("words", "comment", "both")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Hold an evaluation of the category `annotation`; its classes have numbers from 0.

    `part` says what of a span is tested: its words, its comment, or words (comment). An evaluation that is `in_depth`
    tests one property and is kept out of the main mean. `class_names` has a name for each class, "" for none; or it is
    empty.
    """

    annotation: str
    name: str
    classes: tuple[tuple[str, ...], ...]
    part: str
    in_depth: bool
    class_names: tuple[str, ...] = ()

    @property
    def distinct(self) -> tuple[list[str], ...]:
        """Return the members of each class in order, without outer white space, each once."""
        return tuple(sorted({member.strip() for member in members}) for members in self.classes)

    @property
    def class_of(self) -> dict[str, int]:
        """Return the class of each member, without outer white space."""
        return {member.strip(): number for number, members in enumerate(self.classes) for member in members}

    def written(self) -> dict[str, Any]:
        """Return the evaluation in the authors' form.

        Part and depth are there only where the name says otherwise, and names of classes only where one has any.
        """
        found: dict[str, Any] = {
            "annotation": self.annotation,
            "evaluation": self.name,
            "equivalence_classes": [list(members) for members in self.classes],
        }
        if self.part != part_by_name(self.name):
            found["part"] = self.part
        if self.in_depth != in_depth_by_name(self.name):
            found["in_depth"] = self.in_depth
        if any(self.class_names):
            found["class_names"] = list(self.class_names)
        return found


@dataclass(frozen=True, slots=True)
class Member:
    """Locate a member: the numbers of its evaluation, of its class and of itself, from 0."""

    evaluation: int
    class_number: int
    number: int
    text: str

    @property
    def place(self) -> str:
        """Return where the member stands in its file."""
        return f"[{self.evaluation}].equivalence_classes[{self.class_number}][{self.number}]"


def part_by_name(name: str) -> str:
    """Return the part that an evaluation of this name tests.

    The authors' form has no field for it. They call comments labels: "act labels", "act with label negation".
    """
    if re.search(r"\bwith (label|comment)s?\b", name, re.IGNORECASE):
        return BOTH
    return COMMENT if re.search(r"\b(label|comment)s?\b", name, re.IGNORECASE) else WORDS


def in_depth_by_name(name: str) -> bool:
    """Return whether the name says that modal verbs or negation are tested (Marfurt et al. 2022, 4.1)."""
    return re.search(r"\b(modals?|negations?)\b", name, re.IGNORECASE) is not None


def same_category(name: str) -> str:
    """Return what the names of one category have in common: the authors write "act" in one file, "ACT" in the other."""
    return name.casefold().replace("_", " ").strip()


def tested_part(part: str, words: str, comment: str | None) -> str | None:
    """Return what a part of a span is, as members are written; None where a span without a comment has none."""
    words, comment = words.strip(), None if comment is None else comment.strip()
    if part == COMMENT:
        return comment
    return words if part == WORDS or comment is None else f"{words} ({comment})"


def evaluations_text(evaluations: Iterable[Evaluation]) -> str:
    """Return the file of the evaluations, laid out as the authors' is."""
    return json.dumps([each.written() for each in evaluations], ensure_ascii=False, indent=2) + "\n"


def read_evaluations(path: Path) -> list[Evaluation]:
    """Read a file of evaluations, which `evaluations_of` describes. Raises EquivalenceInvalid."""
    return evaluations_of(read_json_file(path, EquivalenceInvalid), str(path))


def evaluations_of(value: Any, file: str) -> list[Evaluation]:
    """Check a list of {"annotation", "evaluation", "equivalence_classes": [[member]]}.

    There may be "part" and "in_depth"; the evaluation's name says them otherwise. There may be "class_names", one for
    each class. An evaluation has two classes or more, and no string is a member of two classes. Messages call the list
    `file`. Raises EquivalenceInvalid.
    """
    if not isinstance(value, list):
        raise EquivalenceInvalid(file, "", f"must be a list: {FORM}")
    places: dict[tuple[str, str], str] = {}
    found = []
    for number, record in enumerate(value):
        place = f"[{number}]"
        evaluation = evaluation_of(record, file, place)
        before = places.setdefault((same_category(evaluation.annotation), evaluation.name), place)
        if before != place:
            message = f"{evaluation.name!r} of {evaluation.annotation!r} is {before} too; rename one, or join the two"
            raise EquivalenceInvalid(file, f"{place}.evaluation", message)
        found.append(evaluation)
    return found


def check_categories(evaluations: Sequence[Evaluation], categories: Iterable[str], file: str) -> None:
    """Raise EquivalenceInvalid for an evaluation of a category that the codebook does not have."""
    names = list(categories)
    known = {same_category(name) for name in names}
    for number, evaluation in enumerate(evaluations):
        if same_category(evaluation.annotation) not in known:
            message = f"{evaluation.annotation!r} is no category of the codebook; it has {', '.join(names)}"
            raise EquivalenceInvalid(file, f"[{number}].annotation", message)


def members_of(at: int, evaluation: Evaluation) -> Iterator[Member]:
    """Yield the members of the evaluation that is number `at` of its file."""
    for class_number, members in enumerate(evaluation.classes):
        for number, text in enumerate(members):
            yield Member(at, class_number, number, text)


def repeated_members(evaluations: Sequence[Evaluation]) -> Iterator[Member]:
    """Yield the members that stand in their class before, as one in the authors' file does."""
    for at, evaluation in enumerate(evaluations):
        seen: set[str] = set()
        for member in members_of(at, evaluation):
            if member.text.strip() in seen:
                yield member
            seen.add(member.text.strip())


def evaluation_of(record: Any, file: str, place: str) -> Evaluation:
    """Check one evaluation of a list as `evaluations_of` does. Raises EquivalenceInvalid with its first fault."""
    if not isinstance(record, dict):
        raise EquivalenceInvalid(file, place, f"must be an object: {FORM[1:-1]}")
    for key in record.keys() - set(KEYS):
        raise EquivalenceInvalid(file, place, f"has {key!r}, which would be lost; leave it out")
    annotation, name = (_text(file, f"{place}.{key}", record.get(key)) for key in KEYS[:2])
    classes = _classes(file, f"{place}.equivalence_classes", record.get("equivalence_classes"))
    part, in_depth = record.get("part", part_by_name(name)), record.get("in_depth", in_depth_by_name(name))
    if part not in PARTS:
        raise EquivalenceInvalid(
            file, f"{place}.part", f"{part!r} is no part of a span; it is one of {', '.join(PARTS)}"
        )
    if not isinstance(in_depth, bool):
        raise EquivalenceInvalid(file, f"{place}.in_depth", "must be true or false")
    names = _class_names(file, f"{place}.class_names", record.get("class_names", []), len(classes))
    return Evaluation(annotation, name, classes, part, in_depth, names)


def _class_names(file: str, place: str, value: Any, n_classes: int) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise EquivalenceInvalid(file, place, "must be a list of texts, one for each class")
    if value and len(value) != n_classes:
        message = f"has {len(value)} names for {n_classes} classes; write one for each, empty where it has none"
        raise EquivalenceInvalid(file, place, message)
    return tuple(value)


def _classes(file: str, place: str, value: Any) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list):
        raise EquivalenceInvalid(file, place, "must be a list of classes, each a list of strings")
    if len(value) < 2:
        message = f"an evaluation has two classes or more, not {len(value)}; add one, or leave the evaluation out"
        raise EquivalenceInvalid(file, place, message)
    places: dict[str, str] = {}
    classes = []
    for number, members in enumerate(value):
        classes.append(tuple(_members(file, f"{place}[{number}]", members, places)))
    return tuple(classes)


def _members(file: str, place: str, value: Any, places: dict[str, str]) -> Iterator[str]:
    if not isinstance(value, list) or not value:
        raise EquivalenceInvalid(file, place, "must be a list of strings with one or more; leave an empty class out")
    for at, member in enumerate(value):
        here = f"{place}[{at}]"
        before = places.setdefault(_text(file, here, member).strip(), here)
        # The authors' file has members that stand twice in one class.
        if not before.startswith(f"{place}["):
            message = f"{member!r} is {before} too; a string is a member of one class only"
            raise EquivalenceInvalid(file, here, message)
        yield member


def _text(file: str, place: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise EquivalenceInvalid(file, place, "must be a text that is not empty")
    return value
