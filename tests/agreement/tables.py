"""Tables of answers as real rows: batches, assignments, annotations, answers, written as the product's own tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import uuid4

from annotation_app.models import (
    Annotation,
    Answer,
    Assignment,
    Batch,
    BatchItem,
    CodebookVersion,
    Document,
    Import,
    Item,
    Membership,
    Project,
    Utterance,
)

LABELS = {"Y": "yes", "N": "no", "A": "ambiguous"}


@dataclass(frozen=True)
class Said:
    """What one annotator did with one item: the answers of the current revision, and the assignment's state."""

    answers: dict[str, str] = field(default_factory=dict)
    state: str = Assignment.State.SUBMITTED
    context_opened: str = Annotation.ContextOpened.SENTENCE
    active_ms: int = 1500
    wall_ms: int = 2000


# One item: what each annotator said, None where there is no assignment.
Row = Sequence[Said | None]


def at(stage: str, letters: Mapping[str, str], labels: Mapping[str, str] = LABELS) -> dict[str, Row]:
    """{"i1": "YN-"}: one letter an annotator, a dash where there is no answer."""
    return {
        item: [None if letter == "-" else Said({stage: labels[letter]}) for letter in row]
        for item, row in letters.items()
    }


def fill(
    project: Project,
    annotators: Sequence[Membership],
    table: Mapping[str, Row],
    *,
    number: int = 1,
    slots: int | None = None,
    kind: str = Batch.Kind.ROUND,
    codebook: CodebookVersion | None = None,
) -> Batch:
    """One batch whose items are the table's rows; each row has a cell for each annotator."""
    batch = Batch.objects.create(
        project=project,
        number=number,
        kind=kind,
        codebook=codebook or project.codebooks.latest("version"),
        annotators_per_item=slots or len(annotators),
    )
    items = in_pool(project, list(table), f"batch-{kind}-{number}")
    places = BatchItem.objects.bulk_create(
        BatchItem(batch=batch, item=item, rank=rank, score=1 / rank) for rank, item in enumerate(items, start=1)
    )
    cells = [
        (place, member, said)
        for place, row in zip(places, table.values(), strict=True)
        for member, said in zip(annotators, row, strict=True)
        if said is not None
    ]
    answer(batch, cells)
    return batch


def answer(batch: Batch, cells: Sequence[tuple[BatchItem, Membership, Said]]) -> None:
    assignments = Assignment.objects.bulk_create(
        Assignment(batch_item=place, annotator=member, state=said.state, position=place.rank)
        for place, member, said in cells
    )
    answered = [
        (row, said)
        for row, (_, _, said) in zip(assignments, cells, strict=True)
        if said.state not in (Assignment.State.OPEN, Assignment.State.CLAIMED)
    ]
    annotate(batch, answered, revision=1)


def revise(batch: Batch, answers: Sequence[tuple[Assignment, dict[str, str]]], revision: int) -> None:
    """A further revision of each assignment, which becomes its current one."""
    annotate(batch, [(assignment, Said(given)) for assignment, given in answers], revision)


def annotate(batch: Batch, answers: Sequence[tuple[Assignment, Said]], revision: int) -> None:
    annotations = Annotation.objects.bulk_create(
        Annotation(
            assignment=assignment,
            revision=revision,
            base_revision=revision - 1,
            client_id=uuid4(),
            body_hash="",
            codebook=batch.codebook,
            context_opened=said.context_opened,
            active_ms=said.active_ms,
            wall_ms=said.wall_ms,
            comment="",
            skip_reason="" if said.answers else "unclear",
        )
        for assignment, said in answers
    )
    Answer.objects.bulk_create(
        Answer(annotation=annotation, stage=stage, label=label)
        for annotation, (_, said) in zip(annotations, answers, strict=True)
        for stage, label in said.answers.items()
    )
    for annotation in annotations:
        annotation.assignment.current = annotation
    Assignment.objects.bulk_update([annotation.assignment for annotation in annotations], ["current"])


def in_pool(project: Project, names: Sequence[str], document: str) -> list[Item]:
    """Items named as asked, each the whole text of its own utterance."""
    source = Import.objects.create(project=project, filename="test", format="jsonl", state=Import.State.DONE)
    row = Document.objects.create(
        project=project, source=source, external_id=document, title=document, position=project.documents.count()
    )
    utterances = Utterance.objects.bulk_create(
        Utterance(
            document=row,
            external_id=f"{name}-u",
            position=position,
            speaker="Chair",
            text=f"Text of {name}.",
            n_tokens=3,
            sentence_starts=[0],
            sentence_ends=[len(f"Text of {name}.")],
        )
        for position, name in enumerate(names)
    )
    return Item.objects.bulk_create(
        Item(
            project=project,
            document=row,
            utterance=utterance,
            external_id=name,
            number=1,
            start=0,
            end=len(utterance.text),
            text=utterance.text,
        )
        for name, utterance in zip(names, utterances, strict=True)
    )
