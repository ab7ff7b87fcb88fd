"""Serve agreement to admins: the table, and one stage in detail."""

from collections.abc import Sequence
from typing import Any, get_args
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.intervals import wilson
from annotation_app.aggregation.selectors import unknown_stage
from annotation_app.aggregation.statements import PHASES
from annotation_app.agreement.details import AgainstMajority, Details, agreement_details
from annotation_app.agreement.label_habits import LEAST_ITEMS, POINTS, STANDARD_ERRORS, TIMES
from annotation_app.agreement.selectors import Slices, agreement_table, people_named
from annotation_app.agreement.statements import OFS, SCOPES
from annotation_app.agreement.statistics import BY_KEY, COEFFICIENT_OF, OF_ANOTHER, STATISTICS, Basis
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import QueryInteger, checked
from annotation_app.models import Batch, Capability, Project


class AgreementRow(serializers.Serializer):
    stage = serializers.CharField()
    round = serializers.IntegerField(allow_null=True, help_text="Null: all rounds together.")
    pair = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=2,
        max_length=2,
        allow_null=True,
        help_text="Numbers of two annotators; null: everyone who answered.",
    )
    n_items = serializers.IntegerField(help_text="Items with an answer from someone under view.")
    n_units = serializers.IntegerField(help_text="Items with two or more answers.")
    n_circular = serializers.IntegerField(
        help_text="Of `n_units` in scope majority: those with no more answers than a majority takes, equal by "
        "construction. Where all are, no statistic has a value. 0 over all items."
    )
    fleiss_items = serializers.IntegerField(help_text="Complete items: answered by everyone under view.")
    general_items = serializers.IntegerField(help_text="Items with the usual number of answers.")
    general_answers = serializers.IntegerField(
        allow_null=True, help_text="The usual number: that of most items with two or more; of two such, the larger."
    )
    ci = serializers.DictField(
        child=serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2),
        help_text="95% interval of each statistic that has one: [low, high], by the delete-one jackknife over items.",
    )
    reason = serializers.DictField(
        child=serializers.CharField(),
        help_text="For each statistic that is null: why it has no value. Under ci.<statistic>: why it has no interval.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        return super().get_fields() | {
            each.key: serializers.FloatField(allow_null=True, help_text=f"{each.title}. {each.help}")
            for each in STATISTICS
        }


class DeclaredStatistic(serializers.Serializer):
    title = serializers.CharField()
    help = serializers.CharField()
    paper = serializers.CharField(help_text="Its source; empty for a plain share.")
    share_of = serializers.CharField(help_text="What a share is of; empty for a coefficient.")
    variant_of = serializers.CharField(help_text="The statistic whose variant it is; empty for none.")


class AgreementStatistic(DeclaredStatistic):
    key = serializers.ChoiceField(choices=list(BY_KEY))
    pair_title = serializers.CharField(help_text="What it is called for two people; empty where that is the title.")
    basis = serializers.ChoiceField(choices=get_args(Basis), help_text="The field with the number of its items.")
    is_of_pairs = serializers.BooleanField(help_text="Defined for two people.")
    measure = serializers.ChoiceField(
        choices=list(OF_ANOTHER), allow_null=True, help_text="The kind of answers that it is for; null: every kind."
    )


class AgreementAnnotator(serializers.Serializer):
    number = serializers.IntegerField()
    display_name = serializers.CharField(source="user.shown_name")


