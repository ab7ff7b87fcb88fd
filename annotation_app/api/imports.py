"""Imports: upload a corpus, watch it come in, read the report."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import allowed, member_or_404, memberships
from annotation_app.api.errors import BadInput, Conflict, ErrorBody
from annotation_app.ingest.options import BLANK, FORMATS, TOKENS_CAP, UNITS, ImportOptions, OptionError
from annotation_app.ingest.run import NOTHING
from annotation_app.ingest.selectors import import_in, imports_of
from annotation_app.ingest.services import START, ImportRefused, import_create
from annotation_app.models import Import, Role

# What a form adds around the file.
FORM_BYTES = 64 * 1024
ADMIN_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody}


class ImportProgress(serializers.Serializer):
    step = serializers.CharField()
    fraction = serializers.FloatField()
    rows = serializers.IntegerField()


class ImportFault(serializers.Serializer):
    line = serializers.IntegerField(allow_null=True)
    file = serializers.CharField()
    field = serializers.CharField(allow_null=True)
    message = serializers.CharField()


class LeftOut(serializers.Serializer):
    too_short = serializers.IntegerField()
    too_long = serializers.IntegerField()


class SplitterOut(serializers.Serializer):
    name = serializers.CharField()
    version = serializers.CharField()
    spacy = serializers.CharField()


class LimitsOut(serializers.Serializer):
    min_tokens = serializers.IntegerField()
    max_tokens = serializers.IntegerField()


class ImportReport(serializers.Serializer):
    documents = serializers.IntegerField()
    utterances = serializers.IntegerField()
    items = serializers.IntegerField()
    kept = serializers.IntegerField()
    left_out = LeftOut()
    left_out_utterances = LeftOut()
    sources = serializers.IntegerField(help_text="Source documents that rows name.")
    marked_items = serializers.IntegerField(help_text="Items that came with spans.")
    marks = serializers.IntegerField(help_text="Spans that came with items.")
    rows = serializers.ChoiceField(choices=UNITS, allow_null=True)
    limits = LimitsOut(allow_null=True)
    skipped_lines = serializers.IntegerField()
    splitter = SplitterOut(allow_null=True)
    sha256 = serializers.CharField(allow_blank=True)
    errors = ImportFault(many=True)  # type: ignore[assignment]
    n_errors = serializers.IntegerField()
    seconds = serializers.FloatField()


class ImportOptionsIn(serializers.Serializer):
    """The form beside the file. Empty means the default."""

    format = serializers.ChoiceField(choices=FORMATS, default="auto")
    unit = serializers.ChoiceField(choices=UNITS, default="sentence")
    rows = serializers.ChoiceField(choices=UNITS, allow_null=True, default=None)
    min_tokens = serializers.IntegerField(min_value=0, max_value=TOKENS_CAP, allow_null=True, default=None)
    max_tokens = serializers.IntegerField(min_value=0, max_value=TOKENS_CAP, allow_null=True, default=None)
    splitter = serializers.CharField(default=BLANK)
    skip_bad_lines = serializers.BooleanField(default=False)


class ImportOptionsOut(serializers.Serializer):
    format = serializers.ChoiceField(choices=FORMATS)
    unit = serializers.ChoiceField(choices=UNITS)
    rows = serializers.ChoiceField(choices=UNITS, allow_null=True)
    min_tokens = serializers.IntegerField(allow_null=True)
    max_tokens = serializers.IntegerField(allow_null=True)
    splitter = serializers.CharField()
    skip_bad_lines = serializers.BooleanField()


class ImportIn(ImportOptionsIn):
    file = serializers.FileField()


class ImportOut(serializers.Serializer):
    id = serializers.UUIDField()
    filename = serializers.CharField()
    format = serializers.ChoiceField(choices=FORMATS)
    state = serializers.ChoiceField(choices=Import.State.choices)
    progress = ImportProgress()
    options = ImportOptionsOut()
    report = ImportReport(allow_null=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


def shown(imported: Import) -> dict[str, Any]:
    """An import whose options were left at their defaults shows them; older reports did not count everything."""
    return {
        "id": imported.uuid,
        "filename": imported.filename,
        "format": imported.format,
        "state": imported.state,
        "progress": {**START, **imported.progress},
        "options": {**ImportOptions().as_dict(), **imported.options},
        "report": imported.report and {**NOTHING, **imported.report},
        "created_at": imported.created_at,
        "finished_at": imported.finished_at,
    }


class ImportsView(APIView):
    parser_classes = [MultiPartParser]

    @extend_schema(responses={200: ImportOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Role.ADMIN)
        return Response(ImportOut([shown(row) for row in imports_of(member.project)], many=True).data)

    @extend_schema(
        request={"multipart/form-data": ImportIn},
        responses={202: ImportOut, 400: ErrorBody, **ADMIN_ERRORS, 409: ErrorBody},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        member = member_or_404(request, project_id, Role.ADMIN)
        size_check(int(request.META.get("CONTENT_LENGTH") or 0) - FORM_BYTES)
        data = ImportIn(data=form_of(request))
        data.is_valid(raise_exception=True)
        fields = dict(data.validated_data)
        upload = fields.pop("file")
        size_check(upload.size)
        try:
            imported = import_create(
                project=member.project, actor=member.user, upload=upload, options=ImportOptions(**fields)
            )
        except OptionError as error:
            raise BadInput(error.errors) from error
        except ImportRefused as error:
            raise Conflict("worker_down", str(error)) from error
        return Response(ImportOut(shown(imported)).data, status=status.HTTP_202_ACCEPTED)


def size_check(size: int) -> None:
    """Before the body is read, by its announced length, and again by the file that came."""
    if size > settings.UPLOAD_MAX_BYTES:
        limit = f"{settings.UPLOAD_MAX_BYTES / 1024**2:,.0f} MiB"
        message = f"Larger than {limit}: use `manage.py import_corpus` on the server, or split the file."
        raise BadInput({"file": [message]})


def form_of(request: Request) -> dict[str, Any]:
    """The fields that were filled in: a form sends the others empty."""
    try:
        sent = request.data
    except UnsupportedMediaType as error:
        raise BadInput({"file": ["Send the file as multipart/form-data."]}) from error
    return {name: value for name, value in sent.items() if value != ""} if isinstance(sent, dict) else {}


class ImportView(APIView):
    @extend_schema(responses={200: ImportOut, **ADMIN_ERRORS})
    def get(self, request: Request, import_id: UUID) -> Response:
        imported = import_in(memberships(request).values("project_id"), import_id)
        if imported is None:
            raise Http404
        allowed(memberships(request).filter(project=imported.project).first(), Role.ADMIN)
        return Response(ImportOut(shown(imported)).data)
