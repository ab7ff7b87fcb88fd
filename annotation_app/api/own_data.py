"""Serve a person what is stored about them."""

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation_app.api.access import person
from annotation_app.api.errors import ErrorBody
from annotation_app.personal_data.export import TooManyExports, own_export

TOO_MANY = "You have downloaded your data often. Use one of those files, or try again in an hour."


class MyDataView(APIView):
    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY, 401: ErrorBody, 429: ErrorBody})
    def get(self, request: Request) -> FileResponse:
        """Download one's own data: a ZIP with a JSON file for each table. The log notes it."""
        try:
            file = own_export(user=person(request))
        except TooManyExports as error:
            raise Throttled(detail=TOO_MANY) from error
        return FileResponse(file, as_attachment=True, filename="quorum-my-data.zip", content_type="application/zip")
