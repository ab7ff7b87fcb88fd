"""Serve items: look one up by id or text, leave it out of the pool with a reason, take it back."""

from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import allowed, member_or_404, memberships, person
from annotation_app.api.errors import Conflict, ErrorBody
from annotation_app.api.integers import QueryInteger
from annotation_app.assignment.errors import ItemRefused
from annotation_app.assignment.left_out import item_leave_out, item_take_back
from annotation_app.dashboards.items import WHICH, items_found, with_batches
from annotation_app.models import Batch, Capability, Item

ADMIN_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


class ItemBatch(serializers.Serializer):
    kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    number = serializers.IntegerField()


class ItemListed(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    item_id = serializers.CharField(source="row.external_id")
    text = serializers.CharField(source="row.text")
    document = serializers.CharField(source="row.document.title", allow_blank=True)
    left_out = serializers.ChoiceField(source="row.left_out", choices=Item.LeftOut.choices, allow_blank=True)
    left_out_reason = serializers.CharField(source="row.left_out_reason", allow_blank=True)
    batch = ItemBatch(allow_null=True)
    done = serializers.IntegerField(help_text="Assignments that were answered or skipped.")
    total = serializers.IntegerField()


class ItemsOut(serializers.Serializer):
    items = ItemListed(many=True)
    n = serializers.IntegerField()
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class ItemsView(APIView):
    class Input(serializers.Serializer):
        q = serializers.CharField(max_length=500, default="", allow_blank=True)
        which = serializers.ChoiceField(choices=WHICH, default="all")
        page = QueryInteger(min_value=1, max_value=1_000_000, default=1)

    @extend_schema(parameters=[Input], responses={200: ItemsOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Items whose id or text holds `q`, in the order of import, 25 a page. Tells nobody's answers."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = self.Input(data=request.query_params)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        found = items_found(project=project, query=asked["q"], which=asked["which"], page=asked["page"])
        return Response(ItemsOut(found).data)


def item_of_my_project(request: Request, item_id: UUID) -> Item:
    mine = Item.objects.filter(project__in=memberships(request).values("project_id"))
    item = get_object_or_404(mine.select_related("project", "document"), uuid=item_id)
    allowed(memberships(request).filter(project=item.project).first(), Capability.MANAGE)
    return item


def serialize_listed_item(item: Item) -> Response:
    item.refresh_from_db(fields=["left_out", "left_out_reason"])
    body: dict[str, Any] = ItemListed(with_batches([item])[0]).data
    return Response(body)


class ItemLeaveOutView(APIView):
    class ReasonIn(serializers.Serializer):
        reason = serializers.CharField(
            max_length=1000,
            error_messages={
                "blank": "Say why: the reason stands in the log and in exports.",
                "required": "Say why: the reason stands in the log and in exports.",
            },
        )

    @extend_schema(request=ReasonIn, responses={200: ItemListed, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, item_id: UUID) -> Response:
        """Never drawn again, and no longer given to those who have not answered; the answers that there are stay."""
        item = item_of_my_project(request, item_id)
        data = self.ReasonIn(data=request.data)
        data.is_valid(raise_exception=True)
        try:
            item_leave_out(item=item, reason=data.validated_data["reason"], actor=person(request))
        except ItemRefused as error:
            raise Conflict("item_kept", str(error)) from error
        return serialize_listed_item(item)


class ItemTakeBackView(APIView):
    @extend_schema(request=None, responses={200: ItemListed, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, item_id: UUID) -> Response:
        item = item_of_my_project(request, item_id)
        try:
            item_take_back(item=item, actor=person(request))
        except ItemRefused as error:
            raise Conflict("item_kept", str(error)) from error
        return serialize_listed_item(item)
