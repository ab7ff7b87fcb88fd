"""Serve second looks to admins: hand disagreeing items out again."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import Conflict, ErrorBody
from annotation_app.api.rounds import ADMIN_ERRORS, RoundAnnotator, round_of_my_project
from annotation_app.models import Batch, Capability, Project
from annotation_app.rounds.errors import RoundRefused
from annotation_app.rounds.second_look import second_look_close, second_look_open, second_looks


class SecondLookOut(serializers.Serializer):
    size = serializers.IntegerField(source="progress.size")
    done = serializers.IntegerField(source="progress.done", help_text="Assignments answered or skipped.")
    total = serializers.IntegerField(source="progress.total")
    complete = serializers.BooleanField(source="progress.complete")
    closed = serializers.BooleanField(help_text="Nothing of it changes any more.")
    annotators = RoundAnnotator(many=True)


class LookPlaceOut(serializers.Serializer):
    round_id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    size = serializers.IntegerField(help_text="Items in the round's batch.")
    n_differing = serializers.IntegerField(help_text="Of these, items on which independent answers differ.")
    second_look = SecondLookOut(source="look", allow_null=True)
    may_open = serializers.SerializerMethodField()
    reason = serializers.SerializerMethodField(help_text="Why none may be opened now; empty where one may.")

    def get_may_open(self, place: Any) -> bool:
        return place.reason is None

    def get_reason(self, place: Any) -> str:
        return place.reason[1] if place.reason else ""


class SecondLooksOut(serializers.Serializer):
    rounds = LookPlaceOut(many=True)


def serialize_second_looks(project: Project) -> dict[str, Any]:
    return SecondLooksOut({"rounds": second_looks(project)}).data


class SecondLooksView(APIView):
    @extend_schema(responses={200: SecondLooksOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Every round with a batch: how many items people differ on, and its second look."""
        return Response(serialize_second_looks(member_or_404(request, project_id, Capability.MANAGE).project))


class SecondLookActView(APIView):
    """Open or close; the path says which."""

    service: Callable[..., Batch]
    success: int = status.HTTP_200_OK

    @extend_schema(request=None, responses={200: SecondLooksOut, 201: SecondLooksOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, round_id: UUID) -> Response:
        row = round_of_my_project(request, round_id)
        try:
            type(self).service(row=row, actor=person(request))
        except RoundRefused as error:
            raise Conflict(error.code, str(error)) from error
        return Response(serialize_second_looks(row.project), status=self.success)


class SecondLookOpenView(SecondLookActView):
    service = staticmethod(second_look_open)
    success = status.HTTP_201_CREATED


class SecondLookCloseView(SecondLookActView):
    service = staticmethod(second_look_close)
