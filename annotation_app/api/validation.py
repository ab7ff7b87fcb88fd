"""Serve the review of span annotations to adjudicators and admins: a list, one item, a decision."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.errors import ClientIdReused
from annotation_app.api.access import member_or_404
from annotation_app.api.blinding import OwnAnswerIn, blinding_errors
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.api.integers import QueryInteger
from annotation_app.api.validation_serializers import (
    DecisionIn,
    DecisionStored,
    ValidationConflict,
    ValidationItemOut,
    ValidationListOut,
    serialize_listing,
    serialize_review,
    serialize_stored,
)
from annotation_app.assignment.blinding import reveal_answers
from annotation_app.assignment.errors import NotYours
from annotation_app.models import Annotation, Capability, Membership
from annotation_app.validation.decision import ValidationBody
from annotation_app.validation.errors import AnnotationRevised, DecisionInvalid, DecisionStale, NotReady
from annotation_app.validation.review_state import FILTERS, ReviewState, items_listed, neighbours_of, review_state
from annotation_app.validation.selectors import anonymized_annotations, decision_with_spans, decisions_of
from annotation_app.validation.services import validation_submit

READ_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


def review_or_404(member: Membership, item_id: UUID) -> ReviewState:
    review = review_state(member, item_id)
    if review is None:
        raise Http404
    return review


class ValidationListView(APIView):
    class Input(serializers.Serializer):
        state = serializers.ChoiceField(
            choices=list(FILTERS),
            default="open",
            error_messages={"invalid_choice": f"Choose one of {', '.join(FILTERS)}."},
        )
        page = QueryInteger(min_value=1, max_value=1_000_000, default=1)

    @extend_schema(
        operation_id="projects_validation_list",
        parameters=[Input],
        responses={200: ValidationListOut, 400: ErrorBody, **READ_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Items in which people mark spans, in the order of batches and ranks, 50 a page."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        data = self.Input(data=request.query_params)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        return Response(
            serialize_listing(items_listed(project=member.project, which=asked["state"], page=asked["page"]))
        )


class ValidationItemView(APIView):
    @extend_schema(
        parameters=[OwnAnswerIn],
        responses={200: ValidationItemOut, 400: ErrorBody, 409: ValidationConflict, **READ_ERRORS},
    )
    def get(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """One item with its annotations side by side, and what was decided."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        data = OwnAnswerIn(data=request.query_params)
        data.is_valid(raise_exception=True)
        review = review_or_404(member, item_id)
        decisions = decisions_of(review.batch_item_id)
        if review.state != "waiting" or decisions[1]:
            with blinding_errors():
                reveal_answers(
                    reader=member,
                    batch_items=[review.batch_item_id],
                    subject=item_id,
                    lock_own=data.validated_data["own"] is not None,
                )
        latest = decisions[0].row if decisions[0] else None
        beside = anonymized_annotations(review=review, item_uuid=item_id, reader=member, latest=latest)
        return Response(
            serialize_review(member.project, item_id, review, beside, decisions, neighbours_of(member, item_id))
        )

    @extend_schema(
        request=DecisionIn,
        responses={
            200: DecisionStored,
            201: DecisionStored,
            400: ErrorBody,
            409: ValidationConflict,
            **READ_ERRORS,
        },
    )
    def post(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """Stores one decision. 200 where the same body had been stored before."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        review = review_or_404(member, item_id)
        data = DecisionIn(data=request.data)
        data.is_valid(raise_exception=True)
        with refusals(member, item_id, review):
            taken = validation_submit(membership=member, item_uuid=item_id, body=ValidationBody(**data.validated_data))
        code = status.HTTP_201_CREATED if taken.created else status.HTTP_200_OK
        return Response(serialize_stored(decision_with_spans(taken.row)), status=code)


@contextmanager
def refusals(member: Membership, item_id: UUID, review: ReviewState) -> Iterator[None]:
    """Turn service errors into responses."""
    try:
        with blinding_errors():
            yield
    except NotYours as error:
        raise Http404 from error
    except DecisionInvalid as error:
        raise BadInput(error.errors, "The decision was not stored.") from error
    except DecisionStale as error:
        current = serialize_stored(decision_with_spans(error.latest)) if error.latest else None
        raise Conflict("stale", str(error), current=current, letter=None) from error
    except AnnotationRevised as error:
        letter = letter_of_revised(member, item_id, review, error.annotation)
        detail = f"Annotation {letter} was revised since this page was loaded: look at it again."
        raise Conflict("stale", detail, current=None, letter=letter) from error
    except ClientIdReused as error:
        raise Conflict("client_id_reused", "This client_id was used for another body: make a new one.") from error
    except NotReady as error:
        raise Conflict("waiting", "Not every annotation of this item is in yet.") from error


def letter_of_revised(member: Membership, item_id: UUID, review: ReviewState, annotation: Annotation) -> str:
    beside = anonymized_annotations(review=review, item_uuid=item_id, reader=member, latest=None)
    return next(one.letter for one in beside if one.assignment_id == annotation.assignment_id)
