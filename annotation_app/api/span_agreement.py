"""Serve agreement on spans to admins."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.agreement.span_selectors import span_agreement
from annotation_app.agreement.statistics import IOU, SPAN_STATISTICS
from annotation_app.api.access import member_or_404
from annotation_app.api.agreement import AgreementAnnotator, DeclaredStatistic
from annotation_app.api.errors import ADMIN_ERRORS
from annotation_app.models import Capability


class SpanFigure(serializers.Serializer):
    value = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField(help_text="What the value stands on; of a mean, over the pairs that have a value.")
    reason = serializers.CharField(allow_null=True, help_text="Why there is no value; null where there is one.")
    pairs = serializers.IntegerField(
        allow_null=True, help_text="The value is the mean of so many pairs; null: no mean."
    )


class SpanFigures(serializers.Serializer):
    def get_fields(self) -> dict[str, serializers.Field]:
        return {each.key: SpanFigure(help_text=f"{each.title}. {each.help}") for each in SPAN_STATISTICS}


class SpanAgreementStatistic(DeclaredStatistic):
    key = serializers.ChoiceField(choices=[each.key for each in SPAN_STATISTICS])
    about = serializers.ChoiceField(choices=["spans", "comments"], help_text="What it compares.")
    unit = serializers.CharField(help_text="The word for one of what n counts.")
    beside = serializers.CharField(help_text="The statistic below which tables show it; empty: a column of its own.")
    short = serializers.CharField(help_text="Its word there.")


class SpanAgreementRow(serializers.Serializer):
    category = serializers.CharField(allow_null=True, help_text="A category's key; null: all categories.")
    round = serializers.IntegerField(allow_null=True, help_text="Null: all rounds together.")
    pair = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=2,
        max_length=2,
        allow_null=True,
        help_text="Numbers of two annotators; null: the pairs together.",
    )
    n_items = serializers.IntegerField(help_text="Items that both submitted; of all pairs: that two or more did.")
    n_pairs = serializers.IntegerField()
    n_a = serializers.IntegerField(help_text="Spans of the pair's first in these items; of all pairs: summed.")
    n_b = serializers.IntegerField(help_text="Spans of the pair's second.")
    n_matched = serializers.IntegerField(help_text="Spans that match exactly.")
    n_uncommented = serializers.IntegerField(help_text="Those of them without a comment on either side.")
    alpha_items = serializers.IntegerField(help_text="Items of alpha_u's continuum: submitted by everyone under view.")
    alpha_length = serializers.IntegerField(help_text="Its length in code points.")
    alpha_merged = serializers.IntegerField(help_text="Spans fewer once one person's overlapping ones are merged.")
    figures = SpanFigures()


class SpanAgreementCategory(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()
    color = serializers.CharField()


class SpanAgreementOut(serializers.Serializer):
    iou = serializers.FloatField(help_text="The intersection over union from which two spans are close.")
    rows = SpanAgreementRow(many=True)
    annotators = AgreementAnnotator(many=True)
    categories = SpanAgreementCategory(many=True)
    statistics = SpanAgreementStatistic(many=True, help_text="What is said of each, in the order of tables.")


class SpanAgreementView(APIView):
    @extend_schema(responses={200: SpanAgreementOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return agreement on spans by category, round and pair. Without a span layer there are no rows."""
        table = span_agreement(project=member_or_404(request, project_id, Capability.MANAGE).project)
        body = {
            "iou": IOU,
            "rows": [row.shown() for row in table.rows],
            "annotators": AgreementAnnotator(table.annotators, many=True).data,
            "categories": SpanAgreementCategory(table.categories, many=True).data,
            "statistics": SpanAgreementStatistic(SPAN_STATISTICS, many=True).data,
        }
        return Response(body)
