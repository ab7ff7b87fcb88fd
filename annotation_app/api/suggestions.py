"""Serve suggestions: what a model predicts about the items of a batch, shown where an admin turned that on."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.suggestions import suggestions_set, systems_offered
from annotation_app.api.access import found_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.assignment.open_batch import batch_facts
from annotation_app.models import Batch, SuggestionSetting
from annotation_app.refusals import Invalid


class SuggestedLabelOut(serializers.Serializer):
    label = serializers.CharField()  # type: ignore[assignment]
    confidence = serializers.FloatField(allow_null=True)
    explanation = serializers.CharField(allow_blank=True)


class SuggestionOut(serializers.Serializer):
    id = serializers.UUIDField(source="setting.uuid")
    mode = serializers.ChoiceField(source="setting.mode", choices=SuggestionSetting.Mode.choices)
    system = serializers.CharField(source="setting.system_title", help_text="What people call it.")
    stages = serializers.DictField(
        child=SuggestedLabelOut(), allow_null=True, help_text="Null: they follow the person's own first answer."
    )


class ToCompareOut(serializers.Serializer):
    id = serializers.UUIDField(help_text="The assignment's.")
    position = serializers.IntegerField()


class SystemOffered(serializers.Serializer):
    evaluation = serializers.UUIDField(source="evaluation.uuid")
    number = serializers.IntegerField(source="evaluation.number")
    name = serializers.CharField(source="evaluation.name")
    system = serializers.CharField()
    n = serializers.IntegerField(help_text="Items of the batch that it has predicted.")


class SettingOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    mode = serializers.ChoiceField(choices=SuggestionSetting.Mode.choices)
    number = serializers.IntegerField(
        source="evaluation.number", allow_null=True, default=None, help_text="The evaluation's."
    )
    system = serializers.CharField(source="system_title", allow_blank=True)
    set_by = serializers.CharField(source="set_by.shown_name")
    set_at = serializers.DateTimeField()


class BatchSuggestionsOut(serializers.Serializer):
    n_items = serializers.IntegerField()
    may_change = serializers.BooleanField(help_text="False once the batch is frozen, and for a second look.")
    settings = SettingOut(many=True, help_text="Every setting, the one in force first.")
    offered = SystemOffered(many=True)


class SettingIn(serializers.Serializer):
    mode = serializers.ChoiceField(choices=SuggestionSetting.Mode.choices)
    evaluation = serializers.UUIDField(allow_null=True, default=None)
    system = serializers.CharField(max_length=100, allow_blank=True, default="")


class BatchSuggestionsView(APIView):
    @extend_schema(responses={200: BatchSuggestionsOut, **ADMIN_ERRORS})
    def get(self, request: Request, batch_id: UUID) -> Response:
        """Return the batch's settings of suggestions, and the systems that have predicted its items."""
        return Response(serialize_suggestions(batch_of_admin(request, batch_id)))

    @extend_schema(
        request=SettingIn,
        responses={201: BatchSuggestionsOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS},
    )
    def post(self, request: Request, batch_id: UUID) -> Response:
        """Show annotators what a system predicts, before or after their own first answer, or stop showing it."""
        batch = batch_of_admin(request, batch_id)
        sent = checked(SettingIn, request.data)
        evaluation = None
        if sent["evaluation"] is not None:
            evaluation = batch.project.evaluations.filter(uuid=sent["evaluation"]).first()
            if evaluation is None:
                raise Invalid({"evaluation": ["This project has no such evaluation."]})
        suggestions_set(
            batch=batch, mode=sent["mode"], evaluation=evaluation, system=sent["system"], actor=person(request)
        )
        return Response(serialize_suggestions(batch), status=status.HTTP_201_CREATED)


def batch_of_admin(request: Request, batch_id: UUID) -> Batch:
    return found_or_404(request, Batch.objects.select_related("project"), batch_id)


def serialize_suggestions(batch: Batch) -> dict[str, object]:
    parts = {
        "n_items": batch_facts(batch.pk).size,
        "may_change": batch.frozen_at is None and batch.kind != Batch.Kind.SECOND_LOOK,
        "settings": batch.suggestion_settings.select_related("evaluation", "set_by").order_by("-pk"),
        "offered": systems_offered(batch),
    }
    return dict(BatchSuggestionsOut(parts).data)
