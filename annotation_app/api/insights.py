"""Serve the insights of rounds to admins."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.heads import HEAD_KINDS
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.dashboards.insights import insights
from annotation_app.models import Capability


class StageName(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()


class BudgetOut(serializers.Serializer):
    total = serializers.IntegerField(allow_null=True)
    spent = serializers.IntegerField()
    left = serializers.IntegerField(allow_null=True)


class BaselineOut(serializers.Serializer):
    # A field of that name hides the serializer's own `source`, which nothing asks for: it only describes.
    source = serializers.ChoiceField(choices=["prototype", "first_random"])  # type: ignore[assignment]
    batch = serializers.IntegerField()
    positives = serializers.IntegerField()
    n = serializers.IntegerField()
    share = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class PositivesOut(serializers.Serializer):
    count = serializers.IntegerField()
    n = serializers.IntegerField(help_text="Items with a majority at the first stage that wait for none here.")
    share = serializers.FloatField(source="share.value", allow_null=True)
    low = serializers.FloatField(source="share.low", allow_null=True, help_text="Wilson, 95%.")
    high = serializers.FloatField(source="share.high", allow_null=True)
    lift = serializers.FloatField(source="lift.value", allow_null=True, help_text="Share over the baseline's share.")
    lift_low = serializers.FloatField(source="lift.low", allow_null=True, help_text="Katz, 95%.")
    lift_high = serializers.FloatField(source="lift.high", allow_null=True)
    n_annotations = serializers.IntegerField()
    per_100_annotations = serializers.FloatField(allow_null=True)


class BatchAgreementOut(serializers.Serializer):
    coefficient = serializers.CharField(
        allow_null=True, help_text="What alpha is called, by the kind of answers; null for free text, which has none."
    )
    alpha = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True, help_text="Of alpha: jackknife over items, 95%.")
    high = serializers.FloatField(allow_null=True)
    percent_agreement = serializers.FloatField(allow_null=True)
    n_units = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)


class LabelFigures(serializers.Serializer):
    n = serializers.IntegerField()
    precision = serializers.FloatField()
    recall = serializers.FloatField()
    f1 = serializers.FloatField()


class ClassifierFigures(serializers.Serializer):
    n = serializers.IntegerField()
    macro_f1 = serializers.FloatField()
    accuracy = serializers.FloatField()
    per_label = serializers.DictField(child=LabelFigures())
    mean_absolute_error = serializers.FloatField(default=None, allow_null=True, help_text="Of scales, in points.")
    quadratic_weighted_kappa = serializers.FloatField(default=None, allow_null=True, help_text="Of scales.")


class EntropyQuantiles(serializers.Serializer):
    min = serializers.FloatField()
    q05 = serializers.FloatField()
    q25 = serializers.FloatField()
    median = serializers.FloatField()
    q75 = serializers.FloatField()
    q95 = serializers.FloatField()
    max = serializers.FloatField()
    mean = serializers.FloatField()


class PoolFigures(serializers.Serializer):
    n = serializers.IntegerField()
    predicted_share = serializers.DictField(child=serializers.FloatField())
    predicted_positive_share = serializers.FloatField(allow_null=True)
    entropy_over_ln_c = EntropyQuantiles()
    entropy_histogram = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, default=None, help_text="20 equal bins from 0 to 1."
    )
    positive_histogram = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, default=None, help_text="20 equal bins from 0 to 1."
    )


class DoubtOut(serializers.Serializer):
    kind = serializers.CharField()
    words = serializers.CharField()


class BatchOut(serializers.Serializer):
    kind = serializers.ChoiceField(source="row.kind", choices=["round", "prototype"])
    number = serializers.IntegerField(source="row.number")
    round_id = serializers.UUIDField(allow_null=True)
    strategy_used = serializers.CharField(allow_blank=True)
    model = serializers.CharField()
    size = serializers.IntegerField(source="progress.size")
    n_labeled = serializers.IntegerField()
    complete = serializers.BooleanField(source="progress.complete")
    class_counts = serializers.DictField(child=serializers.IntegerField())
    class_shares = serializers.DictField(child=serializers.FloatField())
    positives = PositivesOut()
    agreement = BatchAgreementOut()
    n_training = serializers.IntegerField()
    training = ClassifierFigures(source="figures.training", allow_null=True)
    held_out = ClassifierFigures(source="figures.held_out", allow_null=True)
    pool = PoolFigures(source="figures.pool", allow_null=True)
    head_kind = serializers.ChoiceField(source="figures.kind", choices=HEAD_KINDS, default=None, allow_null=True)
    informative = serializers.BooleanField(allow_null=True)
    doubts = DoubtOut(many=True, help_text="Why the model is not informative: what it chose is as good as random.")
    notices = serializers.ListField(child=serializers.CharField())


class SignalPoint(serializers.Serializer):
    round = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)


class SignalOut(serializers.Serializer):
    key = serializers.CharField(source="declared.key")
    title = serializers.CharField(source="declared.title")
    definition = serializers.CharField(source="declared.definition")
    threshold = serializers.FloatField(source="declared.threshold", allow_null=True)
    status = serializers.ChoiceField(choices=["reached", "not_reached", "unknown"])
    reason = serializers.CharField(allow_blank=True)
    values = SignalPoint(many=True)


class InsightsOut(serializers.Serializer):
    stage = serializers.CharField()
    positive = serializers.ListField(child=serializers.CharField())
    stages = StageName(many=True)
    budget = BudgetOut()
    baseline = BaselineOut(allow_null=True)
    batches = BatchOut(many=True)
    signals = SignalOut(many=True)


class InsightsView(APIView):
    class Input(serializers.Serializer):
        stage = serializers.CharField(max_length=64, required=False)

    @extend_schema(
        parameters=[Input],
        responses={200: InsightsOut, 400: ErrorBody, **ADMIN_ERRORS, 409: ErrorBody},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return yield, learning curve, agreement by batch and advisory stopping signals, at one stage."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = checked(self.Input, request.query_params)
        told = insights(project=project, stage=data.get("stage"))
        stages = [{"key": key, "title": title} for key, title in told.stages]
        return Response(InsightsOut({**vars(told), "stages": stages}).data)
