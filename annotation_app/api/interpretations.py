"""Serve interpretations: choices, estimate, start, watch, pause, go on, cancel, remove."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.equivalence.evaluations import PARTS
from al_worker.formats.interpretation import FILTERS, KINDS
from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.equivalence_files import InstanceTally
from annotation_app.api.errors import ADMIN_ERRORS, UPLOAD_ERRORS, ErrorBody
from annotation_app.api.inputs import spec_sent
from annotation_app.api.parsers import CappedJSON
from annotation_app.interpretations.estimate import estimate_view
from annotation_app.interpretations.selectors import choices_view, interpretation_view, interpretations_of
from annotation_app.interpretations.services import (
    interpretation_cancel,
    interpretation_create,
    interpretation_pause,
    interpretation_remove,
    interpretation_resume,
    request_check,
)
from annotation_app.interpretations.spec import InterpretationSpec, TrainingSpec
from annotation_app.models import Capability, Interpretation

MODEL_KINDS, FILTER_NAMES = tuple(KINDS), tuple(FILTERS)
SPLITS_TESTED = ("test", "valid")


class BySplit(serializers.Serializer):
    train = serializers.IntegerField()
    valid = serializers.IntegerField()
    test = serializers.IntegerField()


class InterpretationDataChoice(serializers.Serializer):
    key = serializers.CharField(help_text="current, or release:N.")
    title = serializers.CharField()
    sources = BySplit()
    targets = BySplit()
    usable = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)


class InterpretationKind(serializers.Serializer):
    name = serializers.ChoiceField(choices=MODEL_KINDS)
    title = serializers.CharField()
    needs = serializers.CharField()
    epochs = serializers.IntegerField(help_text="The most that the paper trains.")
    available = serializers.BooleanField(help_text="A model on this machine serves it.")
    reason = serializers.CharField(allow_blank=True)


class InterpretationModel(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    kinds = serializers.ListField(child=serializers.CharField(), help_text="Kinds that it serves, and filterbert.")
    available = serializers.BooleanField(help_text="Its files are on this machine.")
    note = serializers.CharField(allow_blank=True)


class InterpretationFilter(serializers.Serializer):
    name = serializers.ChoiceField(choices=FILTER_NAMES)
    title = serializers.CharField()
    needs_targets = serializers.BooleanField(help_text="It looks at the targets, those of the test too.")
    note = serializers.CharField()


class EquivalenceChoice(serializers.Serializer):
    id = serializers.UUIDField()
    title = serializers.CharField()
    category = serializers.CharField()
    part = serializers.ChoiceField(choices=PARTS)
    in_depth = serializers.BooleanField()
    revision = serializers.IntegerField()
    usable = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    warnings = serializers.ListField(child=serializers.CharField())


class InterpretationLimits(serializers.Serializer):
    systems = serializers.IntegerField()
    evaluations = serializers.IntegerField()
    least_budget = serializers.IntegerField()
    budget = serializers.IntegerField()
    augment = serializers.IntegerField()
    max_epochs = serializers.IntegerField()
    beams = serializers.IntegerField()
    max_tokens = serializers.IntegerField()
    limit = serializers.IntegerField()
    batch_size = serializers.IntegerField()
    unfinished = serializers.IntegerField()


class InterpretationDefaults(serializers.Serializer):
    budget = serializers.IntegerField()
    beams = serializers.IntegerField()
    min_tokens = serializers.IntegerField()
    max_tokens = serializers.IntegerField()
    limit = serializers.IntegerField()


class InterpretationChoices(serializers.Serializer):
    data = InterpretationDataChoice(many=True)  # type: ignore[assignment]
    kinds = InterpretationKind(many=True)
    models = InterpretationModel(many=True)
    encoders = InterpretationModel(many=True, help_text="For BERTScore.")
    filters = InterpretationFilter(many=True)
    evaluations = EquivalenceChoice(many=True)
    limits = InterpretationLimits()
    defaults = InterpretationDefaults()
    worker = serializers.CharField(allow_blank=True, help_text="What is wrong with the worker; empty where it runs.")


class LeftOutData(serializers.Serializer):
    reason = serializers.CharField()
    n = serializers.IntegerField()
    examples = serializers.ListField(child=serializers.CharField(), help_text="Some of the ids.")


class EstimatedData(serializers.Serializer):
    sources = BySplit()
    targets = BySplit()
    left_out = LeftOutData(many=True)


class EstimatedInterpretationSystem(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    examples = serializers.IntegerField()
    epochs = serializers.IntegerField()
    source_tokens_max = serializers.IntegerField(help_text="Of the longest source, estimated.")
    budget = serializers.IntegerField()
    cut = serializers.IntegerField(help_text="Sources that are longer than the budget, estimated.")
    seconds = serializers.FloatField(allow_null=True, help_text="Null: no run of this server tells the time.")
    note = serializers.CharField()


class EstimatedInstances(serializers.Serializer):
    total = serializers.IntegerField()
    tallies = InstanceTally(many=True)


class InterpretationEstimate(serializers.Serializer):
    data = EstimatedData()  # type: ignore[assignment]
    systems = EstimatedInterpretationSystem(many=True)
    instances = EstimatedInstances()
    notices = serializers.ListField(child=serializers.CharField())


class ClassUsed(serializers.Serializer):
    name = serializers.CharField(allow_blank=True)
    members = serializers.ListField(child=serializers.CharField())


class EvaluationUsed(serializers.Serializer):
    """Describe an evaluation as it stood. Figures number its classes in this order, from 0."""

    id = serializers.UUIDField()
    annotation = serializers.CharField()
    evaluation = serializers.CharField()
    part = serializers.ChoiceField(choices=PARTS)
    in_depth = serializers.BooleanField()
    revision = serializers.IntegerField()
    n_validated = serializers.IntegerField()
    classes = ClassUsed(many=True)


class SystemUsed(serializers.Serializer):
    name = serializers.CharField(help_text="Its name in files and addresses.")
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=MODEL_KINDS)
    model = serializers.CharField()
    filter = serializers.ChoiceField(choices=FILTER_NAMES)
    filter_model = serializers.CharField(allow_blank=True)
    budget = serializers.IntegerField()
    augment = serializers.IntegerField()
    max_epochs = serializers.IntegerField()


class GenerationUsed(serializers.Serializer):
    beams = serializers.IntegerField()
    min_tokens = serializers.IntegerField()
    max_tokens = serializers.IntegerField()
    limit = serializers.IntegerField()


class TrainingUsed(serializers.Serializer):
    learning_rate = serializers.FloatField(allow_null=True, help_text="The maximum; null: that of the kind.")
    schedule = serializers.CharField()
    patience = serializers.IntegerField()
    batch_size = serializers.IntegerField()


class CountsUsed(serializers.Serializer):
    sources = BySplit()
    targets = BySplit()


class InterpretationSpecOut(serializers.Serializer):
    # Fields of these names hide the serializer's own, which nothing asks for.
    data = serializers.CharField()  # type: ignore[assignment]
    counts = CountsUsed()
    style = serializers.CharField()  # type: ignore[assignment]
    outer = serializers.ListField(child=serializers.CharField())
    systems = SystemUsed(many=True)
    evaluations = EvaluationUsed(many=True)
    seed = serializers.IntegerField()
    split = serializers.ChoiceField(choices=SPLITS_TESTED)
    prefix = serializers.CharField()
    rules = serializers.CharField(default="paper", help_text="paper or code: by which rules instances are made.")
    replace_positive = serializers.BooleanField(default=False)
    training = TrainingUsed(default=TrainingSpec().model_dump)
    generation = GenerationUsed()
    bertscore = serializers.CharField(allow_blank=True)


class InterpretationProgress(serializers.Serializer):
    detail = serializers.CharField(default="")
    system = serializers.CharField(default="")
    stage = serializers.CharField(default="")
    done = serializers.IntegerField(default=0)
    total = serializers.IntegerField(default=0)
    fraction = serializers.FloatField(default=0.0, help_text="Of all the work, from 0 to 1.")
    seconds_left = serializers.FloatField(default=None, allow_null=True)


class SystemNamed(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()


class InterpretationHeadline(SystemNamed):
    main_mean = serializers.FloatField(allow_null=True, help_text="Mean accuracy; null without instances.")
    rouge2 = serializers.FloatField(allow_null=True, help_text="With markers.")


class InterpretationOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    name = serializers.CharField(source="row.name")
    state = serializers.ChoiceField(source="row.state", choices=Interpretation.State.choices)
    failure = serializers.CharField(source="row.failure", allow_blank=True)
    data_title = serializers.CharField()
    systems = SystemNamed(many=True)
    progress = serializers.SerializerMethodField()
    headline = InterpretationHeadline(many=True, help_text="Empty before the end.")
    created_by = serializers.CharField(source="row.created_by.shown_name")
    created_at = serializers.DateTimeField(source="row.created_at")
    finished_at = serializers.DateTimeField(source="row.finished_at", allow_null=True)

    @extend_schema_field(InterpretationProgress)
    def get_progress(self, view: Any) -> dict[str, Any]:
        return dict(InterpretationProgress(view.row.progress).data)


class LossPoint(serializers.Serializer):
    epoch = serializers.IntegerField()
    train_loss = serializers.FloatField()
    valid_loss = serializers.FloatField()
    learning_rate = serializers.FloatField()


class InterpretationFileOut(serializers.Serializer):
    name = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField()


class InterpretationDetail(InterpretationOut):
    spec = InterpretationSpecOut(source="row.spec")
    left_out = LeftOutData(source="row.left_out", many=True)
    curves = serializers.DictField(source="row.curves", child=LossPoint(many=True), help_text="By the system's name.")
    notices = serializers.ListField(source="row.notices", child=serializers.CharField())
    files = InterpretationFileOut(many=True)


class InterpretationsView(APIView):
    parser_classes = [CappedJSON]

    @extend_schema(responses={200: InterpretationOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the interpretations, newest first."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(InterpretationOut(interpretations_of(project), many=True).data)

    @extend_schema(
        request=InterpretationSpec,
        responses={201: InterpretationDetail, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Start an interpretation. Its data are written down now, and stay as they are."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        spec = spec_sent(InterpretationSpec, request.data)
        row = interpretation_create(project=project, spec=spec, actor=person(request))
        return Response(InterpretationDetail(interpretation_view(row)).data, status=status.HTTP_201_CREATED)


class InterpretationChoicesView(APIView):
    @extend_schema(responses={200: InterpretationChoices, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return what the form of a start offers."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(InterpretationChoices(choices_view(project)).data)


class InterpretationEstimateView(APIView):
    @extend_schema(request=InterpretationSpec, responses={200: InterpretationEstimate, 400: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Say what the interpretation would train and test. Nothing is started."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        asked = request_check(project, spec_sent(InterpretationSpec, request.data))
        return Response(InterpretationEstimate(estimate_view(asked)).data)


def interpretation_of_my_project(request: Request, project_id: UUID, interpretation_id: UUID) -> Interpretation:
    rows = Interpretation.objects.select_related("created_by").filter(project__uuid=project_id)
    return found_or_404(request, rows, interpretation_id)


class InterpretationView(APIView):
    @extend_schema(responses={200: InterpretationDetail, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """Return one interpretation with its loss curves and files."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        return Response(InterpretationDetail(interpretation_view(row)).data)


class InterpretationPauseView(APIView):
    @extend_schema(request=None, responses={200: InterpretationDetail, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """Pause it. It goes on later from its last checkpoint."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        row = interpretation_pause(row=row, actor=person(request))
        return Response(InterpretationDetail(interpretation_view(row)).data)


class InterpretationResumeView(APIView):
    @extend_schema(request=None, responses={200: InterpretationDetail, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """Let one that was paused or failed go on from its last checkpoint."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        row = interpretation_resume(row=row, actor=person(request))
        return Response(InterpretationDetail(interpretation_view(row)).data)


class InterpretationCancelView(APIView):
    @extend_schema(request=None, responses={200: InterpretationDetail, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """Cancel it for good. Its checkpoints are deleted; its data are kept."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        row = interpretation_cancel(row=row, actor=person(request))
        return Response(InterpretationDetail(interpretation_view(row)).data)


class InterpretationRemoveView(APIView):
    @extend_schema(request=None, responses={204: None, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """Remove one that is done, failed or cancelled, with its data and results. This cannot be undone."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        interpretation_remove(row=row, actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
