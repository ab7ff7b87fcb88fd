"""Declare the shapes of labelling for the OpenAPI schema, and build them from rows.

People wait for labelling requests, so responses are built as plain dictionaries; a test holds each against its
declaration.
"""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotation_app.annotation.second_look import first_looks
from annotation_app.annotation.selectors import (
    Content,
    PinnedCodebook,
    answers_of,
    content_of,
    pinned_codebook,
    span_counts,
)
from annotation_app.annotation.services import Submitted
from annotation_app.annotation.span_rules import SpanText
from annotation_app.annotation.submission import COMMENT_LENGTH, REASON_LENGTH
from annotation_app.api.blinding import lock_reason_text
from annotation_app.api.item_serializers import SerializedItem, serialize_items, size_of
from annotation_app.assignment.locked import LockReason, lock_reason
from annotation_app.assignment.open_batch import BatchFacts, batch_facts
from annotation_app.assignment.selectors import WindowState, claimed_until
from annotation_app.assignment.services import FEWEST, Window
from annotation_app.models import Annotation, Assignment, Project, SourceDocument

ANSWERS = serializers.DictField(child=serializers.CharField())
# Code points of a done item's text in the list of them.
BEGINNING = 600
# Characters of one answer to `next`: forty sentences with their context, or a dozen whole documents.
LONGEST_WINDOW = 400_000
STATES = [state for state, _ in Assignment.State.choices]


@extend_schema_field(ANSWERS)
class Answers(serializers.JSONField):
    """{stage: label}, left as sent: the codebook's own check names what is wrong with it."""


class SpanIn(serializers.Serializer):
    start = serializers.IntegerField(help_text="Code points from the start of the item's text.")
    end = serializers.IntegerField(help_text="The first code point after the span.")
    quote = serializers.CharField(help_text="text[start:end], checked.")
    category = serializers.CharField()
    comment = serializers.CharField(allow_null=True, allow_blank=True, required=False)
    # A serializer's own `source` is set when it is made; as a field's name it is free.
    source = serializers.UUIDField(  # type: ignore[assignment]
        allow_null=True, required=False, help_text="The source document that it means."
    )


class SpanOut(SpanIn):
    comment = serializers.CharField(allow_null=True)
    source = serializers.UUIDField(allow_null=True)


