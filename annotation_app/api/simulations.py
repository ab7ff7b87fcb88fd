"""Serve simulations: choices, start, watch, cancel, restart, download results."""

import json
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import FileResponse, Http404, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.drawing import MEDIA_TYPES
from al_worker.formats.missing import MissingInvalid, marks_read
from al_worker.formats.simulation import PLOTS, REPORT, RESULTS
from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, UPLOAD_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.api.parsers import BodyTooLarge, CappedForm, CappedJSON, FormLimit
from annotation_app.api.rounds import ModelOut, StrategyOut
from annotation_app.api.stored_files import stored_file
from annotation_app.models import Capability, Simulation
from annotation_app.refusals import Invalid, Refused
from annotation_app.rounds.selectors import strategy_views
from annotation_app.simulations.data import StageSource
from annotation_app.simulations.selectors import choices_view, simulation_view, simulations_of
from annotation_app.simulations.services import Uploads, simulation_cancel, simulation_create, simulation_restart
from annotation_app.simulations.spec import FULL_SUPERVISION, Case, Part, SimulationSpec, StringTest

MEND = "give fewer texts, or use the command line"


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}, {"type": "boolean"}]})
class PartValue(serializers.Field):
    """Read and answer a JSON value: text, a whole number, true or false."""

    default_error_messages = {"kind": "Give text, a whole number, true or false."}

    def to_internal_value(self, data: Any) -> str | int | bool:
        if not isinstance(data, str | int) or (isinstance(data, str) and len(data) > 200):
            self.fail("kind")
        return data

    def to_representation(self, value: str | int | bool) -> str | int | bool:
        return value


class CaseShape(serializers.Serializer):
    key = serializers.CharField(max_length=100)
    name = serializers.CharField(max_length=40)
    options = serializers.DictField(required=False, default=dict)


class PartShape(serializers.Serializer):
    """Choose test items by a value in a field of their line: text, a whole number, true or false."""

    key = serializers.CharField(max_length=100)
    field = serializers.CharField(max_length=100, trim_whitespace=False)
    value = PartValue()


class StringTestShape(serializers.Serializer):
    phrases = serializers.ListField(child=serializers.CharField(max_length=200, allow_blank=True), max_length=1000)
    label = serializers.CharField(max_length=200)  # type: ignore[assignment]
    otherwise = serializers.CharField(max_length=200)


class SourceIn(serializers.Serializer):
    """Name the texts. `stage`, `share` and `random_state` belong to the kind `stage`; the kind `upload` has two files.

    `missing` lists marks of missing labels, such as `NA,-99`. Lines with such a label are left out.
    """

    kind = serializers.ChoiceField(choices=["upload", "stage"])
    stage = serializers.CharField(max_length=64, required=False, allow_blank=True, default="")
    share = serializers.FloatField(required=False, default=0.3)
    random_state = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False, default=0)
    missing = serializers.CharField(
        max_length=1000, required=False, allow_blank=True, default="", trim_whitespace=False
    )


class SimulationIn(serializers.Serializer):
    name = serializers.CharField(max_length=200)
    source = SourceIn()  # type: ignore[assignment]
    strategies = CaseShape(many=True)
    models = serializers.ListField(child=serializers.CharField(max_length=300))
    seeds = serializers.ListField(child=serializers.IntegerField(), max_length=1000)
    batch_sizes = serializers.ListField(child=serializers.IntegerField(min_value=1), max_length=1000)
    batches = serializers.IntegerField()
    full_supervision = serializers.ChoiceField(choices=FULL_SUPERVISION, required=False, default="first")
    baseline = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    positive_labels = serializers.ListField(child=serializers.CharField(max_length=200), required=False, default=list)
    parts = PartShape(many=True, required=False, default=list)
    string_test = StringTestShape(required=False, allow_null=True, default=None)
    primary = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    primary_part = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    first_batch_in_area = serializers.BooleanField(required=False, default=True)


class SimulationForm(serializers.Serializer):
    """Upload the texts as multipart. `spec` is the JSON that is the whole body where no texts are uploaded."""

    spec = serializers.CharField()
    train = serializers.FileField()
    test = serializers.FileField()


class ConfigOut(serializers.Serializer):
    strategies = CaseShape(many=True)
    models = serializers.ListField(child=serializers.CharField())
    seeds = serializers.ListField(child=serializers.IntegerField())
    batch_sizes = serializers.ListField(child=serializers.IntegerField())
    batches = serializers.IntegerField()
    full_supervision_seeds = serializers.ListField(child=serializers.IntegerField())
    baseline = serializers.CharField()
    positive_labels = serializers.ListField(child=serializers.CharField())
    # Simulations of earlier versions have none of these.
    missing = serializers.ListField(child=serializers.CharField(allow_blank=True), default=list)
    parts = PartShape(many=True, default=list)
    string_test = StringTestShape(allow_null=True, default=None)
    primary = serializers.CharField(allow_blank=True, default="")
    primary_part = serializers.CharField(allow_blank=True, default="")
    first_batch_in_area = serializers.BooleanField(default=True)


