"""Take acts on many items at once from admins, each after a preview."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked, spec_sent
from annotation_app.api.item_filters import FiltersIn, filters_of
from annotation_app.api.item_list import NO_REASON, REASON_LENGTH
from annotation_app.dashboards.items.acts import ItemActSpec, act_preview, items_act
from annotation_app.dashboards.items.filters import ItemFilters
from annotation_app.models import Capability, ItemAct, Membership

MOST_CHOSEN = 1_000


class ChosenIn(serializers.Serializer):
    act = serializers.ChoiceField(choices=ItemAct.Kind.choices)
    items = serializers.ListField(
        child=serializers.UUIDField(), default=list, max_length=MOST_CHOSEN, help_text="These, or all that match."
    )
    filters = FiltersIn(required=False, help_text="Of the list; not looked at where items are named.")


class CheckItemsIn(serializers.Serializer):
    practice = serializers.UUIDField(help_text="A practice that was never opened.")
    percent = serializers.IntegerField(help_text="Check items in percent of the items, from 1 to 20.")


class ActIn(ChosenIn):
    client_id = serializers.UUIDField(help_text="Names this sending: a retry does nothing twice.")
    expected = serializers.IntegerField(min_value=0, help_text="The preview's `acted_on`.")
    reason = serializers.CharField(max_length=REASON_LENGTH, default="", allow_blank=True)
    annotators = serializers.ListField(child=serializers.UUIDField(), default=list, max_length=1_000)
    annotators_per_item = serializers.IntegerField(min_value=1, max_value=1_000, default=1)
    shares = serializers.DictField(
        child=serializers.IntegerField(),
        default=dict,
        help_text="Parts of the slots by annotator; none: who asks first.",
    )
    check_items = CheckItemsIn(default=None, allow_null=True, help_text="Items with known answers that are mixed in.")
    as_round = serializers.BooleanField(default=False, help_text="The batch is the next round, and counts as one.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["act"] == ItemAct.Kind.LEAVE_OUT and not attrs["reason"].strip():
            raise serializers.ValidationError({"reason": [NO_REASON]})
        return attrs


class ActPreviewOut(serializers.Serializer):
    chosen = serializers.IntegerField()
    acted_on = serializers.IntegerField(help_text="The others stay as they are.")


class ActBatchOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    number = serializers.IntegerField()


class ActOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    n = serializers.SerializerMethodField()
    batch = ActBatchOut(allow_null=True)

    def get_n(self, row: ItemAct) -> int:
        return len(row.items)


def spec_and_filters(member: Membership, asked: dict[str, Any]) -> tuple[ItemActSpec, ItemFilters]:
    given = asked.pop("filters", None)
    filters = filters_of(member, given if given is not None else checked(FiltersIn, {}))
    return spec_sent(ItemActSpec, asked | {"filters": given or {}}), filters


class ItemsPreviewView(APIView):
    @extend_schema(request=ChosenIn, responses={200: ActPreviewOut, 400: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Count how many items an act would be about. Nothing is changed."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        spec, filters = spec_and_filters(member, checked(ChosenIn, request.data))
        return Response(ActPreviewOut(act_preview(spec=spec, filters=filters)).data)


class ItemsActView(APIView):
    @extend_schema(request=ActIn, responses={201: ActOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Leave items out, take them back, or open a batch of them: all or none."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        spec, filters = spec_and_filters(member, checked(ActIn, request.data))
        act = items_act(actor=member, spec=spec, filters=filters)
        return Response(ActOut(act).data, status=status.HTTP_201_CREATED)
