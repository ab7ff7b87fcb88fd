"""Serve one stage's agreement in detail to admins."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.aggregation.statements import PHASES
from annotation_app.agreement.details import AgainstMajority, Details, agreement_details
from annotation_app.agreement.label_habits import LEAST_ITEMS, POINTS, STANDARD_ERRORS, TIMES
from annotation_app.agreement.statements import SCOPES
from annotation_app.api.access import member_or_404
from annotation_app.api.agreement import AgreementAnnotator, ScopeInput, no_stage
from annotation_app.api.errors import ErrorBody
from annotation_app.api.integers import QueryInteger
from annotation_app.dashboards.intervals import wilson
from annotation_app.models import Capability


class ConfusionOut(serializers.Serializer):
    pair = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    n = serializers.IntegerField(help_text="Items that both answered.")
    counts = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="A row for each label of the first of the pair, a column for each of the second, in `labels`' order.",
    )


class HabitOut(serializers.Serializer):
    own = serializers.FloatField(help_text="Share of the compared items where the annotator gave the label.")
    others = serializers.FloatField(help_text="Mean share of the others' answers to the same items.")
    standard_error = serializers.FloatField(
        allow_null=True, help_text="Of the difference, over items; null with one item."
    )
    much_more = serializers.BooleanField(help_text="Much more often than the others, by `much_more_from`.")


class MuchMoreFrom(serializers.Serializer):
    items = serializers.IntegerField(help_text="Compared items, at least.")
    standard_errors = serializers.FloatField(help_text="How many the difference has, at least.")
    times = serializers.FloatField(help_text="How many times the others' share, at least; or")
    points = serializers.FloatField(help_text="the difference, at least.")


class LabelSharesOut(serializers.Serializer):
    annotator = serializers.IntegerField()
    n = serializers.IntegerField(help_text="Items that the annotator answered.")
    counts = serializers.ListField(child=serializers.IntegerField())
    shares = serializers.ListField(child=serializers.FloatField())
    n_compared = serializers.IntegerField(help_text="Of these, items that another answered too.")
    habits = HabitOut(many=True, help_text="Over them, in `labels`' order; empty where there are none.")


class IntervalField(serializers.ListField):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.FloatField(), min_length=2, max_length=2, **options)


class AgainstMajorityRow(serializers.Serializer):
    annotator = serializers.IntegerField()
    n = serializers.IntegerField(help_text="Items with such a majority that the annotator answered.")
    n_right = serializers.IntegerField()
    accuracy = serializers.FloatField(allow_null=True)
    interval = IntervalField(allow_null=True, help_text="Wilson's 95% interval: [low, high].")
    n_collapsed = serializers.IntegerField(allow_null=True, help_text="Right as lowest label or not; ordered stages.")
    collapsed = serializers.FloatField(allow_null=True)
    collapsed_interval = IntervalField(allow_null=True)
    n_circular = serializers.IntegerField(
        help_text="Of `n`: items with no more answers than a majority takes, where everyone is right by construction."
    )
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no accuracy; empty where there is one.")


class LeaveOneOutOut(serializers.Serializer):
    rows = AgainstMajorityRow(many=True)
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    collapsed_minimum = serializers.FloatField(allow_null=True)
    collapsed_maximum = serializers.FloatField(allow_null=True)


class AgainstMajorityOut(LeaveOneOutOut):
    n_items = serializers.IntegerField(help_text="Items with a majority label that does not count as ambiguous.")
    n_circular = serializers.IntegerField(help_text="Of these: with no more answers than a majority takes.")
    ambiguous = serializers.ListField(
        child=serializers.CharField(), help_text="Labels left out of the majorities, and wrong as an annotator's own."
    )


class LabelOut(serializers.Serializer):
    key = serializers.CharField()
    name = serializers.CharField()


class AgreementDetailsOut(serializers.Serializer):
    scope = serializers.ChoiceField(choices=SCOPES)
    phase = serializers.ChoiceField(choices=PHASES)
    stage = serializers.CharField()
    title = serializers.CharField()
    scale = serializers.CharField()
    round = serializers.IntegerField(allow_null=True)
    labels = LabelOut(many=True)
    annotators = AgreementAnnotator(many=True)
    confusion = ConfusionOut(many=True)
    label_shares = LabelSharesOut(many=True)
    much_more_from = MuchMoreFrom()
    leave_one_out = LeaveOneOutOut(
        help_text="Each annotator against the majority of the others, over all items; of two, the other's answer."
    )
    against_majority = AgainstMajorityOut(help_text="Each annotator against the majority that holds their own vote.")


class DetailsInput(ScopeInput):
    stage = serializers.CharField(error_messages={"required": "Name the stage: ?stage=<key>."})
    round = QueryInteger(min_value=1, required=False, help_text="Left out: all rounds together.")


class AgreementDetailsView(APIView):
    @extend_schema(
        parameters=[DetailsInput],
        responses={200: AgreementDetailsOut, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Confusion of each pair, labels of each annotator, and each annotator against the majority, at one stage."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = DetailsInput(data=request.query_params)
        data.is_valid(raise_exception=True)
        asked = data.validated_data
        details = agreement_details(
            project=project,
            stage=asked["stage"],
            scope=asked["scope"],
            round=asked.get("round"),
            phase=asked["phase"],
        )
        if details is None:
            raise no_stage(asked["stage"])
        body = {name: asked.get(name) for name in ("scope", "phase", "round")} | serialize_details(details)
        return Response(AgreementDetailsOut(body).data)


def serialize_details(details: Details) -> dict[str, Any]:
    names = {label.key: label.name for label in details.stage.labels}
    return {
        "stage": details.stage.key,
        "title": details.stage.title,
        "scale": details.stage.scale,
        "labels": [{"key": key, "name": names.get(key, key)} for key in details.labels],
        "annotators": details.annotators,
        "confusion": details.confusion,
        "label_shares": details.label_shares,
        "much_more_from": {
            "items": LEAST_ITEMS,
            "standard_errors": STANDARD_ERRORS,
            "times": TIMES,
            "points": POINTS,
        },
        "leave_one_out": extremes(details.leave_one_out),
        "against_majority": {
            "n_items": details.n_majority,
            "n_circular": details.n_circular,
            "ambiguous": details.ambiguous,
            **extremes(details.against_majority),
        },
    }


def extremes(rows: Sequence[AgainstMajority]) -> dict[str, Any]:
    accuracies = [row.accuracy for row in rows if row.accuracy is not None]
    collapsed = [row.collapsed for row in rows if row.collapsed is not None]
    return {
        "rows": [against_row(row) for row in rows],
        "minimum": min(accuracies, default=None),
        "maximum": max(accuracies, default=None),
        "collapsed_minimum": min(collapsed, default=None),
        "collapsed_maximum": max(collapsed, default=None),
    }


def against_row(row: AgainstMajority) -> dict[str, Any]:
    return {
        **vars(row),
        "interval": None if row.accuracy is None else limits(row.n_right, row.n),
        "collapsed_interval": None
        if row.collapsed is None or row.n_collapsed is None
        else limits(row.n_collapsed, row.n),
    }


def limits(count: int, n: int) -> list[float | None] | None:
    share = wilson(count, n)
    return None if share is None else [share.low, share.high]
