"""Serve evaluations of models: choices, estimate, start, watch, pause, go on, cancel, download results."""

import json
from typing import Any, BinaryIO, cast
from uuid import UUID

from django.http import FileResponse, Http404, QueryDict
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.aggregation.statements import PHASES
from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, UPLOAD_ERRORS, ErrorBody
from annotation_app.api.inputs import checked, spec_sent
from annotation_app.api.parsers import CappedForm, CappedJSON, FormLimit
from annotation_app.api.prompts import LanguageModelOut, StagePromptsOut
from annotation_app.api.stored_files import FILE_RESPONSES, stored_file
from annotation_app.evaluation.estimate import estimate_view
from annotation_app.evaluation.imported import MAX_BYTES
from annotation_app.evaluation.selectors import choices_view, evaluation_view, evaluations_of
from annotation_app.evaluation.services import (
    PredictionsFile,
    evaluation_cancel,
    evaluation_create,
    evaluation_pause,
    evaluation_resume,
    evaluation_shown_set,
    request_check,
)
from annotation_app.evaluation.spec import EvaluationSpec
from annotation_app.models import Capability, Evaluation
from annotation_app.refusals import Invalid

KINDS = ("majority", "trained", "people", "language_model", "imported")
GOLD_KINDS = ("labels", "release")


class GoldChoice(serializers.Serializer):
    kind = serializers.ChoiceField(choices=GOLD_KINDS)
    number = serializers.IntegerField(allow_null=True)
    title = serializers.CharField()


class EvaluationStageChoice(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    is_context = serializers.BooleanField(help_text="Asked as: was more than the sentence needed?")


class SystemChoice(serializers.Serializer):
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    title = serializers.CharField()
    available = serializers.BooleanField()
    note = serializers.CharField(allow_blank=True)


class VariableOut(serializers.Serializer):
    name = serializers.CharField()
    help = serializers.CharField()


class EvaluationLimits(serializers.Serializer):
    systems = serializers.IntegerField()
    least_folds = serializers.IntegerField()
    folds = serializers.IntegerField()
    examples = serializers.IntegerField()
    pool = serializers.IntegerField()
    file_bytes = serializers.IntegerField()
    unfinished = serializers.IntegerField()


class EvaluationChoices(serializers.Serializer):
    gold = GoldChoice(many=True)
    stages = EvaluationStageChoice(many=True)
    systems = SystemChoice(many=True)
    language_models = LanguageModelOut(many=True)
    language_models_problem = serializers.CharField(allow_blank=True, help_text="What is wrong with the file.")
    prompts = StagePromptsOut(many=True)
    batches = serializers.ListField(child=serializers.IntegerField(), help_text="Rounds that have a batch.")
    variables = VariableOut(many=True)
    limits = EvaluationLimits()


class LeftOutReason(serializers.Serializer):
    reason = serializers.CharField()
    n = serializers.IntegerField()


class EvaluationStage(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    n = serializers.IntegerField()
    left_out = LeftOutReason(many=True)


class EstimatedStage(EvaluationStage):
    labels = serializers.DictField(child=serializers.IntegerField())


class EstimatedSystem(serializers.Serializer):
    name = serializers.CharField()
    requests = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True, help_text="Null: the operator's file gives no prices.")
    currency = serializers.CharField(allow_blank=True)
    note = serializers.CharField()


class EvaluationEstimate(serializers.Serializer):
    stages = EstimatedStage(many=True)
    systems = EstimatedSystem(many=True)
    notices = serializers.ListField(child=serializers.CharField())


class GoldOut(serializers.Serializer):
    kind = serializers.ChoiceField(choices=GOLD_KINDS)
    phase = serializers.ChoiceField(choices=PHASES)
    adjudicated = serializers.BooleanField()
    number = serializers.IntegerField(allow_null=True)


class PromptUsed(serializers.Serializer):
    number = serializers.IntegerField()
    template = serializers.CharField()
    sha256 = serializers.CharField()


class QuestionOut(serializers.Serializer):
    title = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    is_context = serializers.BooleanField()
    prompt = PromptUsed()


class EvaluationSpecOut(serializers.Serializer):
    """Describe what was asked for. `questions` has each stage's labels and prompt as they were then."""

    gold = GoldOut()
    is_random_sample = serializers.BooleanField(
        allow_null=True, help_text="Chance alone chose the labelled items. Null: a release does not tell."
    )
    stages = serializers.ListField(child=serializers.CharField())
    systems = serializers.ListField(child=serializers.CharField())
    kinds = serializers.DictField(child=serializers.ChoiceField(choices=KINDS))
    folds = serializers.IntegerField()
    examples = serializers.IntegerField()
    seed = serializers.IntegerField()
    epsilon = serializers.FloatField()
    limit = serializers.IntegerField(allow_null=True)
    pool = serializers.IntegerField()
    batch = serializers.IntegerField(allow_null=True)
    questions = serializers.DictField(child=QuestionOut())
    language_models = serializers.DictField(child=serializers.DictField())


class SystemProgress(serializers.Serializer):
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    total = serializers.IntegerField()
    answered = serializers.IntegerField()
    refused = serializers.IntegerField()
    not_compliant = serializers.IntegerField(help_text="Answers without a label, refused ones too.")
    failed_requests = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)
    currency = serializers.CharField(allow_blank=True)
    seconds_left = serializers.FloatField(allow_null=True)


