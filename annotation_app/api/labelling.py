"""Serve labelling: hand out items, take annotations, show earlier ones. All start from the person's own assignments."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.errors import AnnotationInvalid, ClientIdReused, StaleBase
from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import Submission
from annotation_app.api.access import allowed, member_or_404
from annotation_app.api.blinding import lock_reason_text
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.api.integers import QueryInteger
from annotation_app.api.labelling_serializers import (
    AssignmentOut,
    DoneOut,
    LabellingConflict,
    SourcesOut,
    SubmissionIn,
    SubmittedOut,
    WindowOut,
    serialize_current,
    serialize_done_page,
    serialize_own_assignment,
    serialize_sources,
    serialize_submitted,
    serialize_window,
)
from annotation_app.assignment.errors import AlreadyAnswered, AnswerSeen, AssignmentWithdrawn, BatchClosed, NotYours
from annotation_app.assignment.locked import LockReason, freeze_reason
from annotation_app.assignment.selectors import assignment_get, assignments_done, own_membership, progress_of
from annotation_app.assignment.services import Window, claim_release, next_window
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Membership

READ_ERRORS = {401: ErrorBody, 404: ErrorBody}
WRITE_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody, 409: LabellingConflict}


@contextmanager
def refusals() -> Iterator[None]:
    """Turn service errors into responses. What is not the person's own does not exist for them."""
    try:
        yield
    except NotYours as error:
        raise Http404 from error
    except AnnotationInvalid as error:
        raise BadInput(error.errors, "The answers were not stored.") from error
    except StaleBase as error:
        raise Conflict("stale", str(error), current=serialize_current(error.current)) from error
    except ClientIdReused as error:
        raise Conflict("client_id_reused", "This client_id was used for another body: make a new one.") from error
    except BatchClosed as error:
        raise Conflict("closed", lock_reason_text(freeze_reason(error.batch_id))) from error
    except AnswerSeen as error:
        raise Conflict("seen", lock_reason_text(LockReason.SEEN, answered=error.answered)) from error
    except AssignmentWithdrawn as error:
        raise Conflict("withdrawn", "This item was taken back from you.") from error
    except AlreadyAnswered as error:
        raise Conflict("answered", "This item is answered: revise the answer instead.") from error


def own_or_404(request: Request, assignment_id: UUID) -> Membership:
    """Return the membership under which this assignment is the signed-in person's own; 404 for all else."""
    member = allowed(own_membership(request.user.pk, assignment_id))
    if request.method not in SAFE_METHODS and member.project.archived_at is not None:
        raise Conflict("closed", "This project is archived: no answer is taken any more unless an admin restores it.")
    return member


def handed_out(*, membership: Membership, ahead: int) -> Window:
    """Refuse items of an archived project; claims are kept until it is restored."""
    if membership.project.archived_at is not None:
        return Window((), progress_of(None, set()))
    return next_window(membership=membership, ahead=ahead)


class NextView(APIView):
    class Input(serializers.Serializer):
        ahead = QueryInteger(min_value=1, max_value=50, default=3)

    @extend_schema(parameters=[Input], responses={200: WindowOut, 400: ErrorBody, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """The person's items in hand, topped up; asking again gives the same ones."""
        member = member_or_404(request, project_id)
        data = self.Input(data=request.query_params)
        data.is_valid(raise_exception=True)
        with refusals():
            window = handed_out(membership=member, ahead=data.validated_data["ahead"])
        return Response(serialize_window(window, member.project))


class DoneView(APIView):
    class Input(serializers.Serializer):
        mine = serializers.ChoiceField(
            choices=["done"], default="done", error_messages={"invalid_choice": "Choose done."}
        )

    @extend_schema(parameters=[Input], responses={200: DoneOut, 400: ErrorBody, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """The person's own done items of the open batch, to go back to."""
        member = member_or_404(request, project_id)
        self.Input(data=request.query_params).is_valid(raise_exception=True)
        return Response(serialize_done_page(list(assignments_done(member))))


class AssignmentView(APIView):
    @extend_schema(responses={200: AssignmentOut, **READ_ERRORS})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        member = own_or_404(request, assignment_id)
        return Response(serialize_own_assignment(assignment_get(member, assignment_id), member.project))


class AssignmentSourcesView(APIView):
    @extend_schema(responses={200: SourcesOut, **READ_ERRORS})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """The source documents of the person's own item, with their text."""
        member = own_or_404(request, assignment_id)
        item_id = assignment_get(member, assignment_id).batch_item.item_id
        return Response(serialize_sources(sources_of([item_id], with_text=True).get(item_id, [])))


class AnnotationsView(APIView):
    @extend_schema(
        request=SubmissionIn, responses={200: SubmittedOut, 201: SubmittedOut, 400: ErrorBody, **WRITE_ERRORS}
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Stores one revision; the answer brings the next items. 200 where the same body had been stored before."""
        member = own_or_404(request, assignment_id)
        data = SubmissionIn(data=request.data)
        data.is_valid(raise_exception=True)
        with refusals():
            # The API shows no reason as null, and takes it back so.
            sent = data.validated_data | {"skip_reason": data.validated_data["skip_reason"] or ""}
            submitted = annotation_submit(membership=member, assignment_uuid=assignment_id, body=Submission(**sent))
        code = status.HTTP_201_CREATED if submitted.created else status.HTTP_200_OK
        return Response(serialize_submitted(submitted, member.project), status=code)


class ReleaseView(APIView):
    @extend_schema(request=None, responses={204: None, **WRITE_ERRORS})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Gives a claimed, unanswered item back."""
        member = own_or_404(request, assignment_id)
        with refusals():
            claim_release(membership=member, assignment_uuid=assignment_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
