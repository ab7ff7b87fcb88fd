"""Serve the review of span annotations to adjudicators and admins: a list, one item, a decision.

No answer names people, or tells them apart by number, time or position.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.revisions import Stale
from annotation_app.annotation.submission import REASON_LENGTH
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import OwnAnswerIn, QueryInteger, TextOrNull, checked, one_of
from annotation_app.api.items import BuiltItem, serialize_items
from annotation_app.api.labelling import SourceOut, Spans
from annotation_app.api.windows import AssignmentCodebookOut, SpanOut
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Annotation, Batch, Capability, Membership, Validation
from annotation_app.refusals import NotYours, Refused
from annotation_app.validation.decision import ValidationBody
from annotation_app.validation.review_state import (
    FILTERS,
    RESOLVED,
    STATES,
    ReviewState,
    items_listed,
    neighbours_of,
    review_state,
)
from annotation_app.validation.selectors import (
    AnonymizedSpans,
    DecisionWithSpans,
    anonymized_annotations,
    decision_with_spans,
    decisions_of,
)
from annotation_app.validation.services import AnnotationRevised, validation_submit

KINDS = [kind for kind, _ in Validation.Decision.choices]


class ListedItemOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    external_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True, help_text="Of its document.")
    batch_kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    batch_number = serializers.IntegerField()
    n_submitted = serializers.IntegerField(help_text="Annotations and skips that are in.")
    n_needed = serializers.IntegerField()
    state = serializers.ChoiceField(choices=STATES)
    revised_since = serializers.BooleanField(
        source="revised", help_text="An annotation was changed after the decision."
    )


class ValidationCounts(serializers.Serializer):
    waiting = serializers.IntegerField()
    open = serializers.IntegerField()
    accepted = serializers.IntegerField()
    edited = serializers.IntegerField()
    rejected = serializers.IntegerField()


class ValidationListOut(serializers.Serializer):
    items = ListedItemOut(many=True)
    counts = ValidationCounts(help_text="Of all items, whatever the filter.")
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class AnonymizedAnnotationOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    letter = serializers.CharField(help_text="In an order of the reader's own.")
    spans = SpanOut(many=True)
    comment = serializers.CharField(allow_blank=True)
    skipped = serializers.BooleanField()
    skip_reason = TextOrNull()
    revised_since = serializers.BooleanField(source="revised", help_text="Changed after the latest decision.")


class DecidedOut(serializers.Serializer):
    revision = serializers.IntegerField(source="row.revision")
    decision = serializers.ChoiceField(source="row.decision", choices=RESOLVED)
    annotation = serializers.UUIDField(
        source="row.annotation.uuid", allow_null=True, help_text="Accepted, or what the edit was made from."
    )
    letter = serializers.CharField(allow_null=True, help_text="Of that annotation.")
    spans = SpanOut(many=True, help_text="The aggregated annotation: accepted as it was, or edited.")
    reason = serializers.CharField(source="row.reason", allow_blank=True)
    revised_since = serializers.BooleanField()


class ValidationItemOut(serializers.Serializer):
    id = serializers.UUIDField()
    batch_kind = serializers.ChoiceField(source="review.batch_kind", choices=Batch.Kind.choices)
    batch_number = serializers.IntegerField(source="review.batch_number")
    n_submitted = serializers.IntegerField(source="review.n_submitted")
    n_needed = serializers.IntegerField(source="review.n_needed")
    state = serializers.ChoiceField(source="review.state", choices=STATES)
    item = BuiltItem()
    sources = SourceOut(many=True)
    codebook = AssignmentCodebookOut()
    annotations = AnonymizedAnnotationOut(many=True, help_text="Empty while some are still to come.")
    revision = serializers.IntegerField(help_text="Of the latest decision; 0 where there is none.")
    decision = DecidedOut(allow_null=True, help_text="The one that stands.")
    taken_back = DecidedOut(allow_null=True, help_text="The one that was reopened, while none stands.")
    previous = serializers.UUIDField(source="near.previous", allow_null=True)
    next = serializers.UUIDField(source="near.next", allow_null=True)
    next_open = serializers.UUIDField(source="near.next_open", allow_null=True)


class DecisionIn(serializers.Serializer):
    client_id = serializers.UUIDField()
    base_revision = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    decision = one_of(*KINDS)
    annotation = serializers.UUIDField(allow_null=True, default=None)
    spans = Spans(default=list)
    reason = serializers.CharField(max_length=REASON_LENGTH, allow_blank=True, trim_whitespace=False, default="")


class DecisionStored(serializers.Serializer):
    revision = serializers.IntegerField(source="row.revision")
    decision = serializers.ChoiceField(source="row.decision", choices=KINDS)
    annotation = serializers.UUIDField(source="row.annotation.uuid", allow_null=True)
    spans = SpanOut(many=True)
    reason = serializers.CharField(source="row.reason", allow_blank=True)


class ValidationConflict(serializers.Serializer):
    """Say why this is not possible now; the rest comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=["stale", "client_id_reused", "waiting", "answer_first", "own_answer"])
    current = DecisionStored(required=False, allow_null=True, help_text="The latest decision.")
    letter = serializers.CharField(
        required=False, allow_null=True, help_text="Of the annotation that was revised; null where a decision was made."
    )


