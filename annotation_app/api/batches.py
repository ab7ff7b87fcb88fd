"""Serve what is open in a batch; close it, reopen it, or hand items over to somebody else."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import allowed, memberships, person
from annotation_app.api.errors import Conflict, ErrorBody
from annotation_app.assignment.closing import batch_close, batch_open_items, batch_reopen, items_hand_over
from annotation_app.assignment.errors import BatchRefused
from annotation_app.models import Batch, Capability

ADMIN_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


class TakerOut(serializers.Serializer):
    id = serializers.UUIDField(source="member.uuid")
    display_name = serializers.CharField(source="member.user.shown_name")
    items = serializers.IntegerField()
    is_admin = serializers.BooleanField(help_text="An admin may have looked at the others' answers.")


class PersonLeft(serializers.Serializer):
    id = serializers.UUIDField(source="member.uuid")
    display_name = serializers.CharField(source="member.user.shown_name")
    is_active = serializers.BooleanField(source="member.is_active")
    done = serializers.IntegerField()
    open = serializers.IntegerField()
    takers = TakerOut(many=True, help_text="Who could take over how many of the open items.")


class RestOut(serializers.Serializer):
    id = serializers.UUIDField(source="batch.uuid")
    kind = serializers.ChoiceField(source="batch.kind", choices=Batch.Kind.choices)
    number = serializers.IntegerField(source="batch.number")
    annotators_per_item = serializers.IntegerField(source="batch.annotators_per_item")
    closed_at = serializers.DateTimeField(source="batch.closed_at", allow_null=True)
    frozen_at = serializers.DateTimeField(source="batch.frozen_at", allow_null=True)
    open = serializers.IntegerField(help_text="Assignments that closing would withdraw.")
    short = serializers.IntegerField(help_text="Items with fewer answers than the batch gives an item.")
    unanswered = serializers.IntegerField(help_text="Those of them without any.")
    people = PersonLeft(many=True)


def batch_of_my_project(request: Request, batch_id: UUID) -> Batch:
    mine = Batch.objects.filter(project__in=memberships(request).values("project_id"))
    batch = get_object_or_404(mine.select_related("project"), uuid=batch_id)
    allowed(memberships(request).filter(project=batch.project).first(), Capability.MANAGE)
    return batch


@contextmanager
def refusals() -> Iterator[None]:
    try:
        yield
    except BatchRefused as error:
        raise Conflict(error.code, str(error)) from error


def serialize_open_items(batch: Batch) -> Response:
    batch.refresh_from_db(fields=["closed_at", "frozen_at"])
    return Response(RestOut(batch_open_items(batch)).data)


class BatchRestView(APIView):
    @extend_schema(responses={200: RestOut, **ADMIN_ERRORS})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """What is open, whose it is, and who could take it over."""
        return serialize_open_items(batch_of_my_project(request, batch_id))


class BatchCloseView(APIView):
    @extend_schema(request=None, responses={200: RestOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Withdraws what is not answered, so that the next round can start."""
        batch = batch_of_my_project(request, batch_id)
        with refusals():
            batch_close(batch=batch, actor=person(request))
        return serialize_open_items(batch)


class BatchReopenView(APIView):
    @extend_schema(request=None, responses={200: RestOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        batch = batch_of_my_project(request, batch_id)
        with refusals():
            batch_reopen(batch=batch, actor=person(request))
        return serialize_open_items(batch)


class BatchHandOverView(APIView):
    class HandOverIn(serializers.Serializer):
        giver = serializers.UUIDField()
        taker = serializers.UUIDField()

    @extend_schema(request=HandOverIn, responses={200: RestOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Gives one person's open items to another who has not had them; both are ids of members."""
        batch = batch_of_my_project(request, batch_id)
        data = self.HandOverIn(data=request.data)
        data.is_valid(raise_exception=True)
        with refusals():
            items_hand_over(batch=batch, actor=person(request), **data.validated_data)
        return serialize_open_items(batch)
