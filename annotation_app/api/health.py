"""Report whether the service is up. Anyone may ask; the answers are yes and no."""

import redis
from django.conf import settings
from django.db import DatabaseError
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.disk import is_low
from annotation_app.models import WorkerBeat


def broker_answers() -> bool:
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


class HealthView(APIView):
    permission_classes = [AllowAny]
    authentication_classes = []

    class Output(serializers.Serializer):
        database = serializers.BooleanField()
        broker = serializers.BooleanField()
        disk = serializers.BooleanField(help_text="More is free than the reserve, below which uploads are refused.")
        workers = serializers.DictField(child=serializers.BooleanField())

    @extend_schema(responses={200: Output, 503: Output})
    def get(self, request: Request) -> Response:
        """Tell what works; 503 without a database."""
        try:
            workers = {queue: WorkerBeat.alive(queue) for queue in ("models", "light")}
            return Response({"database": True, "broker": broker_answers(), "disk": not is_low(), "workers": workers})
        except DatabaseError:
            away = {"models": False, "light": False}
            body = {"database": False, "broker": broker_answers(), "disk": not is_low(), "workers": away}
            return Response(body, status=status.HTTP_503_SERVICE_UNAVAILABLE)
