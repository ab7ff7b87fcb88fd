"""Read and write the datasheet of a project: every question, its computed answer, and an admin's answer."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation_app.codebook.texts import words_fault
from annotation_app.models import DatasheetAnswer, Project, User, event_write
from annotation_app.refusals import Invalid, NotYours
from annotation_app.releases.datasheet_facts.answers import computed_answer, computed_answers, computed_blocks
from annotation_app.releases.datasheet_facts.facts import datasheet_facts

QUESTIONS = Path(__file__).parent / "questions.json"
ANSWER_LENGTH = 50_000


class StaleAnswer(Exception):
    """Signal that somebody saved another answer after `base_revision` was read."""


@dataclass(frozen=True)
class Question:
    """Hold one question with its answers, in Markdown.

    `computed` is made from the data, or None. `needs_answer` means that only a person can answer. `answer` is an
    admin's, blank where there is none; `revision` is 0 where it was never answered.
    """

    key: str
    text: str
    help: str
    needs_answer: bool
    computed: str | None = None
    answer: str = ""
    revision: int = 0
    answered_by: str | None = None
    answered_at: datetime | None = None

    @property
    def is_open(self) -> bool:
        return self.needs_answer and not self.answer.strip()


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    questions: list[Question]


@dataclass(frozen=True)
class Datasheet:
    """Hold the datasheet.

    `source` names where the questions come from; `blocks` are more parts of a card, made from data.
    """

    source: str
    sections: list[Section]
    blocks: Mapping[str, str] = field(default_factory=dict)

    @property
    def questions(self) -> Iterator[Question]:
        return (question for section in self.sections for question in section.questions)

    @property
    def n_questions(self) -> int:
        return sum(1 for _ in self.questions)

    @property
    def n_open(self) -> int:
        """Count the questions that only a person can answer, and nobody has."""
        return sum(question.is_open for question in self.questions)

    def answer(self, key: str) -> str:
        """Return an admin's answer to this question, stripped; blank where nothing was written."""
        return next(question.answer.strip() for question in self.questions if question.key == key)


@cache
def asked() -> dict[str, Any]:
    """Read questions.json: {"source", "sections": [{"key", "title", "questions": [...]}]}."""
    return dict(json.loads(QUESTIONS.read_text(encoding="utf-8")))


@cache
def question_texts() -> dict[str, dict[str, Any]]:
    """Return what questions.json holds of each question, by key."""
    return {each["key"]: each for section in asked()["sections"] for each in section["questions"]}


def datasheet_read(*, project: Project) -> Datasheet:
    """Return every question in order. The number of queries does not grow with the data."""
    answers = answers_of(project)
    facts = datasheet_facts(project, texts_of(answers))
    computed = computed_answers(facts)
    return Datasheet(
        source=asked()["source"],
        sections=[
            Section(
                section["key"],
                section["title"],
                [
                    question_of(each, answers.get(each["key"]), computed.get(each["key"]))
                    for each in section["questions"]
                ],
            )
            for section in asked()["sections"]
        ],
        blocks=computed_blocks(facts),
    )


def question_read(*, project: Project, key: str) -> Question:
    """Return one question of the datasheet. Raises NotYours."""
    told = question_told(key)
    answers = answers_of(project)
    computed = computed_answer(key, lambda: datasheet_facts(project, texts_of(answers)))
    return question_of(told, answers.get(key), computed)


def question_told(key: str) -> dict[str, Any]:
    """Return what questions.json holds of one question. Raises NotYours."""
    try:
        return question_texts()[key]
    except KeyError:
        raise NotYours(key) from None


def answers_of(project: Project) -> dict[str, DatasheetAnswer]:
    """Return the admins' answers by question."""
    rows = DatasheetAnswer.objects.filter(project=project).select_related("answered_by")
    return {row.question: row for row in rows}


def texts_of(answers: Mapping[str, DatasheetAnswer]) -> dict[str, str]:
    return {key: row.text for key, row in answers.items()}


def questions_open(project: Project) -> int:
    """Count open questions as `n_open` does, in one query and without computed answers."""
    rows = DatasheetAnswer.objects.filter(project=project).values_list("question", "text")
    answered = {question for question, text in rows if text.strip()}
    return sum(told["needs_answer"] and key not in answered for key, told in question_texts().items())


def question_of(told: Mapping[str, Any], row: DatasheetAnswer | None, computed: str | None) -> Question:
    question = Question(told["key"], told["text"], told["help"], told["needs_answer"], computed)
    if row is None:
        return question
    written = {"answer": row.text, "revision": row.revision, "answered_at": row.answered_at}
    return Question(**vars(question) | written | {"answered_by": row.answered_by.shown_name})


@transaction.atomic
def datasheet_answer(*, project: Project, question: str, text: str, base_revision: int, actor: User) -> None:
    """Save what an admin wrote; a blank text takes the answer away.

    `base_revision` is the one that the text was written from, 0 where there was none. Raises NotYours,
    Invalid and StaleAnswer.
    """
    question_told(question)
    if fault := words_fault(text, ANSWER_LENGTH):
        raise Invalid({"text": [fault]})
    # Two people who answer a question for the first time have no row to lock: the project's lock orders them.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    row = DatasheetAnswer.objects.filter(project=project, question=question).first()
    revision = row.revision if row else 0
    if revision != base_revision:
        raise StaleAnswer(f"Somebody changed this answer after you read it. It is now at revision {revision}.")
    row = row or DatasheetAnswer(project=project, question=question)
    row.text, row.revision, row.answered_by, row.answered_at = text, revision + 1, actor, timezone.now()
    row.save()
    event_write(
        verb="datasheet_answered",
        project=project,
        actor_id=actor.pk,
        subject=question,
        revision=row.revision,
        characters=len(text),
    )
