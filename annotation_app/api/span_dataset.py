"""Serve the data set tables of a span project to admins."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ErrorBody
from annotation_app.api.export import one_of
from annotation_app.api.imports import SplitterOut
from annotation_app.api.integers import QueryInteger
from annotation_app.dashboards.span_dataset import SpanDataset, span_dataset
from annotation_app.export.options import OF, SEEDS, ExportOptions
from annotation_app.export.spans.splits import SPLITS
from annotation_app.models import Capability


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
        responses={200: SpanDatasetOut, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Sources and targets by split, their lengths, and how often each category occurs."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = self.Input(data=request.query_params)
        data.is_valid(raise_exception=True)
        options = ExportOptions(project=project, **data.validated_data)
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
