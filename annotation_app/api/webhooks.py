"""Serve a project's webhooks and their last deliveries to its admins."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.models import Capability, Delivery, Webhook
from annotation_app.webhooks.services import delivery_again, webhook_create, webhook_remove, webhook_test

DELIVERIES_SHOWN = 10
STATES = [value for value in Delivery.State.values if value != Delivery.State.PAST]


class DeliveryOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    event = serializers.CharField(source="body.event")
    state = serializers.ChoiceField(choices=STATES)
    attempts = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    tried_at = serializers.DateTimeField(allow_null=True)
    next_at = serializers.SerializerMethodField(help_text="When it is sent next; null where it is not.")
    status = serializers.IntegerField(allow_null=True, help_text="What the receiver answered last.")
    problem = serializers.CharField()

    def get_next_at(self, row: Delivery) -> datetime | None:
        return row.due_at if row.state == Delivery.State.WAITING else None


class WebhookOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(choices=Webhook.Kind.choices), source="kinds")
    created_at = serializers.DateTimeField()
    deliveries = serializers.SerializerMethodField(help_text="The last ones, the newest first.")

    @extend_schema_field(DeliveryOut(many=True))
    def get_deliveries(self, webhook: Webhook) -> Any:
        rows = webhook.deliveries.exclude(state=Delivery.State.PAST).order_by("-pk")[:DELIVERIES_SHOWN]
        return DeliveryOut(rows, many=True).data


class WebhookMade(WebhookOut):
    secret = serializers.CharField(help_text="Signs what is sent. Shown once, in the answer that creates it.")


class WebhooksView(APIView):
    session_only = True

    class WebhookIn(serializers.Serializer):
        url = serializers.CharField(max_length=500)
        events = serializers.ListField(
            child=serializers.ChoiceField(choices=Webhook.Kind.choices), allow_empty=False, max_length=10
        )

    @extend_schema(responses={200: WebhookOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the webhooks with their last deliveries."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(WebhookOut(Webhook.objects.filter(project=member.project).order_by("pk"), many=True).data)

    @extend_schema(request=WebhookIn, responses={201: WebhookMade, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Make a webhook, which is told of what happens from now on."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(self.WebhookIn, request.data)
        webhook = webhook_create(project=member.project, actor=person(request), url=data["url"], kinds=data["events"])
        return Response(WebhookMade(webhook).data, status=status.HTTP_201_CREATED)


class WebhookRemoveView(APIView):
    @extend_schema(
        request=None, responses={204: OpenApiResponse(description="Removed."), 409: ErrorBody, **ADMIN_ERRORS}
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Remove a webhook with what waits to be sent."""
        webhook_remove(webhook=found_or_404(request, Webhook.objects.all(), webhook_id), actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookTestView(APIView):
    @extend_schema(request=None, responses={201: DeliveryOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Send a test."""
        row = webhook_test(webhook=found_or_404(request, Webhook.objects.all(), webhook_id))
        return Response(DeliveryOut(row).data, status=status.HTTP_201_CREATED)


class DeliveryAgainView(APIView):
    @extend_schema(request=None, responses={200: DeliveryOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, delivery_id: UUID) -> Response:
        """Send a delivery again, with the same id."""
        mine = Delivery.objects.filter(webhook__project__in=memberships(request).values("project_id"))
        rows = mine.exclude(state=Delivery.State.PAST).select_related("webhook__project")
        row = get_object_or_404(rows, uuid=delivery_id)
        member_or_404(request, row.webhook.project.uuid, Capability.MANAGE)
        return Response(DeliveryOut(delivery_again(delivery=row)).data)