class PartOut(serializers.Serializer):
    n = serializers.IntegerField()
    class_counts = serializers.DictField(child=serializers.IntegerField())


class FileNames(serializers.Serializer):
    train = serializers.CharField()
    test = serializers.CharField()


class DataOut(serializers.Serializer):
    source = serializers.ChoiceField(choices=["upload", "stage"])  # type: ignore[assignment]
    files = FileNames(required=False)
    stage = serializers.CharField(required=False)
    share = serializers.FloatField(required=False)
    random_state = serializers.IntegerField(required=False)
    train = PartOut()
    test = PartOut()


class SimulationProgress(serializers.Serializer):
    fraction = serializers.FloatField()
    detail = serializers.CharField(allow_blank=True)
    seconds = serializers.FloatField()
    batches = serializers.IntegerField()
    trainings = serializers.IntegerField()


class SimulationOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Simulation.State.choices)
    failure = serializers.CharField(allow_blank=True)
    config = ConfigOut()
    texts = DataOut(source="data")
    notices = serializers.ListField(child=serializers.CharField())
    progress = SimulationProgress()
    attempt = serializers.IntegerField()
    created_by = serializers.CharField(source="created_by.shown_name")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class CurveOut(serializers.Serializer):
    strategy = serializers.CharField()
    model = serializers.CharField()
    batch_size = serializers.IntegerField()
    seed = serializers.IntegerField()
    n_labeled = serializers.ListField(child=serializers.IntegerField())
    macro_f1 = serializers.ListField(child=serializers.FloatField())


class SimulationDetail(SimulationOut):
    """Add `curves`, as far as they have come, and `summary`, which is summary.json once the simulation is done."""

    curves = CurveOut(many=True)
    summary = serializers.DictField(allow_null=True)
    plots = serializers.ListField(child=serializers.CharField())
    same_order = serializers.ListField(
        child=serializers.CharField(), help_text="Keys of strategies that give one order, as there are two labels."
    )


class SimulationModel(ModelOut):
    seconds_per_batch = serializers.FloatField(allow_null=True)


