"""Serve one item to admins: its text in its context, and all that happened to it."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import OwnAnswerIn, checked
from annotation_app.api.item_list import ItemListed, item_of_my_project
from annotation_app.api.items import BuiltItem, serialize_items
from annotation_app.dashboards.items.history import HistoryLine, ItemHistory, item_history
from annotation_app.dashboards.items.page import with_batches
from annotation_app.ingest.columns import all_beside
from annotation_app.models import Capability, Item


class SaidAnswerOut(serializers.Serializer):
    stage = serializers.CharField()
    answer = serializers.CharField(allow_blank=True)


class SaidSpanOut(serializers.Serializer):
    category = serializers.CharField()
    quote = serializers.CharField()


class HistoryLineOut(serializers.Serializer):
    at = serializers.DateTimeField()
    who = serializers.CharField(allow_blank=True, help_text="Empty for the system.")
    sentence = serializers.CharField()
    answers = SaidAnswerOut(many=True, allow_null=True)
    spans = SaidSpanOut(many=True)
    note = serializers.CharField(allow_blank=True, help_text="A comment, a reason, or the words of a flag.")
    is_hidden = serializers.BooleanField(help_text="What was said is hidden from the reader.")


class HiddenOut(serializers.Serializer):
    code = serializers.ChoiceField(choices=["answer_first", "own_answer"])
    detail = serializers.CharField()


class NamedColumn(serializers.Serializer):
    name = serializers.CharField()
    value = serializers.JSONField()


class ItemHistoryOut(serializers.Serializer):
    project = serializers.UUIDField()
    listed = ItemListed()
    item = BuiltItem()
    columns = NamedColumn(many=True, help_text="Every imported column of the item, its turn and its document.")
    lines = HistoryLineOut(many=True)
    hidden = HiddenOut(allow_null=True, help_text="Why others' answers are hidden; null where they are shown.")


class ItemHistoryView(APIView):
    @extend_schema(parameters=[OwnAnswerIn], responses={200: ItemHistoryOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, item_id: UUID) -> Response:
        """Return one item with its history, oldest line first.

        Others' answers are hidden while the reader's own can change. With `own=locked` it locks them and shows all.
        """
        item = item_of_my_project(request, item_id)
        member = member_or_404(request, item.project.uuid, Capability.MANAGE)
        asked = checked(OwnAnswerIn, request.query_params)
        found = item_history(reader=member, item=item, lock_own=asked["own"] is not None)
        return Response(ItemHistoryOut(history_parts(item, found)).data)


def history_parts(item: Item, found: ItemHistory) -> dict[str, Any]:
    refused = found.refused
    return {
        "project": item.project.uuid,
        "listed": with_batches([item])[0],
        "item": serialize_items([item.pk], item.project)[item.pk],
        "columns": all_beside(item),
        "lines": [line_parts(line) for line in found.lines],
        "hidden": refused and {"code": refused.code, "detail": str(refused)},
    }


def line_parts(line: HistoryLine) -> dict[str, Any]:
    return vars(line) | {"spans": [{"category": category, "quote": quote} for category, quote in line.spans]}