@extend_schema_field(SpanIn(many=True))
class Spans(serializers.ListField):
    """Left as sent: the span rules name what is wrong with each."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.JSONField(), **options)


class SubmissionIn(serializers.Serializer):
    client_id = serializers.UUIDField()
    base_revision = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    answers = Answers()
    spans = Spans(default=list)
    comment = serializers.CharField(max_length=COMMENT_LENGTH, allow_blank=True, trim_whitespace=False, default="")
    context_opened = serializers.ChoiceField(
        choices=[level for level, _ in Annotation.ContextOpened.choices],
        # The usual message repeats what was sent, which may be no text at all (a lone surrogate).
        error_messages={"invalid_choice": f"Choose one of {', '.join(Annotation.ContextOpened.values)}."},
    )
    active_ms = serializers.IntegerField(min_value=0)
    wall_ms = serializers.IntegerField(min_value=0)
    skip_reason = serializers.CharField(
        max_length=REASON_LENGTH, allow_blank=True, allow_null=True, trim_whitespace=False, default=""
    )


class TurnOut(serializers.Serializer):
    speaker = serializers.CharField(allow_null=True)
    text = serializers.CharField()


class UtteranceContextOut(serializers.Serializer):
    speaker = serializers.CharField(allow_null=True)
    before = serializers.CharField()
    after = serializers.CharField()


class ContextOut(serializers.Serializer):
    utterance = UtteranceContextOut(allow_null=True)
    minus_5_sentences = TurnOut(many=True)
    minus_200_tokens = TurnOut(many=True)


class ItemDocumentOut(serializers.Serializer):
    title = serializers.CharField()
    external_id = serializers.CharField()


class ItemUtteranceOut(serializers.Serializer):
    external_id = serializers.CharField()
    number = serializers.IntegerField(help_text="The turn's place in its document, from 1.")


class ItemSourceOut(serializers.Serializer):
    id = serializers.UUIDField()
    external_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    n_words = serializers.IntegerField(help_text="Whitespace tokens.")


class MarkOut(serializers.Serializer):
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    category = serializers.CharField()
    comment = serializers.CharField(allow_null=True)
    source = serializers.UUIDField(allow_null=True)  # type: ignore[assignment]


class ShownFieldOut(serializers.Serializer):
    name = serializers.CharField()
    value = serializers.JSONField()


class ItemOut(serializers.Serializer):
    id = serializers.UUIDField()
    external_id = serializers.CharField()
    text = serializers.CharField()
    speaker = serializers.CharField(allow_null=True)
    document = ItemDocumentOut()
    utterance = ItemUtteranceOut(allow_null=True)
    sentence_number = serializers.IntegerField(allow_null=True)
    # Serializers keep their fields apart from their attributes, of which one has this name.
    context = ContextOut()  # type: ignore[assignment]
    beside = ShownFieldOut(many=True, help_text="The columns that an admin chose to show beside the text.")
    sources = ItemSourceOut(many=True, help_text="Documents that the item is about; their text has a route of its own.")
    marks = MarkOut(many=True, help_text="Spans imported with the item; nobody's annotation.")


class AssignmentCodebookOut(serializers.Serializer):
    id = serializers.UUIDField()
    version = serializers.IntegerField()
    definition = serializers.JSONField()


class SourceOut(serializers.Serializer):
    id = serializers.UUIDField()
    external_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class SourcesOut(serializers.Serializer):
    sources = SourceOut(many=True)


class CurrentOut(serializers.Serializer):
    revision = serializers.IntegerField()
    answers = ANSWERS
    spans = SpanOut(many=True)
    comment = serializers.CharField(allow_blank=True)
    context_opened = serializers.ChoiceField(choices=Annotation.ContextOpened.choices)
    skip_reason = serializers.CharField(allow_null=True)


class FirstLookOut(serializers.Serializer):
    answers = ANSWERS
    comment = serializers.CharField(allow_blank=True)
    context_opened = serializers.ChoiceField(choices=Annotation.ContextOpened.choices)
    differs = serializers.ListField(
        child=serializers.CharField(), help_text="Stages at which somebody's independent label is another one."
    )


class AssignmentBatchOut(serializers.Serializer):
    number = serializers.IntegerField()
    total = serializers.IntegerField(help_text="Items in the batch.")
    open = serializers.BooleanField(help_text="False once it is frozen: nothing can be revised then.")


class AssignmentOut(serializers.Serializer):
    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=STATES)
    position = serializers.IntegerField(help_text="Place in the person's own order, from 1.")
    claimed_until = serializers.DateTimeField(
        allow_null=True, help_text="Left alone until then, the item may go to somebody else. Null: it stays."
    )
    item = ItemOut()
    codebook = AssignmentCodebookOut()
    current = CurrentOut(allow_null=True)
    first_look = FirstLookOut(
        allow_null=True, help_text="In a second look: the person's own independent answer, to confirm or correct."
    )
    batch = AssignmentBatchOut()
    final = serializers.CharField(
        allow_null=True, help_text="Why no answer or change is taken any more, in words; null while one is."
    )


class WindowProgressOut(serializers.Serializer):
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    withdrawn = serializers.IntegerField(
        help_text="Taken back from the person or given to somebody else; not counted in the total."
    )
    batch_number = serializers.IntegerField(allow_null=True)


class WindowOut(serializers.Serializer):
    assignments = AssignmentOut(many=True)
    held = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="All that the person has in hand, in their order; `assignments` are the first of them.",
    )
    state = serializers.ChoiceField(choices=[str(state) for state in WindowState])
    progress = WindowProgressOut()


class DoneAssignmentOut(serializers.Serializer):
    id = serializers.UUIDField()
    position = serializers.IntegerField()
    state = serializers.ChoiceField(choices=["submitted", "skipped", "surplus"])
    text = serializers.CharField(help_text="Of a long item the beginning.")
    answers = ANSWERS
    n_spans = serializers.IntegerField()


class DoneOut(serializers.Serializer):
    assignments = DoneAssignmentOut(many=True)
    codebook = AssignmentCodebookOut(allow_null=True, help_text="The batch's; null where nothing is done yet.")


class AnnotationOut(serializers.Serializer):
    id = serializers.UUIDField()
    revision = serializers.IntegerField()
    answers = ANSWERS
    spans = SpanOut(many=True)
    created_at = serializers.DateTimeField()


class SubmittedOut(serializers.Serializer):
    annotation = AnnotationOut()
    refill = WindowOut()


class LabellingConflict(serializers.Serializer):
    """Why the state of things does not allow it; `current` comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=["stale", "client_id_reused", "closed", "seen", "withdrawn", "answered"])
    current = CurrentOut(required=False, allow_null=True)


def serialize_window(window: Window, project: Project) -> dict[str, Any]:
    progress = window.progress
    items = serialize_items([row.batch_item.item_id for row in window.assignments], project)
    rows = first_of(window.assignments, items)
    batch = batch_facts(window.batch_id) if window.batch_id else None
    firsts = serialize_first_looks(rows, batch)
    return {
        "assignments": [
            serialize_assignment(row, items[row.batch_item.item_id], batch, firsts.get(row.batch_item.item_id))
            for row in rows
            if batch
        ],
        "held": window.held,
        "state": str(progress.state),
        "progress": {
            "done": progress.done,
            "total": progress.total,
            "withdrawn": progress.withdrawn,
            "batch_number": progress.batch_number,
        },
    }


