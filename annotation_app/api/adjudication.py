"""Serve disagreements to adjudicators and admins: a list, one item with its answers side by side, a decision."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.aggregation.decision import AdjudicationBody
from annotation_app.aggregation.disagreements import Filters, neighbours_of
from annotation_app.aggregation.errors import DecisionInvalid, DecisionStale, NotReady, UnknownStage
from annotation_app.aggregation.outcomes import KINDS
from annotation_app.aggregation.services import adjudication_submit, case_show, disagreements_show
from annotation_app.aggregation.statements import PHASES
from annotation_app.annotation.errors import ClientIdReused
from annotation_app.api.access import member_or_404
from annotation_app.api.adjudication_serializers import (
    AdjudicationConflict,
    AdjudicationIn,
    AdjudicationOut,
    CaseOut,
    DisagreementsOut,
    serialize_case,
    serialize_decision,
    serialize_disagreements,
)
from annotation_app.api.blinding import OwnAnswerIn, blinding_errors
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.api.integers import QueryInteger
from annotation_app.assignment.errors import NotYours
from annotation_app.models import Adjudication, Capability, Membership

READ_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


class FilterIn(serializers.Serializer):
    kind = serializers.ChoiceField(
        choices=KINDS, default="open", error_messages={"invalid_choice": f"Choose one of {', '.join(KINDS)}."}
    )
    stage = serializers.CharField(max_length=64, required=False, default=None, allow_null=True)
    round = QueryInteger(min_value=1, required=False, default=None, allow_null=True)
    phase = serializers.ChoiceField(
        choices=PHASES,
        default=1,
        help_text="2: the answers after second looks, of rounds whose second look is over.",
        error_messages={"invalid_choice": "Choose 1 (independent answers) or 2 (after second looks)."},
    )


class ItemIn(OwnAnswerIn, FilterIn):
    """Where in which list, and whether the reader's own answer may be locked."""


class PageIn(ItemIn):
    page = QueryInteger(min_value=1, max_value=1_000_000, default=1)


def filters_of(request: Request) -> Filters:
    data = FilterIn(data=request.query_params)
    data.is_valid(raise_exception=True)
    return Filters(**data.validated_data)


class AdjudicationListView(APIView):
    @extend_schema(
        operation_id="projects_adjudication_list",
        parameters=[PageIn],
        responses={200: DisagreementsOut, 400: ErrorBody, 409: AdjudicationConflict, **READ_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Items on which people disagree, in the order of rounds and ranks, 50 a page, and what all items came to."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        data = PageIn(data=request.query_params)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        with refusals():
            page = disagreements_show(
                reader=member, filters=filters_of(request), page=asked["page"], lock_own=asked["own"] is not None
            )
        return Response(serialize_disagreements(page))


class AdjudicationItemView(APIView):
    @extend_schema(
        parameters=[ItemIn], responses={200: CaseOut, 400: ErrorBody, 409: AdjudicationConflict, **READ_ERRORS}
    )
    def get(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """One item: the answers by letters, what stands, what was decided, and its neighbours in the filtered list."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        data = ItemIn(data=request.query_params)
        data.is_valid(raise_exception=True)
        lock_own = data.validated_data["own"] is not None
        filters = filters_of(request)
        with refusals():
            case = case_show(reader=member, item_uuid=item_id, filters=filters, lock_own=lock_own)
            near = neighbours_of(case.batch_item, filters, member)
        return Response(serialize_case(case, near, member))

    @extend_schema(
        request=AdjudicationIn,
        responses={
            200: AdjudicationOut,
            201: AdjudicationOut,
            400: ErrorBody,
            409: AdjudicationConflict,
            **READ_ERRORS,
        },
    )
    def post(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """Stores one decision. 200 where the same body had been stored before."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        data = AdjudicationIn(data=request.data)
        data.is_valid(raise_exception=True)
        body = AdjudicationBody(**data.validated_data)
        if body.source == Adjudication.Source.CONSENSUS and not member.may(Capability.MANAGE):
            raise PermissionDenied("A consensus is recorded by an admin.")
        with refusals(member):
            taken = adjudication_submit(membership=member, item_uuid=item_id, body=body)
        code = status.HTTP_201_CREATED if taken.created else status.HTTP_200_OK
        return Response(serialize_decision(taken.row, member), status=code)


@contextmanager
def refusals(member: Membership | None = None) -> Iterator[None]:
    """Turn service errors into responses."""
    try:
        with blinding_errors():
            yield
    except NotYours as error:
        raise Http404 from error
    except NotReady as error:
        raise Conflict(error.code, str(error)) from error
    except UnknownStage as error:
        raise BadInput({"stage": [str(error)]}) from error
    except DecisionInvalid as error:
        raise BadInput(error.errors, "The decision was not stored.") from error
    except DecisionStale as error:
        current = serialize_decision(error.latest, member) if error.latest and member else None
        raise Conflict("stale", str(error), current=current) from error
    except ClientIdReused as error:
        raise Conflict("client_id_reused", "This client_id was used for another body: make a new one.") from error
