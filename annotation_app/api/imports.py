"""Serve imports: upload a corpus, watch its progress, read the report."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.conf import settings
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, UPLOAD_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.api.parsers import BodyTooLarge, CappedForm, FormLimit
from annotation_app.ingest.encodings import AUTO
from annotation_app.ingest.mapping import FIELDS, HOW
from annotation_app.ingest.options import BLANK, DELIMITER_NAMES, FORMATS, TOKENS_CAP, UNITS, ImportOptions
from annotation_app.ingest.preview import BECOMES, upload_preview
from annotation_app.ingest.reading import NOTHING
from annotation_app.ingest.selectors import imports_of
from annotation_app.ingest.services import START, import_create
from annotation_app.ingest.undo import import_undo, undo_reasons
from annotation_app.models import Capability, Import, Project
from annotation_app.refusals import Invalid

HOW_TOLD = ("asked", "marked", "seen", "guessed")


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
    language = serializers.CharField(required=False, help_text="Whose rules were added to spaCy's sentencizer.")
    rules = serializers.CharField(required=False, help_text="Version of these rules.")


class LimitsOut(serializers.Serializer):
    min_tokens = serializers.IntegerField()
    max_tokens = serializers.IntegerField()


class EncodingOut(serializers.Serializer):
    name = serializers.CharField()
    how = serializers.ChoiceField(choices=HOW_TOLD)


class OrderOut(serializers.Serializer):
    """Count documents of several rows, by what ordered their rows."""

    position = serializers.IntegerField()
    timestamp = serializers.IntegerField()
    reply_to = serializers.IntegerField()
    file = serializers.IntegerField()
    moved = serializers.IntegerField(help_text="Documents whose rows stood in another order in the file.")
    incomplete = serializers.IntegerField(help_text="Documents of which only some rows have a time.")


class ColumnUseOut(serializers.Serializer):
    """Name the column that a field was read from: chosen, of the field's own name, or guessed by a usual name."""

    field = serializers.ChoiceField(choices=FIELDS)
    column = serializers.CharField()
    how = serializers.ChoiceField(choices=HOW)


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
    word_rule = serializers.CharField(allow_null=True, default=None, help_text="How the limits count words.")
    order = OrderOut(required=False)
    skipped_lines = serializers.IntegerField()
    splitter = SplitterOut(allow_null=True)
    sha256 = serializers.CharField(allow_blank=True)
    encoding = EncodingOut(allow_null=True)
    delimiter = serializers.CharField(allow_null=True, help_text="comma, semicolon, tab or pipe; null of other files.")
    sheet = serializers.CharField(allow_null=True, help_text="Of a workbook, the sheet that was read.")
    sheets = serializers.ListField(child=serializers.CharField(), help_text="The workbook's sheets that are shown.")
    columns = serializers.ListField(child=serializers.CharField())
    mapping = ColumnUseOut(many=True, help_text="What columns were read as; others stayed beside the text.")
    existing = serializers.IntegerField(help_text="Rows left out because the project has their ids.")
    skippable = serializers.BooleanField(help_text="Whether skipping bad lines would import the rest.")
    errors = ImportFault(many=True)  # type: ignore[assignment]
    n_errors = serializers.IntegerField()
    seconds = serializers.FloatField()


@extend_schema_field(OpenApiTypes.STR)
class ColumnsIn(serializers.Field):
    """Read a JSON object from a form's field: `{"text": "Sentence"}`. With an empty name, a field has no column."""

    default_error_messages = {"json": "Give a JSON object of texts, each with the text that it becomes."}

    def to_internal_value(self, data: Any) -> dict[str, str]:
        try:
            value = json.loads(data)
        except (TypeError, ValueError, RecursionError):
            self.fail("json")
        if not isinstance(value, dict):
            self.fail("json")
        return value