class StageChoice(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    n = serializers.IntegerField()
    class_counts = serializers.DictField(child=serializers.IntegerField())
    positive = serializers.ListField(child=serializers.CharField())
    reasons = serializers.ListField(child=serializers.CharField())


class SimulationLimits(serializers.Serializer):
    file_bytes = serializers.IntegerField()
    strategies = serializers.IntegerField()
    models = serializers.IntegerField()
    seeds = serializers.IntegerField()
    batch_sizes = serializers.IntegerField()
    batches = serializers.IntegerField()
    trainings = serializers.IntegerField()
    key_length = serializers.IntegerField()
    parts = serializers.IntegerField()
    phrases = serializers.IntegerField()
    stage_items = serializers.IntegerField()
    items_per_label = serializers.IntegerField()
    holdout_shares = serializers.ListField(child=serializers.FloatField())


class SimulationChoices(serializers.Serializer):
    strategies = StrategyOut(many=True)
    models = SimulationModel(many=True)
    seconds_per_cell = serializers.FloatField(allow_null=True)
    stages = StageChoice(many=True)
    missing_marks = serializers.CharField(help_text="The usual marks for missing, as `source.missing` takes them.")
    processes = serializers.IntegerField()
    limits = SimulationLimits()


def serialize_simulation(row: Simulation) -> dict[str, Any]:
    view = simulation_view(row)
    extra = {"curves": row.curves, "summary": view.summary, "plots": view.plots, "same_order": view.same_order}
    return {**SimulationOut(row).data, **extra}


class SimulationsView(APIView):
    parser_classes = [CappedJSON, CappedForm]

    def form_limit(self) -> FormLimit:
        """Allow two files. Each is checked again when both have arrived."""
        return 2 * settings.SIMULATION_MAX_BYTES, ("train", "test"), MEND

    @extend_schema(responses={200: SimulationOut(many=True), **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the project's simulations."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(SimulationOut(simulations_of(project), many=True).data)

    @extend_schema(
        request={"application/json": SimulationIn, "multipart/form-data": SimulationForm},
        responses={201: SimulationOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Start a simulation."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        fields = checked(SimulationIn, spec_sent(request))
        source = source_sent(request, fields.pop("source"))
        shapes = {
            "strategies": [Case(**case) for case in fields["strategies"]],
            "parts": [Part(**part) for part in fields["parts"]],
            "string_test": fields["string_test"] and StringTest(**fields["string_test"]),
        }
        spec = SimulationSpec(**fields | shapes)
        row = simulation_create(project=project, spec=spec, source=source, actor=person(request))
        return Response(SimulationOut(row).data, status=status.HTTP_201_CREATED)


def spec_sent(request: Request) -> Any:
    """Return the spec: the body itself, or the form's field `spec`."""
    try:
        sent = request.data
    except UnsupportedMediaType as error:
        raise Invalid({"spec": ["Send JSON, or multipart/form-data with the files."]}) from error
    if isinstance(sent, QueryDict):
        try:
            return json.loads(str(sent.get("spec", "")))
        except (json.JSONDecodeError, RecursionError) as error:
            raise Invalid({"spec": [f"Not JSON: {error}"]}) from error
    return sent


def source_sent(request: Request, source: dict[str, Any]) -> StageSource | Uploads:
    if source["kind"] == "stage":
        return StageSource(source["stage"], source["share"], source["random_state"])
    missing = {name: ["Choose a file."] for name in ("train", "test") if name not in request.FILES}
    if missing:
        raise Invalid(missing)
    for name in ("train", "test"):
        if (request.FILES[name].size or 0) > settings.SIMULATION_MAX_BYTES:
            raise BodyTooLarge(settings.SIMULATION_MAX_BYTES, (name,), MEND)
    try:
        return Uploads(request.FILES["train"], request.FILES["test"], marks_read(source["missing"]))
    except MissingInvalid as error:
        raise Invalid({"source.missing": [f"Give marks with commas between them, in one line ({error})."]}) from error


class SimulationChoicesView(APIView):
    @extend_schema(responses={200: SimulationChoices, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return what a simulation can be started with."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        body = {"strategies": strategy_views(), **choices_view(project)}
        return Response(SimulationChoices(body).data)


def simulation_of_my_project(request: Request, simulation_id: UUID) -> Simulation:
    return found_or_404(request, Simulation.objects.select_related("created_by"), simulation_id)


class SimulationView(APIView):
    @extend_schema(responses={200: SimulationDetail, **ADMIN_ERRORS})
    def get(self, request: Request, simulation_id: UUID) -> Response:
        """Return one simulation with its settings and results."""
        return Response(serialize_simulation(simulation_of_my_project(request, simulation_id)))


class SimulationCancelView(APIView):
    @extend_schema(request=None, responses={200: SimulationOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, simulation_id: UUID) -> Response:
        """Cancel a simulation that waits or runs."""
        row = simulation_cancel(row=simulation_of_my_project(request, simulation_id), actor=person(request))
        return Response(SimulationOut(row).data)


class SimulationRestartView(APIView):
    class RestartIn(serializers.Serializer):
        anew = serializers.BooleanField(required=False, default=False)

    @extend_schema(request=RestartIn, responses={200: SimulationOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, simulation_id: UUID) -> Response:
        """Continue a simulation that has stopped, or run all its cells anew."""
        row = simulation_of_my_project(request, simulation_id)
        data = checked(self.RestartIn, request.data)
        row = simulation_restart(row=row, actor=person(request), anew=data["anew"])
        return Response(SimulationOut(row).data)


def simulation_file(request: Request, simulation_id: UUID, name: str) -> FileResponse:
    """Return one of the files that a simulation leaves. Raises Refused before the end."""
    row = simulation_of_my_project(request, simulation_id)
    file = row.files.filter(name=name).first()
    if file is None:
        if row.state == Simulation.State.DONE:
            raise Http404
        raise Refused("not_done", f"The simulation is {row.state}: its files are written when it is done.")
    return stored_file(file, "simulation")


FILE_ERRORS = {409: ErrorBody, **ADMIN_ERRORS}


class SimulationReportView(APIView):
    @extend_schema(responses={(200, "text/html"): OpenApiTypes.BINARY, **FILE_ERRORS})
    def get(self, request: Request, simulation_id: UUID) -> FileResponse:
        """Return the report as a web page."""
        return simulation_file(request, simulation_id, REPORT)


class SimulationResultsView(APIView):
    @extend_schema(responses={(200, "application/x-ndjson"): OpenApiTypes.BINARY, **FILE_ERRORS})
    def get(self, request: Request, simulation_id: UUID) -> FileResponse:
        """Return the results, one JSON object a line."""
        return simulation_file(request, simulation_id, RESULTS)


class SimulationPlotView(APIView):
    @extend_schema(
        responses={**{(200, media_type): OpenApiTypes.BINARY for media_type in MEDIA_TYPES.values()}, **FILE_ERRORS}
    )
    def get(self, request: Request, simulation_id: UUID, name: str) -> FileResponse:
        """Return one plot."""
        return simulation_file(request, simulation_id, f"{PLOTS}/{name}")
