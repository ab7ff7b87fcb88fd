"""Hold what an evaluation says in one revision, and check what people send."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from al_worker.equivalence.evaluations import Evaluation
from annotation_app.codebook.texts import shown, words_fault
from annotation_app.refusals import Invalid

NOT_SAVED = "The evaluation was not saved."
NAME_LENGTH, MEMBER_LENGTH = 200, 10_000
MOST_CLASSES, MOST_MEMBERS = 2_000, 50_000


@dataclass(frozen=True)
class ClassContent:
    """Hold an equivalence class. `key` is a UUID in text, the same through all revisions."""

    key: str
    name: str
    members: tuple[str, ...]

    @property
    def says(self) -> tuple[str, frozenset[str]]:
        """Return what a review is about."""
        return self.name, frozenset(member.strip() for member in self.members)


@dataclass(frozen=True)
class Content:
    """Hold an evaluation of the category that `annotation` names."""

    annotation: str
    name: str
    part: str
    in_depth: bool
    classes: tuple[ClassContent, ...] = ()

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Content":
        classes = tuple(ClassContent(each["key"], each["name"], tuple(each["members"])) for each in stored["classes"])
        return cls(stored["annotation"], stored["evaluation"], stored["part"], stored["in_depth"], classes)

    def stored(self) -> dict[str, Any]:
        return {
            "annotation": self.annotation,
            "evaluation": self.name,
            "part": self.part,
            "in_depth": self.in_depth,
            "classes": [{"key": each.key, "name": each.name, "members": list(each.members)} for each in self.classes],
        }

    @property
    def evaluation(self) -> Evaluation:
        """Return it as instances and files are made of; it must be complete."""
        members = tuple(each.members for each in self.classes)
        names = tuple(each.name for each in self.classes)
        return Evaluation(self.annotation, self.name, members, self.part, self.in_depth, names if any(names) else ())

    @property
    def members(self) -> set[str]:
        return {member.strip() for each in self.classes for member in each.members}

    @property
    def unfinished(self) -> str:
        """Return why it gives no instance yet; empty where it is complete."""
        empty = sum(not each.members for each in self.classes)
        if len(self.classes) < 2:
            n = "one class" if self.classes else "no class"
            return f"it has {n}, and an evaluation needs two or more"
        if empty:
            return "a class of it has no string" if empty == 1 else f"{empty} classes of it have no string"
        return ""


def content_check(content: Content, before: Content | None = None) -> None:
    """Raise Invalid with every fault by its field: `name`, `classes[2].members[0]`.

    A string is a member of one class only. One that stands twice in a class is refused too, unless it was so `before`:
    a file may have brought it.
    """
    errors = dict(_faults(content, _repeated(before.classes) if before else set()))
    if errors:
        raise Invalid({place: [message] for place, message in errors.items()}, NOT_SAVED)


def _repeated(classes: Sequence[ClassContent]) -> set[str]:
    counts = (Counter(member.strip() for member in each.members) for each in classes)
    return {text for count in counts for text, n in count.items() if n > 1}


def _faults(content: Content, may_repeat: set[str]) -> Iterator[tuple[str, str]]:
    if not content.name.strip():
        yield "name", "Give the evaluation a name."
    elif fault := words_fault(content.name, NAME_LENGTH):
        yield "name", fault
    if len(content.classes) > MOST_CLASSES or sum(len(each.members) for each in content.classes) > MOST_MEMBERS:
        yield "classes", f"An evaluation has at most {MOST_CLASSES:,} classes and {MOST_MEMBERS:,} strings."
        return
    keys: dict[str, int] = {}
    places: dict[str, tuple[int, int]] = {}
    for number, each in enumerate(content.classes):
        if keys.setdefault(each.key, number) != number:
            yield f"classes[{number}].key", f"Class {keys[each.key] + 1} has this key too: give each its own."
        if fault := words_fault(each.name, NAME_LENGTH):
            yield f"classes[{number}].name", fault
        for at, member in enumerate(each.members):
            place, text = f"classes[{number}].members[{at}]", member.strip()
            if not text:
                yield place, "A string is empty: take it out."
            elif fault := words_fault(member, MEMBER_LENGTH):
                yield place, fault
            else:
                other, _ = places.setdefault(text, (number, at))
                if other != number:
                    yield place, f"“{shown(text, 80)}” is in class {other + 1} too: a string is in one class only."
                elif places[text] != (number, at) and text not in may_repeat:
                    yield place, f"“{shown(text, 80)}” is in this class already: take it out."