class ImportOptionsIn(serializers.Serializer):
    """Read the form beside the file. An empty field means the default."""

    format = serializers.ChoiceField(choices=FORMATS, default="auto")
    unit = serializers.ChoiceField(choices=UNITS, default="sentence")
    rows = serializers.ChoiceField(choices=UNITS, allow_null=True, default=None)
    min_tokens = serializers.IntegerField(min_value=0, max_value=TOKENS_CAP, allow_null=True, default=None)
    max_tokens = serializers.IntegerField(min_value=0, max_value=TOKENS_CAP, allow_null=True, default=None)
    splitter = serializers.CharField(default=BLANK)
    skip_bad_lines = serializers.BooleanField(default=False)
    encoding = serializers.CharField(default=AUTO, help_text="auto, or a name such as utf-8, utf-16 or cp1252.")
    delimiter = serializers.ChoiceField(choices=DELIMITER_NAMES, default=AUTO)
    number_rows = serializers.BooleanField(default=False, help_text="Rows without an id get one of file and number.")
    skip_existing = serializers.BooleanField(default=False, help_text="Rows whose ids the project has are left out.")
    sheet = serializers.CharField(default="", allow_blank=True, help_text="Of a workbook; empty: the first one shown.")
    columns = ColumnsIn(default=dict, help_text='JSON: the columns chosen for fields, as in {"text": "Sentence"}.')

    categories = ColumnsIn(
        default=dict, help_text='JSON: what labels of spans become, as in {"PER": "person"}; empty: left out.'
    )


class ImportOptionsOut(serializers.Serializer):
    format = serializers.ChoiceField(choices=FORMATS)
    unit = serializers.ChoiceField(choices=UNITS)
    rows = serializers.ChoiceField(choices=UNITS, allow_null=True)
    min_tokens = serializers.IntegerField(allow_null=True)
    max_tokens = serializers.IntegerField(allow_null=True)
    splitter = serializers.CharField()
    skip_bad_lines = serializers.BooleanField()
    encoding = serializers.CharField()
    delimiter = serializers.ChoiceField(choices=DELIMITER_NAMES)
    number_rows = serializers.BooleanField()
    skip_existing = serializers.BooleanField()
    sheet = serializers.CharField(allow_blank=True)
    columns = serializers.DictField(child=serializers.CharField(allow_blank=True))
    categories = serializers.DictField(child=serializers.CharField(allow_blank=True))


class ImportIn(ImportOptionsIn):
    file = serializers.FileField()


class PreviewIn(ImportIn):
    is_cut = serializers.BooleanField(default=False, help_text="The file is only the beginning of a larger one.")


class FoundColumnOut(serializers.Serializer):
    name = serializers.CharField()
    becomes = serializers.ChoiceField(choices=BECOMES)


class FoundLabelOut(serializers.Serializer):
    name = serializers.CharField()
    n = serializers.IntegerField(help_text="Spans that have it.")
    category = serializers.CharField(
        allow_null=True, allow_blank=True, help_text="What it becomes; empty: left out; null: no category has its name."
    )


class CategoryNameOut(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()


class PreviewItemOut(serializers.Serializer):
    line = serializers.IntegerField()
    id = serializers.CharField()
    text = serializers.CharField(help_text="Of a long one the beginning.")
    is_cut = serializers.BooleanField()
    speaker = serializers.CharField(allow_blank=True)
    document = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    left_out = serializers.ChoiceField(choices=["too_short", "too_long"], allow_blank=True)
    meta = serializers.DictField(child=serializers.JSONField())


class PreviewOut(serializers.Serializer):
    filename = serializers.CharField()
    format = serializers.ChoiceField(choices=FORMATS)
    whole = serializers.BooleanField(help_text="False: the counts are of the file's first `rows` rows.")
    rows = serializers.IntegerField()
    imports = serializers.BooleanField(help_text="Whether an import with these options would bring anything.")
    estimated = serializers.BooleanField(help_text="Items are an estimate: sentences were counted in a sample.")
    in_project = serializers.IntegerField(help_text="Rows whose ids the project has.")
    columns = FoundColumnOut(many=True)
    labels = FoundLabelOut(many=True)
    categories = CategoryNameOut(many=True, help_text="Those of the published codebook.")
    first = PreviewItemOut(many=True)
    report = ImportReport()


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
    created_by = serializers.CharField(allow_null=True, help_text="Null: the command line.")
    undone_at = serializers.DateTimeField(allow_null=True)
    undone_by = serializers.CharField(allow_null=True)
    keeps = serializers.CharField(allow_blank=True, help_text="Why it cannot be undone; empty where it can.")


def serialize_imports(project: Project, imports: Sequence[Import]) -> list[dict[str, Any]]:
    reasons = undo_reasons(project, imports)
    return [serialize_import(row, reasons[row.pk]) for row in imports]


def serialize_import(imported: Import, keeps: str) -> dict[str, Any]:
    """Return an import. Options left at their defaults are filled in; older reports did not count everything."""
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
        "created_by": imported.created_by and imported.created_by.shown_name,
        "undone_at": imported.undone_at,
        "undone_by": imported.undone_by and imported.undone_by.shown_name,
        "keeps": keeps,
    }


