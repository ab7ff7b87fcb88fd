"""A batch of span items that people annotate one by one, and a judge who validates them."""

from typing import Any
from uuid import UUID, uuid4

from annotation_app.annotation.services import annotation_submit
from annotation_app.models import Annotation, Assignment, Batch, Item, Membership
from annotation_app.validation.decision import ValidationBody
from annotation_app.validation.services import StoredValidation, validation_submit
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_member, publish
from tests.spans import span, span_codebook, span_submission


class Board:
    def __init__(self, people: People, *, size: int = 2, k: int | None = None) -> None:
        self.people = people
        self.judge = make_member(people.project, "judge", "adjudicator")
        codebook = publish(people.project, span_codebook())
        self.batch: Batch = open_batch(people.project, people.annotators, size=size, k=k, codebook=codebook)
        self.items = list(Item.objects.filter(batch_items__batch=self.batch).order_by("batch_items__rank"))

    def row(self, person: int, item: Item) -> Assignment:
        return Assignment.objects.get(annotator=self.people.annotators[person], batch_item__item=item)

    def annotate(self, person: int, item: Item, word: str, revision: int = 1) -> Annotation:
        """The whole text as the sentence, and in it one word as the act."""
        return self.send(person, item, span_submission(marked(item.text, word), revision - 1))

    def skip(self, person: int, item: Item) -> Annotation:
        return self.send(person, item, span_submission([], skip_reason="torn page"))

    def send(self, person: int, item: Item, body: Any) -> Annotation:
        row = self.row(person, item)
        return annotation_submit(membership=row.annotator, assignment_uuid=row.uuid, body=body).annotation

    def annotate_all(self, item: Item) -> list[Annotation]:
        """Alice marks "Sentence", Bob "batch", Charlie skips."""
        return [self.annotate(0, item, "Sentence"), self.annotate(1, item, "batch"), self.skip(2, item)]

    def decide(
        self, item: Item, kind: str, base: int = 0, by: Membership | None = None, **more: Any
    ) -> StoredValidation:
        body = decision(kind, base, **more)
        return validation_submit(membership=by or self.judge, item_uuid=item.uuid, body=body)


def marked(text: str, word: str) -> list[dict[str, Any]]:
    return [span(text, text, "sentence"), span(text, word, "act", f"Does {word}")]


def decision(
    kind: str, base: int = 0, annotation: UUID | Annotation | None = None, client_id: UUID | None = None, **more: Any
) -> ValidationBody:
    uuid = annotation.uuid if isinstance(annotation, Annotation) else annotation
    return ValidationBody(client_id=client_id or uuid4(), base_revision=base, decision=kind, annotation=uuid, **more)
