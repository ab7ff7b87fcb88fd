"""Describe items as they are handed out, and leave out of an answer what the browser has already."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID
from zlib import crc32

from rest_framework import serializers

from annotation_app.annotation.selectors import (
    FirstLook,
    answers_of,
    content_of,
    first_looks,
)
from annotation_app.annotation.suggestions import Suggestion, suggestions_of, to_compare
from annotation_app.api.inputs import (
    ANSWERS,
    DefinitionField,
    TextOrNull,
)
from annotation_app.api.items import BuiltItem, SerializedItem, serialize_items, size_of
from annotation_app.api.suggestions import SuggestionOut, ToCompareOut
from annotation_app.assignment.blinding import LockReason, lock_reason_text
from annotation_app.assignment.open_batch import BatchFacts, batch_facts
from annotation_app.assignment.practice import shown_key
from annotation_app.assignment.selectors import (
    WindowState,
    claimed_until,
)
from annotation_app.assignment.services import FEWEST, Window
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import Annotation, Assignment, Membership, Project

# Characters of one answer to `next`: forty sentences with their context, or a dozen whole documents.
LONGEST_WINDOW = 400_000


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
    comment = TextOrNull()
    source = serializers.UUIDField(allow_null=True)


class AssignmentCodebookOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    version = serializers.IntegerField()
    definition = DefinitionField()


class CurrentOut(serializers.Serializer):
    revision = serializers.IntegerField(source="annotation.revision")
    answers = serializers.DictField(source="content.answers", child=serializers.CharField())
    spans = SpanOut(source="content.spans", many=True)
    comment = serializers.CharField(source="annotation.comment", allow_blank=True)
    context_opened = serializers.ChoiceField(
        source="annotation.context_opened", choices=Annotation.ContextOpened.choices
    )
    skip_reason = TextOrNull(source="annotation.skip_reason")


class FirstLookOut(serializers.Serializer):
    answers = ANSWERS
    comment = serializers.CharField(source="annotation.comment", allow_blank=True)
    context_opened = serializers.ChoiceField(
        source="annotation.context_opened", choices=Annotation.ContextOpened.choices
    )
    differs = serializers.ListField(
        child=serializers.CharField(), help_text="Stages at which somebody's independent label is another one."
    )


class KeyOut(serializers.Serializer):
    answers = ANSWERS
    explanation = serializers.CharField(allow_blank=True)
    explanations = serializers.DictField(child=serializers.CharField(), help_text="By stage.")
    differs = serializers.ListField(
        child=serializers.CharField(), help_text="Stages of the key at which the person's answer is another one."
    )


class AssignmentBatchOut(serializers.Serializer):
    is_practice = serializers.BooleanField(source="batch.is_practice", help_text="The key follows each answer.")
    number = serializers.IntegerField(source="batch.number")
    total = serializers.IntegerField(source="batch.size", help_text="Items in the batch.")
    open = serializers.BooleanField(source="is_open", help_text="False once it is frozen: nothing can be revised then.")


class HandedOutAssignmentOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    tag = serializers.CharField(help_text="Changes with what comes beside the item. A submit sends it back in `held`.")
    state = serializers.ChoiceField(source="row.state", choices=Assignment.State.choices)
    position = serializers.IntegerField(source="row.position", help_text="Place in the person's own order, from 1.")
    claimed_until = serializers.DateTimeField(
        allow_null=True, help_text="Left alone until then, the item may go to somebody else. Null: it stays."
    )
    item = BuiltItem()
    codebook = serializers.UUIDField(source="codebook.uuid", help_text="The batch's codebook version.")
    current = CurrentOut(allow_null=True)
    first_look = FirstLookOut(
        allow_null=True, help_text="In a second look: the person's own independent answer, to confirm or correct."
    )
    suggestions = SuggestionOut(
        allow_null=True, help_text="What a model predicts, where an admin turned that on for the batch."
    )
    key = KeyOut(allow_null=True, help_text="In a practice: the answer key, once the person has answered.")
    batch = AssignmentBatchOut(source="*")
    final = serializers.CharField(
        allow_null=True, help_text="Why no answer or change is taken any more, in words; null while one is."
    )


class AssignmentOut(HandedOutAssignmentOut):
    codebook = AssignmentCodebookOut()  # type: ignore[assignment]


class WindowProgressOut(serializers.Serializer):
    done = serializers.IntegerField()
    total = serializers.IntegerField()
    withdrawn = serializers.IntegerField(
        help_text="Taken back from the person or given to somebody else; not counted in the total."
    )
    batch_number = serializers.IntegerField(allow_null=True)


class WindowOut(serializers.Serializer):
    assignments = HandedOutAssignmentOut(many=True)
    codebooks = AssignmentCodebookOut(
        many=True,
        help_text="Those of `assignments`. After a submit without that of the answered item, which the sender has.",
    )
    held = serializers.ListField(
        child=serializers.UUIDField(),
        help_text="All that the person has in hand, in their order; `assignments` are the first of them.",
    )
    to_compare = ToCompareOut(
        many=True, help_text="Own answers that differ from suggestions which the person has not looked at yet."
    )
    state = serializers.ChoiceField(source="progress.state", choices=[str(state) for state in WindowState])
    progress = WindowProgressOut()


def window_parts(
    window: Window, member: Membership, held: Mapping[UUID, str] | None = None, codebook_id: int | None = None
) -> dict[str, Any]:
    """Return the parts of a window, without the items and the codebook that whoever asks has already.

    `held` is {assignment: tag} as it was handed out to them.
    """
    untils = {row.uuid: claimed_until(row, k_of_n=window.k_of_n) for row in window.assignments}
    tags = {uuid: tag_of(until, window.suggestions_id, member.project) for uuid, until in untils.items()}
    asked = [row for row in window.assignments if held is None or held.get(row.uuid) != tags[row.uuid]]
    items = serialize_items([row.batch_item.item_id for row in asked], member.project)
    rows = first_of(asked, items)
    batch = batch_facts(window.batch_id) if window.batch_id else None
    is_news = batch is not None and batch.codebook_id != codebook_id
    firsts = first_looks_of(rows, batch)
    suggested = suggestions_of(window.suggestions_id, rows, batch.codebook_id) if batch else {}
    return {
        "assignments": [
            assignment_parts(
                row,
                items[item],
                batch,
                firsts.get(item),
                suggested.get(item),
                until=untils[row.uuid],
                tag=tags[row.uuid],
            )
            for row in rows
            if batch and (item := row.batch_item.item_id)
        ],
        "codebooks": [pinned_codebook(batch.codebook_id)] if batch and rows and is_news else [],
        "held": window.held,
        "to_compare": [
            {"id": uuid, "position": position} for uuid, position in to_compare(window.suggestions_id, member.pk)
        ],
        "progress": window.progress,
    }


def tag_of(until: datetime | None, suggestions_id: int | None, project: Project) -> str:
    """Return what changes with the claim, the suggestions, and the columns beside the item."""
    return f"{crc32(repr((until, suggestions_id, project.shown_columns)).encode()):08x}"


def first_of(rows: Sequence[Assignment], items: dict[int, SerializedItem]) -> Sequence[Assignment]:
    """Return as many rows as come to about LONGEST_WINDOW characters of text, and FEWEST at least."""
    size = 0
    for place, row in enumerate(rows):
        size += size_of(items[row.batch_item.item_id])
        if size > LONGEST_WINDOW and place >= FEWEST:
            return rows[:place]
    return rows


def first_looks_of(rows: Sequence[Assignment], batch: BatchFacts | None) -> dict[int, FirstLook]:
    """Return first looks by item id; none, and without a query, outside a second look."""
    if batch is None or batch.second_look_of is None or not rows:
        return {}
    return first_looks(rows, batch.second_look_of)


def assignment_parts(
    row: Assignment,
    item: SerializedItem,
    batch: BatchFacts,
    first_look: FirstLook | None,
    suggestions: Suggestion | None,
    lock: LockReason | None = None,
    *,
    until: datetime | None,
    tag: str,
) -> dict[str, Any]:
    return {
        "row": row,
        "tag": tag,
        "claimed_until": until,
        "item": item,
        "codebook": pinned_codebook(batch.codebook_id),
        "current": current_parts(row.current),
        "first_look": first_look,
        "suggestions": suggestions,
        "key": shown_key(row, batch, answers_of(row.current) if row.current else {}),
        "batch": batch,
        "is_open": lock in (None, LockReason.SEEN),
        "final": lock and lock_reason_text(lock, answered=row.current_id is not None),
    }


def current_parts(annotation: Annotation | None) -> dict[str, Any] | None:
    return {"annotation": annotation, "content": content_of(annotation)} if annotation else None