def first_of(rows: Sequence[Assignment], items: dict[int, SerializedItem]) -> Sequence[Assignment]:
    """Return as many rows as come to about LONGEST_WINDOW characters of text, and FEWEST at least."""
    size = 0
    for place, row in enumerate(rows):
        size += size_of(items[row.batch_item.item_id])
        if size > LONGEST_WINDOW and place >= FEWEST:
            return rows[:place]
    return rows


def serialize_codebook(codebook: PinnedCodebook) -> dict[str, Any]:
    return {"id": codebook.uuid, "version": codebook.version, "definition": codebook.definition}


def serialize_done_page(rows: Sequence[Assignment]) -> dict[str, Any]:
    """Return the person's done items, with the codebook that names their answers."""
    if not rows:
        return {"assignments": [], "codebook": None}
    codebook = pinned_codebook(rows[0].batch_item.batch.codebook_id)
    counts = span_counts(rows) if codebook.parsed.span_layer else {}
    shown = [serialize_done(row, counts.get(row.current_id, 0)) for row in rows]
    return {"assignments": shown, "codebook": serialize_codebook(codebook)}


def serialize_first_looks(rows: Sequence[Assignment], batch: BatchFacts | None) -> dict[int, dict[str, Any]]:
    """Return first looks by item id; none, and without a query, outside a second look."""
    if batch is None or batch.second_look_of is None or not rows:
        return {}
    return {
        item: {
            "answers": answers_of(first.annotation),
            "comment": first.annotation.comment,
            "context_opened": first.annotation.context_opened,
            "differs": [stage for stage in answers_of(first.annotation) if stage in first.differs],
        }
        for item, first in first_looks(rows, batch.second_look_of).items()
    }


def serialize_assignment(
    row: Assignment,
    item: SerializedItem,
    batch: BatchFacts,
    first_look: dict[str, Any] | None,
    final: LockReason | None = None,
) -> dict[str, Any]:
    codebook = pinned_codebook(batch.codebook_id)
    return {
        "id": row.uuid,
        "state": row.state,
        "position": row.position,
        "claimed_until": claimed_until(row, batch),
        "item": item,
        "codebook": serialize_codebook(codebook),
        "current": serialize_current(row.current),
        "first_look": first_look,
        "batch": {"number": batch.number, "total": batch.size, "open": final in (None, LockReason.SEEN)},
        "final": final and lock_reason_text(final, answered=row.current_id is not None),
    }


def serialize_own_assignment(row: Assignment, project: Project) -> dict[str, Any]:
    """Return an assignment with its item. `row` must come with `current` and `batch_item__batch` loaded."""
    link = row.batch_item
    item = serialize_items([link.item_id], project)[link.item_id]
    batch = batch_facts(link.batch_id)
    first_look = serialize_first_looks([row], batch).get(link.item_id)
    return serialize_assignment(row, item, batch, first_look, lock_reason(row))


def serialize_current(annotation: Annotation | None) -> dict[str, Any] | None:
    if annotation is None:
        return None
    return {
        "revision": annotation.revision,
        **serialize_content(content_of(annotation)),
        "comment": annotation.comment,
        "context_opened": annotation.context_opened,
        "skip_reason": annotation.skip_reason or None,
    }


def serialize_content(content: Content) -> dict[str, Any]:
    return {"answers": content.answers, "spans": [serialize_span(span) for span in content.spans]}


def serialize_span(span: SpanText) -> dict[str, Any]:
    return {
        "start": span.start,
        "end": span.end,
        "quote": span.quote,
        "category": span.category,
        "comment": span.comment or None,
        "source": span.source,
    }


def serialize_done(row: Assignment, n_spans: int) -> dict[str, Any]:
    return {
        "id": row.uuid,
        "position": row.position,
        "state": row.state,
        "text": row.batch_item.item.text[:BEGINNING],
        "answers": answers_of(row.current) if row.current else {},
        "n_spans": n_spans,
    }


def serialize_submitted(submitted: Submitted, project: Project) -> dict[str, Any]:
    annotation = submitted.annotation
    return {
        "annotation": {
            "id": annotation.uuid,
            "revision": annotation.revision,
            **serialize_content(submitted.content),
            "created_at": annotation.created_at,
        },
        "refill": serialize_window(submitted.window, project),
    }


def serialize_sources(sources: Sequence[SourceDocument]) -> dict[str, Any]:
    return {
        "sources": [
            {"id": source.uuid, "external_id": source.external_id, "title": source.title, "text": source.text}
            for source in sources
        ]
    }