class EvaluationProgress(serializers.Serializer):
    detail = serializers.CharField(allow_blank=True)
    systems = SystemProgress(many=True)


class HighestAccuracy(serializers.Serializer):
    stage = serializers.CharField()
    system = serializers.CharField()
    accuracy = serializers.FloatField()
    n = serializers.IntegerField(help_text="Items that the system answered.")


class EvaluationOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    name = serializers.CharField(source="row.name")
    state = serializers.ChoiceField(source="row.state", choices=Evaluation.State.choices)
    failure = serializers.CharField(source="row.failure", allow_blank=True)
    is_dry_run = serializers.BooleanField(help_text="Language models are asked about some of the items only.")
    spec = EvaluationSpecOut(source="row.spec")
    stages = EvaluationStage(many=True)
    notices = serializers.ListField(source="row.notices", child=serializers.CharField())
    n_unanswered = serializers.IntegerField(help_text="Requests of one that is done that failed each time.")
    progress = serializers.SerializerMethodField()
    headline = HighestAccuracy(many=True, help_text="Of the systems that answered every item; empty before the end.")
    shown_to_adjudicators = serializers.ListField(source="row.shown_to_adjudicators", child=serializers.CharField())
    created_by = serializers.CharField(source="row.created_by.shown_name")
    created_at = serializers.DateTimeField(source="row.created_at")
    finished_at = serializers.DateTimeField(source="row.finished_at", allow_null=True)

    @extend_schema_field(EvaluationProgress)
    def get_progress(self, view: Any) -> dict[str, Any]:
        told = {"detail": view.row.progress.get("detail", ""), "systems": view.systems}
        return dict(EvaluationProgress(told).data)


class EvaluationFileOut(serializers.Serializer):
    name = serializers.CharField()
    size = serializers.IntegerField()


class EvaluationDetail(EvaluationOut):
    figures = serializers.DictField(allow_null=True, help_text="What figures.json holds; null before the end.")
    files = EvaluationFileOut(many=True)


class EvaluationForm(serializers.Serializer):
    """Upload predictions as multipart. `spec` is the JSON that is the whole body where no file is sent."""

    spec = serializers.CharField()
    predictions = serializers.FileField()


def json_sent(request: Request) -> Any:
    """Return the spec as it was sent: the body itself, or the form's field `spec`."""
    if not isinstance(request.data, QueryDict):
        return request.data
    try:
        return json.loads(str(request.data.get("spec", "")))
    except (json.JSONDecodeError, RecursionError) as error:
        raise Invalid({"spec": [f"Not JSON: {error}"]}) from error


def file_sent(request: Request) -> PredictionsFile | None:
    if not isinstance(request.data, QueryDict):
        return None
    upload = request.FILES.get("predictions")
    if upload is None:
        raise Invalid({"predictions": ["Choose a file, or send the request as JSON."]})
    return PredictionsFile(upload.name or "predictions", cast(BinaryIO, upload.file))