def decided_parts(decided: DecisionWithSpans, beside: Sequence[AnonymizedSpans]) -> dict[str, Any]:
    """Return a decision with the letter of the named annotation.

    The letter is None where no annotation was named, or where it does not count any more.
    """
    named = decided.row.annotation
    letter = next((one.letter for one in beside if named and one.assignment_id == named.assignment_id), None)
    return {**vars(decided), "letter": letter, "revised_since": any(one.revised for one in beside)}


def review_or_404(member: Membership, item_id: UUID) -> ReviewState:
    review = review_state(member, item_id)
    if review is None:
        raise NotYours
    return review


class ValidationListView(APIView):
    class Input(serializers.Serializer):
        state = one_of(*FILTERS, default="open")
        page = QueryInteger(min_value=1, max_value=1_000_000, default=1)

    @extend_schema(
        operation_id="projects_validation_list",
        parameters=[Input],
        responses={200: ValidationListOut, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """List items in which people mark spans, in the order of batches and ranks, 50 a page."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        asked = checked(self.Input, request.query_params)
        listing = items_listed(project=member.project, which=asked["state"], page=asked["page"])
        return Response(ValidationListOut(listing).data)


class ValidationItemView(APIView):
    @extend_schema(
        parameters=[OwnAnswerIn],
        responses={200: ValidationItemOut, 400: ErrorBody, 409: ValidationConflict, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """Return one item with its annotations side by side, and its decision."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        lock_own = checked(OwnAnswerIn, request.query_params)["own"] is not None
        review = review_or_404(member, item_id)
        latest, resolving = decisions_of(review.batch_item_id)
        if review.state != "waiting" or resolving:
            reveal_answers(reader=member, batch_items=[review.batch_item_id], subject=item_id, lock_own=lock_own)
        beside = anonymized_annotations(
            review=review, item_uuid=item_id, reader=member, latest=latest.row if latest else None
        )
        decided = resolving and decided_parts(resolving, beside)
        stands = resolving is not None and resolving is latest
        parts = {
            "id": item_id,
            "review": review,
            "item": serialize_items([review.item_id], member.project)[review.item_id],
            "sources": sources_of([review.item_id], with_text=True).get(review.item_id, []),
            "codebook": pinned_codebook(review.codebook_id),
            "annotations": beside,
            "revision": latest.row.revision if latest else 0,
            "decision": decided if stands else None,
            "taken_back": None if stands else decided,
            "near": neighbours_of(member, item_id),
        }
        return Response(ValidationItemOut(parts).data)

    @extend_schema(
        request=DecisionIn,
        responses={
            200: DecisionStored,
            201: DecisionStored,
            400: ErrorBody,
            409: ValidationConflict,
            **ADMIN_ERRORS,
        },
    )
    def post(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """Store one decision. It answers 200 where the same body was stored before."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        review = review_or_404(member, item_id)
        body = ValidationBody(**checked(DecisionIn, request.data))
        with stale_review(member, item_id, review):
            taken = validation_submit(membership=member, item_uuid=item_id, body=body)
        code = status.HTTP_201_CREATED if taken.created else status.HTTP_200_OK
        return Response(DecisionStored(decision_with_spans(taken.row)).data, status=code)


@contextmanager
def stale_review(member: Membership, item_id: UUID, review: ReviewState) -> Iterator[None]:
    """Send the latest decision, or the letter of a revised annotation, to a browser that worked from older ones."""
    try:
        yield
    except Stale as error:
        current = error.latest and DecisionStored(decision_with_spans(error.latest)).data
        raise Refused("stale", str(error), current=current, letter=None) from error
    except AnnotationRevised as error:
        letter = letter_of_revised(member, item_id, review, error.annotation)
        detail = f"Annotation {letter} was revised after this page was loaded. Look at it again."
        raise Refused("stale", detail, current=None, letter=letter) from error


def letter_of_revised(member: Membership, item_id: UUID, review: ReviewState, annotation: Annotation) -> str:
    beside = anonymized_annotations(review=review, item_uuid=item_id, reader=member, latest=None)
    return next(one.letter for one in beside if one.assignment_id == annotation.assignment_id)
