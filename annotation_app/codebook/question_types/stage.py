"""The part that all types of question share, and what the rest of Quorum asks of a type."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import StrictBool

from annotation_app.codebook.changes import Change
from annotation_app.codebook.conditions import OpenWhen
from annotation_app.codebook.model import Help, Json, Key, Model, Name, Prompt

# What answers are, for agreement: names; names in an order; numbers with distances; sets of names; or free words, for
# which there is no coefficient.
Measure = Literal["nominal", "ordinal", "interval", "set", "none"]
# The name of a scalar's type, or that of the parts of a list.
ExportedType = str | tuple[str]


class Stage(Model):
    """Hold one question. `open_when` is None where it is always asked.

    A subclass is a type of question. An answer is stored as a text in one form: equal answers are equal texts. How long
    it may be is the type's to check.
    """

    key: Key
    title: Name
    prompt: Prompt
    help: Help = ""
    required: StrictBool = True
    open_when: OpenWhen = None

    # As what kind of head a model learns the labels that it offers (`al_worker/formats/heads.py`); None: not at all.
    learned_as: ClassVar[str | None] = None
    # Whether a codebook with such a question has to say what a model learns.
    needs_learning: ClassVar[bool] = False
    # Whether answers are numbers, which have a median (`db/rules/number_stage.sql`).
    is_number: ClassVar[bool] = False

    @classmethod
    @abstractmethod
    def labels_in(cls, raw: Json) -> list[str]:
        """Return the answers that conditions may name, and `learning` where they are learned.

        The definition may be faulty.
        """

    @property
    @abstractmethod
    def exported_type(self) -> ExportedType:
        """Return the type of an exported answer, as Hugging Face `datasets` names it; of a list, that of its parts."""

    @property
    @abstractmethod
    def measure(self) -> Measure:
        """Return what the answers are for agreement, which follows from it (`agreement/statistics.py`)."""

    @property
    @abstractmethod
    def classes(self) -> tuple[str, ...]:
        """Return the answers in their order, where they are few and known; else nothing."""

    @abstractmethod
    def answer_fault(self, answer: Any) -> str | None:
        """Return why decoded JSON is no answer, or None. Only answers count in gates."""

    @abstractmethod
    def in_order(self, answers: Iterable[str]) -> list[str]:
        """Return distinct answers in the order in which tables show them, without those that are none."""

    @abstractmethod
    def name_of(self, answer: str) -> str:
        """Return an answer as people read it."""

    @abstractmethod
    def exported(self, answer: str) -> Any:
        """Return an answer as exports and releases write it."""

    @property
    def offered(self) -> tuple[str, ...]:
        """Return the labels that it offers, in their order: answers are one or several of them."""
        return self.classes

    @property
    def positive_labels(self) -> tuple[str, ...]:
        """Return the labels whose share is followed: none, where the type does not say which are positive."""
        return ()

    def label_name(self, label: str) -> str:
        """Return one of these labels as people read it."""
        return self.name_of(label)

    def learned_label(self, majority: str | None, votes: Mapping[str, int], takes: int) -> str | None:
        """Return what a model learns of an item: the majority, where there is one.

        `votes` are how many people gave each answer, and `takes` is how many make a majority.
        """
        return majority

    def labels_of(self, answer: str) -> tuple[str, ...]:
        """Return what a condition finds in an answer: the answer itself, or the labels that it consists of."""
        return (answer,)

    @abstractmethod
    def changes(self, new: Self, path: str) -> Iterator[Change]:
        """Yield the differences of a new version in what this type adds to a stage."""