def serialize_found_column(imported: Import) -> dict[str, Any]:
    return serialize_imports(imported.project, [imported])[0]


class ImportFormView(APIView):
    """Take a file and the options of its import."""

    parser_classes = [CappedForm]

    def form_limit(self) -> FormLimit:
        return settings.UPLOAD_MAX_BYTES, ("file",), "split the file, or use `manage.py import_corpus` on the server"

    def given(self, request: Request, shape: type[ImportIn]) -> dict[str, Any]:
        """Return the form's fields. Raises BodyTooLarge for a file over the limit."""
        fields = checked(shape, form_of(request))
        if fields["file"].size > settings.UPLOAD_MAX_BYTES:
            raise BodyTooLarge(*self.form_limit())
        return fields


class ImportsView(ImportFormView):
    @extend_schema(responses={200: ImportOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the project's imports."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        return Response(ImportOut(serialize_imports(member.project, list(imports_of(member.project))), many=True).data)

    @extend_schema(
        request={"multipart/form-data": ImportIn},
        responses={202: ImportOut, 400: ErrorBody, **ADMIN_ERRORS, 409: ErrorBody, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Store a file, and import it in the background."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        fields = self.given(request, ImportIn)
        upload = fields.pop("file")
        imported = import_create(
            project=member.project, actor=member.user, upload=upload, options=ImportOptions(**fields)
        )
        return Response(ImportOut(serialize_found_column(imported)).data, status=status.HTTP_202_ACCEPTED)


class ImportPreviewView(ImportFormView):
    @extend_schema(
        request={"multipart/form-data": PreviewIn},
        responses={200: PreviewOut, 400: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Tell what an import would bring. Neither the file nor anything in it is stored."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        fields = self.given(request, PreviewIn)
        upload, is_cut = fields.pop("file"), fields.pop("is_cut")
        try:
            preview = upload_preview(
                project=member.project, upload=upload, options=ImportOptions(**fields), is_cut=is_cut
            )
        finally:
            upload.close()
        return Response(PreviewOut(asdict(preview)).data)


def form_of(request: Request) -> dict[str, Any]:
    """Return the fields that were filled in: a form sends the others empty."""
    try:
        sent = request.data
    except UnsupportedMediaType as error:
        raise Invalid({"file": ["Send the file as multipart/form-data."]}) from error
    return {name: value for name, value in sent.items() if value != ""} if isinstance(sent, dict) else {}


def import_of_my_project(request: Request, import_id: UUID) -> Import:
    return found_or_404(request, Import.objects.select_related("created_by", "undone_by"), import_id)


class ImportView(APIView):
    @extend_schema(responses={200: ImportOut, **ADMIN_ERRORS})
    def get(self, request: Request, import_id: UUID) -> Response:
        """Return one import with its progress and its report."""
        return Response(ImportOut(serialize_found_column(import_of_my_project(request, import_id))).data)


class ImportUndoView(APIView):
    @extend_schema(request=None, responses={200: ImportOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, import_id: UUID) -> Response:
        """Remove all that this import alone brought, as long as nobody was given any of it."""
        imported = import_of_my_project(request, import_id)
        imported = import_undo(imported=imported, actor=person(request))
        return Response(ImportOut(serialize_found_column(imported)).data)
