"""Marked items as real rows, and the table of their agreement beside the reference's view of the same items."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import uuid4

from annotation_app.agreement.span_selectors import Figure, SpanRow, span_agreement
from annotation_app.models import (
    Annotation,
    Assignment,
    Batch,
    BatchItem,
    CodebookVersion,
    Item,
    Membership,
    Project,
    Span,
)
from tests.agreement.span_reference import Mark, Marked
from tests.agreement.tables import in_pool
from tests.factories import publish

CATEGORIES = ("act", "actor", "motive")


def span_codebook(project: Project, keys: Sequence[str] = CATEGORIES) -> CodebookVersion:
    """A further published version, with a span layer of these categories and nothing else."""
    categories = [{"key": key, "name": key.title()} for key in keys]
    return publish(project, {"name": "Spans", "span_layer": {"categories": categories}})


def marked(text: str, **quotes: Sequence[str | tuple[str, str, str]]) -> Marked:
    """Marks by their words: anna=["act: raise rates"], or ("act", "raise rates", "comment"); the words occur once."""
    return Marked(text, {name: [mark(text, each) for each in marks] for name, marks in quotes.items()})


def mark(text: str, said: str | tuple[str, str, str]) -> Mark:
    category, quote, comment = (*said.split(": ", 1), "") if isinstance(said, str) else said
    assert text.count(quote) == 1, f"{quote!r} stands {text.count(quote)} times in {text!r}"
    start = text.index(quote)
    return start, start + len(quote), category, comment


def fill_spans(
    project: Project,
    people: Mapping[str, Membership],
    items: Sequence[Marked],
    *,
    number: int = 1,
    kind: str = Batch.Kind.ROUND,
    codebook: CodebookVersion | None = None,
    state: str = Assignment.State.SUBMITTED,
) -> Batch:
    """One batch of these items, submitted by the people who stand in their marks."""
    batch = Batch.objects.create(
        project=project,
        number=number,
        kind=kind,
        codebook=codebook or project.codebooks.latest("version"),
        annotators_per_item=len(people),
    )
    rows = in_pool(project, [f"{kind}-{number}-{place}" for place in range(len(items))], f"batch-{kind}-{number}")
    for row, item in zip(rows, items, strict=True):
        row.text, row.end = item.text, len(item.text)
    Item.objects.bulk_update(rows, ["text", "end"])
    places = BatchItem.objects.bulk_create(
        BatchItem(batch=batch, item=row, rank=rank) for rank, row in enumerate(rows, start=1)
    )
    submitted = [
        (place, people[name], item.text, marks)
        for place, item in zip(places, items, strict=True)
        for name, marks in item.marks.items()
    ]
    assignments = Assignment.objects.bulk_create(
        Assignment(batch_item=place, annotator=member, state=state, position=place.rank)
        for place, member, _, _ in submitted
    )
    revise_spans(
        batch, [(row, text, marks) for row, (_, _, text, marks) in zip(assignments, submitted, strict=True)], revision=1
    )
    return batch


def revise_spans(batch: Batch, made: Sequence[tuple[Assignment, str, Sequence[Mark]]], revision: int) -> None:
    """A further revision of each assignment, which becomes its current one."""
    annotations = Annotation.objects.bulk_create(
        Annotation(
            assignment=assignment,
            revision=revision,
            base_revision=revision - 1,
            client_id=uuid4(),
            body_hash="",
            codebook=batch.codebook,
            context_opened=Annotation.ContextOpened.SENTENCE,
            active_ms=1500,
            wall_ms=2000,
        )
        for assignment, _, _ in made
    )
    Span.objects.bulk_create(
        Span(
            annotation=annotation,
            place=place,
            start=start,
            end=end,
            quote=text[start:end],
            category=category,
            comment=comment,
        )
        for annotation, (_, text, marks) in zip(annotations, made, strict=True)
        for place, (start, end, category, comment) in enumerate(sorted(marks))
    )
    for annotation in annotations:
        annotation.assignment.current = annotation
    Assignment.objects.bulk_update([annotation.assignment for annotation in annotations], ["current"])


def view(
    project: Project,
    category: str | None,
    *pair: Membership,
    round: int | None = None,
    iou: float = 0.5,
) -> SpanRow:
    numbers = (pair[0].number, pair[1].number) if pair else None
    rows = span_agreement(project=project, iou=iou).rows
    (row,) = [row for row in rows if (row.category, row.round, row.pair) == (category, round, numbers)]
    return row


def rounded(figure: Figure) -> Figure:
    """Without what the last bits of a sum hold."""
    return figure if figure.value is None else replace(figure, value=round(figure.value, 12))
