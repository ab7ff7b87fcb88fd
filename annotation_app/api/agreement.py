"""Serve the agreement table to admins."""

from typing import get_args
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.aggregation.errors import UnknownStage
from annotation_app.aggregation.statements import PHASES
from annotation_app.agreement.selectors import Slices, agreement_table, people_named
from annotation_app.agreement.statements import OFS, SCOPES
from annotation_app.agreement.statistics import BY_KEY, STATISTICS, Basis
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ErrorBody
from annotation_app.api.integers import QueryInteger
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
    is_ordinal = serializers.BooleanField(help_text="Defined for stages whose labels have an order.")


class AgreementAnnotator(serializers.Serializer):
    number = serializers.IntegerField()
    display_name = serializers.CharField(source="user.shown_name")


class AgreementStage(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()


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


def no_stage(key: str) -> ValidationError:
    return ValidationError({"stage": [str(UnknownStage(key))]})


class AgreementView(APIView):
    @extend_schema(
        parameters=[ViewsInput],
        responses={200: AgreementOut, 400: ErrorBody, 401: ErrorBody, 403: ErrorBody, 404: ErrorBody},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """Agreement by stage, round and pair of annotators; in scope majority over items that reached one there.

        Phase 1: the independent answers. Phase 2: those of second looks in their place, where somebody took one.
        """
        project = member_or_404(request, project_id, Capability.MANAGE).project
        data = ViewsInput(data=request.query_params)
        data.is_valid(raise_exception=True)
        scope, phase, slices = data.validated_data["scope"], data.validated_data["phase"], data.slices()
        if slices.pair is not None:
            missing_refuse(project, slices.pair)
        table = agreement_table(project=project, scope=scope, phase=phase, slices=slices)
        if slices.stage is not None and slices.stage not in dict(table.stages):
            raise no_stage(slices.stage)
        looks = project.batches.filter(kind=Batch.Kind.SECOND_LOOK).order_by("number")
        body = {
            "scope": scope,
            "phase": phase,
            "second_looks": list(looks.values_list("number", flat=True)),
            "rows": [row.shown() for row in table.rows],
            "annotators": table.annotators,
            "stages": [{"key": key, "title": title} for key, title in table.stages],
            "statistics": STATISTICS,
        }
        return Response(AgreementOut(body).data)
