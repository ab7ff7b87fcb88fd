"""Serve datasets to admins: as downloads, streamed so that their size does not matter, and as tables of span data."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.aggregation.statements import PHASES
from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.imports import SplitterOut
from annotation_app.api.inputs import QueryInteger, checked, given_once, one_of
from annotation_app.codebook.texts import shown
from annotation_app.dashboards.span_dataset import SpanDataset, span_dataset
from annotation_app.export.kinds import (
    FORMATS,
    KINDS,
    TABLES,
    formats_of,
    formats_words,
    ignored_option_text,
    takers_words,
)
from annotation_app.export.options import OF, REVISIONS, SEEDS, STYLES, ExportOptions
from annotation_app.export.spans.splits import SPLITS
from annotation_app.export.stream import Export, export_open
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


class ExportView(APIView):
    content_negotiation_class = OwnFormat

    class Input(serializers.Serializer):
        kind = one_of(*KINDS)
        format = one_of(
            *FORMATS,
            required=False,
            help_text=f"The first of these, unless given: {formats_words()}.",
        )
        bom = serializers.BooleanField(default=False, help_text="Of format csv: a mark by which Excel knows UTF-8.")
        names = serializers.BooleanField(default=False, help_text="User names in place of pseudonyms.")
        revisions = one_of(*REVISIONS, default="current", help_text=f"Of {takers_words('revisions')}.")
        phase = serializers.ChoiceField(
            choices=PHASES,
            default=1,
            help_text=f"Of {takers_words('phase')}: independent answers (1), or those after second looks (2).",
            error_messages={"invalid_choice": "Choose 1 or 2."},
        )
        of = one_of(*OF, default="all", help_text=f"Of {takers_words('of')}: whose.")
        # A field of that name hides the serializer's own `style`, which is for HTML forms.
        style = one_of(  # type: ignore[assignment]
            *STYLES, default="spaces", help_text=f"Of {takers_words('style')}: how markers look."
        )
        random_state = QueryInteger(
            min_value=SEEDS[0],
            max_value=SEEDS[1],
            default=0,
            help_text=f"Of {takers_words('random_state')}: the seed of the split.",
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
            """Refuse options that this kind ignores: whoever gave them expects another file."""
            allowed = ("kind", "format", *(["bom"] if KINDS[kind].table else []), "names", *KINDS[kind].takes)
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
            **ADMIN_ERRORS,
        },
    )
    def get(self, request: Request, project_id: UUID) -> StreamingHttpResponse:
        """Stream a file in the chosen format. A failure breaks the connection, so that no partial file looks whole."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = checked(self.Input, given_once(request.query_params))
        options = ExportOptions(project=project, **data["options"])
        chosen = data
        export = export_open(
            kind=chosen["kind"],
            options=options,
            actor_id=person(request).pk,
            written_as=chosen["written_as"],
        )
        return streamed(export)


def content_type(media_type: str) -> str:
    is_binary = any(media_type == each.media_type and not each.is_text for each in TABLES.values())
    return media_type if is_binary else f"{media_type}; charset=utf-8"


def streamed(export: Export) -> StreamingHttpResponse:
    response = StreamingHttpResponse(export, content_type=content_type(export.media_type))
    response["Content-Disposition"] = f'attachment; filename="{export.filename}"'
    response["X-Total-Lines"] = str(export.total)
    return response


class MomentsOut(serializers.Serializer):
    n = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True)
    sd = serializers.FloatField(allow_null=True, help_text="Of the sample (n - 1); null below two values.")
    population_sd = serializers.FloatField(
        allow_null=True, help_text="Of the population (n), as numpy gives it; null without values."
    )


class SplitOut(serializers.Serializer):
    split = serializers.ChoiceField(choices=[*SPLITS, "all"])
    sources = serializers.IntegerField()
    targets = serializers.IntegerField()
    mean_targets = serializers.FloatField(allow_null=True, help_text="Targets a source.")
    max_targets = serializers.IntegerField(allow_null=True)


class LengthOut(serializers.Serializer):
    what = serializers.ChoiceField(choices=["sentences", "words", "markers", "tokens"])
    sources = MomentsOut(allow_null=True)
    targets = MomentsOut()


class CategoryCountOut(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    count = MomentsOut(help_text="Spans a target, over the targets whose codebook has the category.")


class SpanDatasetOut(serializers.Serializer):
    of = serializers.ChoiceField(choices=OF)
    random_state = serializers.IntegerField()
    splits = SplitOut(many=True)
    lengths = LengthOut(many=True)
    counts = CategoryCountOut(many=True)
    closed_correctly = MomentsOut(help_text="Share of start markers closed, over the targets that have any.")
    notes = serializers.ListField(child=serializers.CharField(), help_text="What the numbers count.")
    missing = serializers.ListField(child=serializers.CharField(), help_text="What they still lack.")
    splitter = SplitterOut(allow_null=True, help_text="What counted the sources' sentences.")


class SpanDatasetView(APIView):
    class Input(serializers.Serializer):
        of = one_of(*OF, default="validated")
        random_state = QueryInteger(min_value=SEEDS[0], max_value=SEEDS[1], default=0)

    @extend_schema(
        parameters=[Input],
        responses={200: SpanDatasetOut, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return sources and targets by split, their lengths, and how often each category occurs."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = checked(self.Input, request.query_params)
        options = ExportOptions(project=project, **data)
        return Response(SpanDatasetOut(serialize_span_dataset(options, span_dataset(options))).data)


def serialize_span_dataset(options: ExportOptions, dataset: SpanDataset) -> dict[str, Any]:
    return {
        "of": options.of,
        "random_state": options.random_state,
        "splits": dataset.tables.splits,
        "lengths": dataset.tables.lengths,
        "counts": [
            {"key": row.key, "name": dataset.categories[row.key], "count": row.count} for row in dataset.tables.counts
        ],
        "closed_correctly": dataset.tables.closed_correctly,
        "notes": dataset.notes,
        "missing": dataset.missing,
        "splitter": dataset.splitter,
    }