class AgreementStage(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    coefficient = serializers.ChoiceField(
        choices=list(COEFFICIENT_OF.values()),
        allow_null=True,
        help_text="The statistic that fits the stage's kind of answers; null for free text, which has none.",
    )


class AgreementOut(serializers.Serializer):
    scope = serializers.ChoiceField(choices=SCOPES)
    phase = serializers.ChoiceField(choices=PHASES)
    second_looks = serializers.ListField(
        child=serializers.IntegerField(), help_text="Rounds whose batch has a second look: where phase 2 may differ."
    )
    rows = AgreementRow(many=True)
    annotators = AgreementAnnotator(many=True)
    stages = AgreementStage(many=True)
    statistics = AgreementStatistic(many=True, help_text="What is said of each statistic, in the order of tables.")


class ScopeInput(serializers.Serializer):
    scope = serializers.ChoiceField(
        choices=SCOPES, default="all", error_messages={"invalid_choice": f"Choose {' or '.join(SCOPES)}."}
    )
    phase = serializers.ChoiceField(
        choices=PHASES,
        default=1,
        error_messages={"invalid_choice": "Choose 1 (independent answers) or 2 (after second looks)."},
    )


class ViewsInput(ScopeInput):
    of = serializers.ChoiceField(
        choices=OFS,
        default="all",
        help_text="Rows of everyone together, of pairs, or of both.",
        error_messages={"invalid_choice": f"Choose {', '.join(OFS[:-1])} or {OFS[-1]}."},
    )
    stage = serializers.CharField(required=False, help_text="Left out: every stage.")
    round = QueryInteger(
        min_value=0, required=False, help_text="0: all rounds together. Left out: these and each round."
    )
    pair = serializers.RegexField(
        r"^\d{1,9},\d{1,9}$",
        required=False,
        help_text="Of the pairs only this one, such as 2,3.",
        error_messages={"invalid": "Name two annotators by their numbers, such as 2,3."},
    )

    def validate_pair(self, value: str) -> tuple[int, int]:
        first, second = sorted(map(int, value.split(",")))
        if first == second:
            raise ValidationError("Name two annotators that are not the same, such as 2,3.")
        return first, second

    def slices(self) -> Slices:
        asked = self.validated_data
        return Slices(of=asked["of"], stage=asked.get("stage"), round=asked.get("round"), pair=asked.get("pair"))


def missing_refuse(project: Project, pair: tuple[int, int]) -> None:
    there = {member.number for member in people_named(project, pair)}
    missing = [str(number) for number in pair if number not in there]
    if missing:
        raise ValidationError({"pair": [f"Nobody in this project has the number {' or '.join(missing)}."]})


class AgreementView(APIView):
    @extend_schema(
        parameters=[ViewsInput],
        responses={200: AgreementOut, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return agreement by stage, round and pair of annotators. Scope majority takes items that reached one.

        Phase 1 takes the independent answers. Phase 2 puts those of second looks in their place, where there are any.
        """
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = ViewsInput(data=request.query_params)
        data.is_valid(raise_exception=True)
        scope, phase, slices = data.validated_data["scope"], data.validated_data["phase"], data.slices()
        if slices.pair is not None:
            missing_refuse(project, slices.pair)
        table = agreement_table(project=project, scope=scope, phase=phase, slices=slices)
        if slices.stage is not None and slices.stage not in dict(table.stages):
            raise unknown_stage(slices.stage)
        looks = project.batches.filter(kind=Batch.Kind.SECOND_LOOK).order_by("number")
        body = {
            "scope": scope,
            "phase": phase,
            "second_looks": list(looks.values_list("number", flat=True)),
            "rows": [row.shown() for row in table.rows],
            "annotators": table.annotators,
            "stages": [
                {
                    "key": key,
                    "title": title,
                    "coefficient": COEFFICIENT_OF.get(table.measures.get(key, "nominal")),
                }
                for key, title in table.stages
            ],
            "statistics": STATISTICS,
        }
        return Response(AgreementOut(body).data)


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
        responses={200: AgreementDetailsOut, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return, for one stage, each pair's confusion, each annotator's labels, and each one against the majority."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        asked = checked(DetailsInput, request.query_params)
        details = agreement_details(
            project=project,
            stage=asked["stage"],
            scope=asked["scope"],
            round=asked.get("round"),
            phase=asked["phase"],
        )
        if details is None:
            raise unknown_stage(asked["stage"])
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
