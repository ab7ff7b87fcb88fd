"""Serve datasets as downloads to admins. They are streamed, so that their size does not matter."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import QueryDict, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from annotation_app.aggregation.statements import PHASES
from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import BadInput, ErrorBody
from annotation_app.api.integers import QueryInteger
from annotation_app.codebook.texts import shown
from annotation_app.export.kinds import FORMATS, KINDS, TABLES, formats_of, ignored_option_text
from annotation_app.export.label_tables import ROWS
from annotation_app.export.options import OF, REVISIONS, SEEDS, STYLES, ExportOptions
from annotation_app.export.stream import Export, export_open
from annotation_app.export.table_files import TableTooLarge
from annotation_app.models import Capability

TABLE_TYPES = {each.media_type for each in TABLES.values()}
MEDIA_TYPES = sorted({kind.format.media_type for kind in KINDS.values()} | TABLE_TYPES)
TOTAL_LINES = OpenApiParameter(
    "X-Total-Lines",
    OpenApiTypes.INT,
    OpenApiParameter.HEADER,
    response=[200],
    description="How many lines a whole file has; of a table, how many rows below its header.",
)


class OwnFormat(BaseContentNegotiation):
    """Keep `format` for the file's format: the framework would look for a renderer of that name."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Choose JSON for errors, whatever the caller accepts."""
        first = next(iter(renderers))
        return first, first.media_type


def one_of(*allowed: str, **given: Any) -> serializers.ChoiceField:
    message = f"Choose {' or '.join(allowed)}."
    return serializers.ChoiceField(
        choices=allowed, error_messages={"invalid_choice": message, "required": message}, **given
    )


def given_once(query: QueryDict) -> dict[str, Any]:
    """Return the query as a plain dict, because an empty value in a form would count as none.

    A parameter that is given twice is refused.
    """
    twice = {shown(name): ["Given more than once: name one value."] for name, said in query.lists() if len(said) > 1}
    if twice:
        raise serializers.ValidationError(twice)
    return dict(query.items())


class ExportView(APIView):
    content_negotiation_class = OwnFormat

    class Input(serializers.Serializer):
        kind = one_of(*KINDS)
        format = one_of(
            *FORMATS,
            required=False,
            help_text="Of kind conll it is conll, of the others jsonl; aggregated and annotations also csv and xlsx.",
        )
        bom = serializers.BooleanField(default=False, help_text="Of format csv: a mark by which Excel knows UTF-8.")
        names = serializers.BooleanField(default=False, help_text="User names in place of pseudonyms.")
        revisions = one_of(*REVISIONS, default="current", help_text="Of kind annotations.")
        phase = serializers.ChoiceField(
            choices=PHASES,
            default=1,
            help_text="Of kind aggregated: independent answers (1), or those after second looks (2).",
            error_messages={"invalid_choice": "Choose 1 or 2."},
        )
        of = one_of(*OF, default="all", help_text="Of the kinds about spans: whose.")
        # A field of that name hides the serializer's own `style`, which is for HTML forms.
        style = one_of(  # type: ignore[assignment]
            *STYLES, default="spaces", help_text="Of kinds text and targets: how markers look."
        )
        random_state = QueryInteger(
            min_value=SEEDS[0], max_value=SEEDS[1], default=0, help_text="Of kind targets: the seed of the split."
        )

        def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
            kind = attrs.pop("kind")
            self.refuse_ignored_options(kind)
            known = formats_of(kind)
            written_as = attrs.pop("format", known[0])
            if written_as not in known:
                raise serializers.ValidationError({"format": [f"Kind {kind} is written as {' or '.join(known)}."]})
            if "bom" in self.initial_data and written_as != "csv":
                raise serializers.ValidationError({"bom": ["Only CSV takes it: choose format=csv."]})
            return {"kind": kind, "written_as": written_as, "options": attrs}

        def refuse_ignored_options(self, kind: str) -> None:
            """What the file would be the same without was meant to change it."""
            allowed = ("kind", "format", *(["bom"] if kind in ROWS else []), "names", *KINDS[kind].takes)
            ignored = {
                shown(name): [f"{ignored_option_text(kind, name)} Allowed here: {', '.join(allowed)}."]
                for name in self.initial_data
                if name not in allowed
            }
            if ignored:
                raise serializers.ValidationError(ignored)

    @extend_schema(
        parameters=[
            Input,
            TOTAL_LINES,
        ],
        responses={
            **{(200, media_type): OpenApiTypes.BINARY for media_type in MEDIA_TYPES},
            400: ErrorBody,
            401: ErrorBody,
            403: ErrorBody,
            404: ErrorBody,
        },
    )
    def get(self, request: Request, project_id: UUID) -> StreamingHttpResponse:
        """JSON objects, one a line, or CoNLL-U Plus. A failure breaks the connection, so that it never looks whole."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = self.Input(data=given_once(request.query_params))
        data.is_valid(raise_exception=True)
        options = ExportOptions(project=project, **data.validated_data["options"])
        chosen = data.validated_data
        try:
            export = export_open(
                kind=chosen["kind"],
                options=options,
                actor_id=person(request).pk,
                written_as=chosen["written_as"],
            )
        except TableTooLarge as error:
            raise BadInput({"format": [str(error)]}) from error
        return streamed(export)


def content_type(media_type: str) -> str:
    return media_type if media_type == TABLES["xlsx"].media_type else f"{media_type}; charset=utf-8"


def streamed(export: Export) -> StreamingHttpResponse:
    response = StreamingHttpResponse(export, content_type=content_type(export.media_type))
    response["Content-Disposition"] = f'attachment; filename="{export.filename}"'
    response["X-Total-Lines"] = str(export.total)
    return response
