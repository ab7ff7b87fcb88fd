"""Serve the figures of each annotator to admins, and to each person their own pace."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.agreement.details import Habits
from annotation_app.agreement.label_habits import LEAST_ITEMS
from annotation_app.agreement.people import BesideOthers
from annotation_app.agreement.statistics import BY_KEY, COEFFICIENT_OF
from annotation_app.api.access import member_or_404
from annotation_app.api.agreement import IntervalField
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.api.labelling import READ_ERRORS
from annotation_app.api.practice import StandingOut
from annotation_app.codebook.question_types.stage import Stage
from annotation_app.dashboards.annotators import AnnotatorFigures, annotators_figures, batches_to_choose
from annotation_app.dashboards.pace import DAYS, own_pace
from annotation_app.models import Batch, Capability, Project, Role

ROUNDS, ALL = "rounds", "all"


class NamedBatchOut(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    number = serializers.IntegerField()


class ComparedStageOut(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    coefficient = serializers.CharField(
        allow_null=True, help_text="Title of the coefficient that fits the stage; null for free text, which has none."
    )


class BesideOthersOut(serializers.Serializer):
    stage = serializers.CharField()
    n = serializers.IntegerField(help_text="Items that somebody else answered too.")
    value = serializers.FloatField(allow_null=True, help_text="The stage's coefficient, with the others as one.")
    interval = IntervalField(source="ci", allow_null=True, help_text="95%, by the jackknife over items.")
    percent_agreement = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="Why there is no value; empty where there is one.")


class LabelBesideOut(serializers.Serializer):
    # A field of that name hides the serializer's own `label`, which nothing asks for of an answer.
    label = serializers.CharField()  # type: ignore[assignment]
    name = serializers.CharField()
    own = serializers.FloatField(help_text="Share of the items where the annotator gave the label.")
    others = serializers.FloatField(help_text="Mean share of the others' answers to the same items.")
    much_more = serializers.BooleanField(help_text="Much more often than the others, as agreement's details define it.")


class LabelsBesideOut(serializers.Serializer):
    stage = serializers.CharField()
    n = serializers.IntegerField(help_text="Items that somebody else answered too.")
    labels = LabelBesideOut(many=True)


class CheckResultOut(serializers.Serializer):
    answered = serializers.IntegerField(help_text="Check items that were answered.")
    right = serializers.IntegerField(help_text="Of these, with the same answer as the key at every stage of the key.")
    skipped = serializers.IntegerField()
    share = serializers.FloatField(source="share.value", allow_null=True)
    low = serializers.FloatField(source="share.low", allow_null=True, help_text="Wilson, 95%.")
    high = serializers.FloatField(source="share.high", allow_null=True)


class AnnotatorPracticeOut(StandingOut):
    id = serializers.UUIDField(source="practice.uuid")
    number = serializers.IntegerField(source="practice.number")
    title = serializers.CharField(source="practice.title")


class AnnotatorOut(serializers.Serializer):
    id = serializers.UUIDField(source="member.uuid")
    number = serializers.IntegerField(source="member.number")
    display_name = serializers.CharField(source="member.user.shown_name")
    role = serializers.ChoiceField(source="member.role", choices=Role.choices)
    is_active = serializers.BooleanField(source="member.is_active")
    done = serializers.IntegerField(source="spent.done", help_text="Items answered or skipped.")
    skipped = serializers.IntegerField(source="spent.skipped")
    active_ms = serializers.IntegerField(source="spent.active", help_text="Of all revisions, without idle time.")
    agreement = BesideOthersOut(many=True)
    labels = LabelsBesideOut(many=True, help_text="Of stages that are answered with one label.")
    checks = CheckResultOut(help_text="Of the batches that are not hidden.")
    practices = AnnotatorPracticeOut(many=True, help_text="Every practice that was opened.")


class AnnotatorsOut(serializers.Serializer):
    batches = NamedBatchOut(many=True, help_text="What can be chosen, the oldest first.")
    hidden = NamedBatchOut(
        many=True,
        help_text="Left out of agreement, labels and check items: the reader can still answer or revise there.",
    )
    stages = ComparedStageOut(many=True)
    few_items = serializers.IntegerField(help_text="A figure over fewer items says little.")
    annotators = AnnotatorOut(many=True)


class AnnotatorsView(APIView):
    class Input(serializers.Serializer):
        batch = serializers.CharField(
            default=ROUNDS, max_length=40, help_text="rounds, all (prototype and chosen batches too), or one's id."
        )

    @extend_schema(parameters=[Input], responses={200: AnnotatorsOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return what each annotator did, how far they agree with the others, and how they did in practice."""
        reader = member_or_404(request, project_id, Capability.MANAGE)
        asked = checked(self.Input, request.query_params)["batch"]
        told = annotators_figures(reader=reader, batches=chosen_batches(reader.project, asked))
        stages = {stage.key: stage for stage in told.stages}
        body = {
            "batches": [named(row) for row in told.batches],
            "hidden": [named(row) for row in told.hidden],
            "stages": [
                {"key": stage.key, "title": stage.title, "coefficient": coefficient_title(stage)}
                for stage in told.stages
            ],
            "few_items": LEAST_ITEMS,
            "annotators": [annotator_parts(figures, stages) for figures in told.people],
        }
        return Response(AnnotatorsOut(body).data)


