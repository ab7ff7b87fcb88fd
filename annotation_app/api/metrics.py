"""Answer Prometheus. The route exists only where the operator has set a token for it."""

import secrets

from django.conf import settings
from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from prometheus_client import CONTENT_TYPE_LATEST
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation_app.api.errors import ErrorBody
from annotation_app.monitoring.counters import counted_text
from annotation_app.monitoring.state import state_text


class MetricsView(APIView):
    permission_classes = [AllowAny]
    authentication_classes = []

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR, 403: ErrorBody, 404: ErrorBody})
    def get(self, request: Request) -> HttpResponse:
        """Return what was counted and the state of jobs, workers, database and disk, for the token's holder."""
        if not settings.METRICS_TOKEN:
            raise Http404
        sent = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if not secrets.compare_digest(sent.encode(), settings.METRICS_TOKEN.encode()):
            raise PermissionDenied("Send the token of QUORUM_METRICS_TOKEN: Authorization: Bearer TOKEN.")
        return HttpResponse(counted_text() + state_text(), content_type=CONTENT_TYPE_LATEST)
