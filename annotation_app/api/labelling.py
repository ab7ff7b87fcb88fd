"""Serve labelling: hand out items, take annotations, show earlier ones. All start from the person's own assignments."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.revisions import Stale
from annotation_app.annotation.selectors import (
    FirstLook,
    answers_of,
    content_of,
    first_looks,
)
from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import REASON_LENGTH, Submission
from annotation_app.annotation.suggestions import Suggestion, suggestions_of, suggestions_reveal, to_compare
from annotation_app.api.access import allowed, member_or_404, person, token_of
from annotation_app.api.errors import ErrorBody
from annotation_app.api.inputs import (
    ANSWERS,
    Answers,
    DefinitionField,
    IdList,
    QueryInteger,
    TextOrNull,
    checked,
    given_once,
)
from annotation_app.api.items import BuiltItem, SerializedItem, serialize_items, size_of
from annotation_app.api.suggestions import SuggestionOut, ToCompareOut
from annotation_app.assignment.blinding import LockReason, lock_reason, lock_reason_text
from annotation_app.assignment.open_batch import BatchFacts, batch_facts
from annotation_app.assignment.practice import shown_key
from annotation_app.assignment.selectors import (
    WindowState,
    assignment_get,
    claimed_until,
    own_membership,
    progress_of,
)
from annotation_app.assignment.services import FEWEST, Window, claim_release, next_window
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.codebook.spans import COMMENT_LENGTH
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Annotation, Assignment, Membership
from annotation_app.monitoring.counters import REPLAYED, STORED
from annotation_app.refusals import Refused

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


@extend_schema_field(SpanIn(many=True))
class Spans(serializers.ListField):
    """Read spans as sent: the span rules name what is wrong with each."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.JSONField(), **options)


class SubmissionIn(serializers.Serializer):
    client_id = serializers.UUIDField()
    base_revision = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    answers = Answers()
    spans = Spans(default=list)
    comment = serializers.CharField(max_length=COMMENT_LENGTH, allow_blank=True, trim_whitespace=False, default="")
    context_opened = serializers.ChoiceField(
        choices=Annotation.ContextOpened.choices,
        # The usual message repeats what was sent, which may be no text at all (a lone surrogate).
        error_messages={"invalid_choice": f"Choose one of {', '.join(Annotation.ContextOpened.values)}."},
    )
    active_ms = serializers.IntegerField(min_value=0)
    wall_ms = serializers.IntegerField(min_value=0)
    skip_reason = serializers.CharField(
        max_length=REASON_LENGTH, allow_blank=True, allow_null=True, trim_whitespace=False, default=""
    )
    suggestions = serializers.UUIDField(
        allow_null=True, default=None, help_text="The id of the suggestions that were on the screen; null: none were."
    )


class AssignmentCodebookOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    version = serializers.IntegerField()
    definition = DefinitionField()


class SourceOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    external_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class SourcesOut(serializers.Serializer):
    sources = SourceOut(many=True)


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


class AnnotationOut(serializers.Serializer):
    id = serializers.UUIDField(source="annotation.uuid")
    revision = serializers.IntegerField(source="annotation.revision")
    answers = serializers.DictField(source="content.answers", child=serializers.CharField())
    spans = SpanOut(source="content.spans", many=True)
    created_at = serializers.DateTimeField(source="annotation.created_at")


class SubmittedOut(serializers.Serializer):
    annotation = AnnotationOut(source="submitted")
    refill = WindowOut()


class LabellingConflict(serializers.Serializer):
    """Say why this is not possible now; `current` comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=["stale", "client_id_reused", "closed", "seen", "withdrawn", "answered"])
    current = CurrentOut(required=False, allow_null=True)


# People wait for these two. Making a serializer takes longer than filling it, so each is made once.
WINDOW, SUBMITTED = WindowOut(), SubmittedOut()
READ_ERRORS = {401: ErrorBody, 404: ErrorBody}
WRITE_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody, 409: LabellingConflict}


@dataclass(frozen=True)
class Sender:
    """Hold what the browser that submits an answer has already, so that it is not sent again."""

    codebook_id: int
    assignments: frozenset[UUID]
    asked_at: datetime

    def has(self, row: Assignment) -> bool:
        """Tell whether the browser has the item as it is: a claim made or extended since it asked is news."""
        is_news = row.claimed_at is not None and row.claimed_at >= self.asked_at
        return row.uuid in self.assignments and not is_news


def window_parts(window: Window, member: Membership, sender: Sender | None = None) -> dict[str, Any]:
    asked = [row for row in window.assignments if sender is None or not sender.has(row)]
    items = serialize_items([row.batch_item.item_id for row in asked], member.project)
    rows = first_of(asked, items)
    batch = batch_facts(window.batch_id) if window.batch_id else None
    is_known = batch is None or (sender is not None and sender.codebook_id == batch.codebook_id)
    firsts = first_looks_of(rows, batch)
    k_of_n = window.k_of_n
    suggested = suggestions_of(window.suggestions_id, rows, batch.codebook_id) if batch else {}
    return {
        "assignments": [
            assignment_parts(
                row, items[item], batch, firsts.get(item), suggested.get(item), until=claimed_until(row, k_of_n=k_of_n)
            )
            for row in rows
            if batch and (item := row.batch_item.item_id)
        ],
        "codebooks": [pinned_codebook(batch.codebook_id)] if batch and rows and not is_known else [],
        "held": window.held,
        "to_compare": [
            {"id": uuid, "position": position} for uuid, position in to_compare(window.suggestions_id, member.pk)
        ],
        "progress": window.progress,
    }


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
) -> dict[str, Any]:
    return {
        "row": row,
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


@contextmanager
def stale_answers() -> Iterator[None]:
    """Send the current answers to a browser that worked from older ones."""
    try:
        yield
    except Stale as error:
        current = error.latest and CurrentOut(current_parts(error.latest)).data
        raise Refused("stale", str(error), current=current) from error


def own_or_404(request: Request, assignment_id: UUID) -> Membership:
    """Return the membership under which this assignment is the signed-in person's own; 404 for all else."""
    member, token = allowed(own_membership(person(request).pk, assignment_id)), token_of(request)
    if token is not None:
        allowed(member if member.pk == token.membership_id else None)
        member.token_scope = token.scope  # type: ignore[attr-defined]
    if request.method not in SAFE_METHODS and member.project.archived_at is not None:
        raise Refused("closed", "This project is archived. It accepts no answers unless an admin restores it.")
    return member