def named(batch: Batch) -> dict[str, Any]:
    return {"id": batch.uuid, "kind": batch.kind, "number": batch.number}


def chosen_batches(project: Project, asked: str) -> list[Batch] | None:
    """Return the batches that a client chose; None stands for the rounds."""
    if asked == ROUNDS:
        return None
    batches = batches_to_choose(project)
    chosen = batches if asked == ALL else [batch for batch in batches if str(batch.uuid) == asked]
    if not chosen and asked != ALL:
        raise ValidationError({"batch": [f"Choose {ROUNDS}, {ALL}, or the id of one of the project's batches."]})
    return chosen


def coefficient_title(stage: Stage) -> str | None:
    key = COEFFICIENT_OF.get(stage.measure)
    return BY_KEY[key].title if key else None


def annotator_parts(figures: AnnotatorFigures, stages: Mapping[str, Stage]) -> dict[str, Any]:
    return {
        **vars(figures),
        "agreement": [{"stage": key, **vars(figures.agreement.get(key, BesideOthers()))} for key in stages],
        "labels": [
            {"stage": key, "n": habits.n, "labels": labels_beside(stages[key], habits)}
            for key, habits in figures.labels.items()
        ],
    }


def labels_beside(stage: Stage, habits: Habits) -> list[dict[str, Any]]:
    order = [*(label for label in stage.classes if label in habits.by_label), *sorted(habits.by_label)]
    return [
        {"label": label, "name": stage.name_of(label), **vars(habits.by_label[label])} for label in dict.fromkeys(order)
    ]


class PaceOut(serializers.Serializer):
    done = serializers.IntegerField(help_text="Items answered or skipped.")
    active_ms = serializers.IntegerField(help_text="Without idle time.")


class PaceOfBatchOut(PaceOut, NamedBatchOut):
    pass


class PaceOfDayOut(PaceOut):
    day = serializers.DateField(help_text="In the time zone in which the person reads times.")


class OwnPaceOut(PaceOut):
    batches = PaceOfBatchOut(many=True, help_text="The newest first.")
    days = PaceOfDayOut(many=True, help_text=f"Days with work, the newest first, {DAYS} at most.")


class OwnPaceView(APIView):
    @extend_schema(responses={200: OwnPaceOut, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return the signed-in person's own pace. It tells nothing of others, nor of practice."""
        pace = own_pace(member_or_404(request, project_id))
        body = {
            **vars(pace.whole),
            "batches": [
                {"id": uuid, "kind": kind, "number": number, **vars(part)}
                for (uuid, kind, number), part in pace.batches.items()
            ],
            "days": [{"day": day, **vars(part)} for day, part in pace.days.items()],
        }
        return Response(OwnPaceOut(body).data)
