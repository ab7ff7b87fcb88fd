"""Read what each annotator answered at the gold items of an evaluation, who are compared with systems by it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation_app.aggregation.planner import planned
from annotation_app.codebook.definition import codebook_of
from annotation_app.evaluation.gold import release_found, release_records
from annotation_app.evaluation.questions import Question, questions_of
from annotation_app.evaluation.spec import GoldSource
from annotation_app.evaluation.statements import people_answers_statement
from annotation_app.models import Evaluation
from annotation_app.rounds.batches import usable_batches

PSEUDONYM = "annotator "


@dataclass(frozen=True)
class PersonAnswer:
    """Hold a person's answer as the question has it. `annotator` is the person's number."""

    item: str
    stage: str
    annotator: int
    label: str


def people_answers(row: Evaluation) -> list[PersonAnswer]:
    """Return the answers to items with a gold label, one of each person at an item and stage: that of the last batch.

    They are those of the release, or of the project as it is now.
    """
    questions = {key: questions_of(codebook_of(row.codebook))[key] for key in row.spec["stages"]}
    source = GoldSource.model_validate(row.spec["gold"])
    found = in_release(row, source, questions) if source.kind == "release" else in_project(row, source)
    latest = {(item, stage, annotator): label for item, stage, annotator, label in found if stage in questions}
    return [
        PersonAnswer(item, stage, annotator, questions[stage].asked(label))
        for (item, stage, annotator), label in latest.items()
    ]


def in_project(row: Evaluation, source: GoldSource) -> Iterator[tuple[str, str, int, str]]:
    batches = [batch.pk for batch in usable_batches(row.project, row.codebook)]
    given: dict[str, Any] = {"project": row.project_id, "batches": batches, "evaluation": row.pk}
    with planned() as cursor:
        cursor.execute(people_answers_statement(source.phase), given)
        yield from cursor.fetchall()


def in_release(
    row: Evaluation, source: GoldSource, questions: dict[str, Question]
) -> Iterator[tuple[str, str, int, str]]:
    gold = set(row.gold.values_list("item__external_id", "stage"))
    for record in release_records(release_found(row.project, source.release)):
        for stage in questions:
            if (record["id"], stage) in gold:
                raw = record["labels"][stage]["raw"]
                yield from (
                    (record["id"], stage, int(name.removeprefix(PSEUDONYM)), label)
                    for name, label in raw.items()
                    if label is not None
                )