class EvaluationsView(APIView):
    parser_classes = [CappedJSON, CappedForm]

    def form_limit(self) -> FormLimit:
        return MAX_BYTES, ("predictions",), "leave explanations out, or split it"

    @extend_schema(responses={200: EvaluationOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the evaluations, newest first."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(EvaluationOut(evaluations_of(project), many=True).data)

    @extend_schema(
        request={"application/json": EvaluationSpec, "multipart/form-data": EvaluationForm},
        responses={201: EvaluationOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Start an evaluation, from JSON or with a file of predictions."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        spec = spec_sent(EvaluationSpec, json_sent(request))
        row = evaluation_create(project=project, spec=spec, actor=person(request), predictions=file_sent(request))
        return Response(EvaluationOut(evaluation_view(row)).data, status=status.HTTP_201_CREATED)


class EvaluationChoicesView(APIView):
    @extend_schema(responses={200: EvaluationChoices, 409: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return what the form of a start offers."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(EvaluationChoices(choices_view(project)).data)


class EvaluationEstimateView(APIView):
    @extend_schema(
        request=EvaluationSpec,
        responses={200: EvaluationEstimate, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Say what the evaluation would compare, and what its language models would take. Nothing is started."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        asked = request_check(project, spec_sent(EvaluationSpec, request.data))
        return Response(EvaluationEstimate(estimate_view(asked)).data)


def evaluation_of_my_project(request: Request, evaluation_id: UUID) -> Evaluation:
    return found_or_404(request, Evaluation.objects.select_related("created_by", "codebook"), evaluation_id)


class EvaluationView(APIView):
    @extend_schema(responses={200: EvaluationDetail, **ADMIN_ERRORS})
    def get(self, request: Request, evaluation_id: UUID) -> Response:
        """Return one evaluation with its figures and files."""
        row = evaluation_of_my_project(request, evaluation_id)
        return Response(EvaluationDetail(evaluation_view(row)).data)


class EvaluationPauseView(APIView):
    @extend_schema(request=None, responses={200: EvaluationOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, evaluation_id: UUID) -> Response:
        """Pause it. Answers that are under way are still stored."""
        row = evaluation_pause(row=evaluation_of_my_project(request, evaluation_id), actor=person(request))
        return Response(EvaluationOut(evaluation_view(row)).data)


class EvaluationResumeView(APIView):
    @extend_schema(request=None, responses={200: EvaluationOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, evaluation_id: UUID) -> Response:
        """Let it go on with the answers that are there."""
        row = evaluation_resume(row=evaluation_of_my_project(request, evaluation_id), actor=person(request))
        return Response(EvaluationOut(evaluation_view(row)).data)


class EvaluationCancelView(APIView):
    @extend_schema(request=None, responses={200: EvaluationOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, evaluation_id: UUID) -> Response:
        """Cancel it. Answers that came before are kept."""
        row = evaluation_cancel(row=evaluation_of_my_project(request, evaluation_id), actor=person(request))
        return Response(EvaluationOut(evaluation_view(row)).data)


class EvaluationShownView(APIView):
    class ShownIn(serializers.Serializer):
        systems = serializers.ListField(child=serializers.CharField(max_length=100), max_length=100)

    @extend_schema(request=ShownIn, responses={200: EvaluationOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, evaluation_id: UUID) -> Response:
        """Choose the systems that adjudicators see beside the votes."""
        row = evaluation_of_my_project(request, evaluation_id)
        given = checked(self.ShownIn, request.data)
        row = evaluation_shown_set(row=row, systems=given["systems"], actor=person(request))
        return Response(EvaluationOut(evaluation_view(row)).data)


class EvaluationFileView(APIView):
    @extend_schema(responses={**FILE_RESPONSES, **ADMIN_ERRORS})
    def get(self, request: Request, evaluation_id: UUID, name: str) -> FileResponse:
        """Return one of the files that an evaluation leaves."""
        row = evaluation_of_my_project(request, evaluation_id)
        file = next((each for each in row.files.all() if each.name == name), None)
        if file is None:
            raise Http404
        return stored_file(file, f"evaluation-{row.number}")