def handed_out(*, membership: Membership, ahead: int) -> Window:
    """Hand out nothing of an archived project; claims are kept until it is restored."""
    if membership.project.archived_at is not None:
        return Window((), progress_of(None, set()))
    return next_window(membership=membership, ahead=ahead)


class NextView(APIView):
    class Input(serializers.Serializer):
        ahead = QueryInteger(min_value=1, max_value=50, default=3)

    @extend_schema(parameters=[Input], responses={200: WindowOut, 400: ErrorBody, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Hand out the person's next items. Asking again gives the same ones, and more where there is room."""
        member = member_or_404(request, project_id)
        window = handed_out(membership=member, **checked(self.Input, request.query_params))
        return Response(WINDOW.to_representation(window_parts(window, member)))


class AssignmentView(APIView):
    @extend_schema(responses={200: AssignmentOut, **READ_ERRORS})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Return one of the person's own items, with what they have answered."""
        member = own_or_404(request, assignment_id)
        row = assignment_get(member, assignment_id)
        item_id, batch = row.batch_item.item_id, batch_facts(row.batch_item.batch_id)
        item = serialize_items([item_id], member.project)[item_id]
        first_look = first_looks_of([row], batch).get(item_id)
        suggestions = suggestions_of(row.batch_item.batch.suggestions_id, [row], batch.codebook_id).get(item_id)
        suggestions_reveal(row, member)
        until = claimed_until(row, k_of_n=batch.k_of_n(row.batch_item.batch.people_added))
        parts = assignment_parts(row, item, batch, first_look, suggestions, lock_reason(row), until=until)
        return Response(AssignmentOut(parts).data)


class AssignmentSourcesView(APIView):
    @extend_schema(responses={200: SourcesOut, **READ_ERRORS})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Return the source documents of the person's own item, with their text."""
        member = own_or_404(request, assignment_id)
        item_id = assignment_get(member, assignment_id).batch_item.item_id
        return Response(SourcesOut({"sources": sources_of([item_id], with_text=True).get(item_id, [])}).data)


class AnnotationsView(APIView):
    class Query(serializers.Serializer):
        held = IdList(
            default=frozenset, help_text="Assignments that the sender has, with commas between: not sent again."
        )

    @extend_schema(
        parameters=[Query],
        request=SubmissionIn,
        responses={200: SubmittedOut, 201: SubmittedOut, 400: ErrorBody, **WRITE_ERRORS},
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Store one revision, and bring the next items. It answers 200 where the same body was stored before."""
        member = own_or_404(request, assignment_id)
        asked_at = timezone.now()
        held = checked(self.Query, given_once(request.query_params))["held"]
        sent = checked(SubmissionIn, request.data)
        # The API shows no reason as null, and takes it back so.
        body = Submission(**sent | {"skip_reason": sent["skip_reason"] or ""})
        with stale_answers():
            submitted = annotation_submit(membership=member, assignment_uuid=assignment_id, body=body)
        (STORED if submitted.created else REPLAYED).inc()
        sender = Sender(submitted.annotation.codebook_id, held, asked_at)
        parts = {"submitted": submitted, "refill": window_parts(submitted.window, member, sender)}
        code = status.HTTP_201_CREATED if submitted.created else status.HTTP_200_OK
        return Response(SUBMITTED.to_representation(parts), status=code)


class ReleaseView(APIView):
    @extend_schema(request=None, responses={204: None, **WRITE_ERRORS})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Give a claimed, unanswered item back."""
        claim_release(membership=own_or_404(request, assignment_id), assignment_uuid=assignment_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
