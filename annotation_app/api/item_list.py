"""Serve the list of a project's items to admins, and take what they do with one item."""

from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.aggregation.selectors import codebooks_of, newest_stages
from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.export import TOTAL_LINES, OwnFormat, streamed
from annotation_app.api.inputs import Beginning, TextOrNull, checked, one_of
from annotation_app.api.item_filters import FiltersIn, filters_of
from annotation_app.api.remarks import RemarkBatch
from annotation_app.assignment.left_out import item_leave_out, item_take_back
from annotation_app.dashboards.items.download import FORMATS, items_open
from annotation_app.dashboards.items.page import SORTS, item_page, items_counted, with_batches
from annotation_app.dashboards.remarks import batches_of
from annotation_app.models import Batch, Capability, Item, Project

REASON_LENGTH = 1000
NO_REASON = "Give a reason. It is shown in the log and in exports."


class ItemBatch(serializers.Serializer):
    kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    number = serializers.IntegerField()


class ListedDocument(serializers.Serializer):
    title = serializers.CharField(allow_blank=True)
    external_id = serializers.CharField()


class ItemListed(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    item_id = serializers.CharField(source="row.external_id")
    text = Beginning(source="row.text", help_text="Of a long item the beginning.")
    speaker = TextOrNull(source="row.utterance.speaker")
    document = ListedDocument(source="row.document")
    left_out = serializers.ChoiceField(source="row.left_out", choices=Item.LeftOut.choices, allow_blank=True)
    left_out_reason = serializers.CharField(source="row.left_out_reason", allow_blank=True)
    batch = ItemBatch(allow_null=True)
    done = serializers.IntegerField(help_text="Assignments that were answered or skipped.")
    total = serializers.IntegerField()


class ItemsOut(serializers.Serializer):
    items = ItemListed(many=True)
    before = serializers.UUIDField(allow_null=True, help_text="Leads to the page before this one.")
    after = serializers.UUIDField(allow_null=True, help_text="Leads to the page after this one.")


class ItemsCountOut(serializers.Serializer):
    n = serializers.IntegerField()
    hidden = serializers.IntegerField(
        help_text="Items left out of a list by answers, since the reader's own answer can still change."
    )


class ItemsView(APIView):
    class Input(FiltersIn):
        sort = serializers.ChoiceField(choices=SORTS, default="order")
        after = serializers.UUIDField(required=False, default=None, allow_null=True)
        before = serializers.UUIDField(required=False, default=None, allow_null=True)

    @extend_schema(parameters=[Input], responses={200: ItemsOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the items that match, 25 a page. Nobody's answers are shown."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        asked = checked(self.Input, request.query_params)
        beside = {name: asked.pop(name) for name in ("sort", "after", "before")}
        return Response(ItemsOut(item_page(filters=filters_of(member, asked), **beside)).data)


class ItemsCountView(APIView):
    @extend_schema(
        operation_id="projects_items_count",
        parameters=[FiltersIn],
        responses={200: ItemsCountOut, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Count the items that match."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        filters = filters_of(member, checked(FiltersIn, request.query_params))
        return Response(ItemsCountOut(items_counted(filters)).data)


class ItemsExportView(APIView):
    content_negotiation_class = OwnFormat

    class Input(FiltersIn):
        format = one_of(*FORMATS, default="jsonl")
        bom = serializers.BooleanField(default=False, help_text="Of format csv: a mark by which Excel knows UTF-8.")

    @extend_schema(
        operation_id="projects_items_export",
        parameters=[Input, TOTAL_LINES],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> StreamingHttpResponse:
        """Stream the items that match, with their aggregated labels. The log notes it."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        asked = checked(self.Input, request.query_params)
        options = {name: asked.pop(name) for name in ("format", "bom")}
        return streamed(items_open(filters=filters_of(member, asked), **options))


class OfferedLabel(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()


class OfferedStage(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    labels = OfferedLabel(many=True)


class ItemChoicesOut(serializers.Serializer):
    batches = RemarkBatch(many=True)
    stages = OfferedStage(many=True, help_text="Of every published version, the newest first.")


class ItemChoicesView(APIView):
    @extend_schema(operation_id="projects_items_choices", responses={200: ItemChoicesOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return the batches and the labels of stages to filter by."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(ItemChoicesOut({"batches": batches_of(member), "stages": stages_offered(member.project)}).data)


def stages_offered(project: Project) -> list[dict[str, Any]]:
    return [
        {
            "key": key,
            "title": stage.title,
            "labels": [{"key": label, "name": stage.label_name(label)} for label in stage.offered],
        }
        for key, stage in newest_stages(codebooks_of(project)).items()
    ]


def item_of_my_project(request: Request, item_id: UUID) -> Item:
    return found_or_404(request, Item.objects.select_related("document", "utterance"), item_id)


def listed_item(item: Item) -> Response:
    item.refresh_from_db(fields=["left_out", "left_out_reason"])
    return Response(ItemListed(with_batches([item])[0]).data)


class ReasonIn(serializers.Serializer):
    reason = serializers.CharField(
        max_length=REASON_LENGTH, error_messages=dict.fromkeys(("blank", "required"), NO_REASON)
    )


class ItemLeaveOutView(APIView):
    @extend_schema(request=ReasonIn, responses={200: ItemListed, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, item_id: UUID) -> Response:
        """Leave the item out: it is never drawn again, and is taken from people who have not answered it."""
        item = item_of_my_project(request, item_id)
        item_leave_out(item=item, actor=person(request), **checked(ReasonIn, request.data))
        return listed_item(item)


class ItemTakeBackView(APIView):
    @extend_schema(request=None, responses={200: ItemListed, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, item_id: UUID) -> Response:
        """Put an item that was left out back into the pool."""
        item = item_of_my_project(request, item_id)
        item_take_back(item=item, actor=person(request))
        return listed_item(item)
