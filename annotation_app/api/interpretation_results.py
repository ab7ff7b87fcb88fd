"""Serve what an interpretation found: figures, generated texts, instances, comparisons and files."""

from typing import Any
from uuid import UUID

from django.http import FileResponse, Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import QueryInteger, checked, given_once
from annotation_app.api.interpretations import EvaluationUsed, interpretation_of_my_project
from annotation_app.api.stored_files import FILE_RESPONSES, stored_file
from annotation_app.interpretations.comparison import comparison_view
from annotation_app.interpretations.selectors import results_view
from annotation_app.interpretations.stored import InstanceFilter, generations_page, instances_page

MAX_PAGE = 100
RESULT_ERRORS = {400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}


class InterpretationResults(serializers.Serializer):
    """Answer what figures.json holds (docs/methods/interpretation.md), and the evaluations as they stood."""

    seed = serializers.IntegerField()
    device = serializers.CharField()
    # A field of that name hides the serializer's own, which nothing asks for.
    data = serializers.DictField()  # type: ignore[assignment]
    bertscore = serializers.CharField(allow_blank=True)
    systems = serializers.ListField(child=serializers.DictField())
    references = serializers.DictField(allow_null=True)
    comparisons = serializers.ListField(child=serializers.DictField())
    tallies = serializers.ListField(child=serializers.DictField())
    left_out = serializers.ListField(child=serializers.DictField())
    notices = serializers.ListField(child=serializers.CharField())
    evaluations = EvaluationUsed(many=True)


class MarkedSpan(serializers.Serializer):
    start = serializers.IntegerField(help_text="In code points.")
    end = serializers.IntegerField()
    category = serializers.CharField(help_text="The name in the markers.")
    comment = serializers.CharField(allow_null=True)


class MarkerFault(serializers.Serializer):
    kind = serializers.CharField(help_text="unopened, reopened or unclosed.")
    category = serializers.CharField()
    at = serializers.IntegerField(help_text="In code points of the text form.")


class GeneratedText(serializers.Serializer):
    linear = serializers.CharField()
    text = serializers.CharField()
    spans = MarkedSpan(many=True)
    faults = MarkerFault(many=True)


class ReferenceText(serializers.Serializer):
    id = serializers.CharField()
    linear = serializers.CharField()
    text = serializers.CharField()
    spans = MarkedSpan(many=True)


class GenerationRow(serializers.Serializer):
    number = serializers.IntegerField()
    # A field of that name hides the serializer's own, which nothing asks for.
    source = serializers.CharField()  # type: ignore[assignment]
    source_title = serializers.CharField(allow_blank=True)
    n_sentences = serializers.IntegerField(help_text="Of the whole source.")
    filtered = serializers.ListField(child=serializers.CharField(), help_text="The sentences that the model read.")
    references = ReferenceText(many=True)
    generated = GeneratedText()


class GenerationsPage(serializers.Serializer):
    total = serializers.IntegerField()
    rows = GenerationRow(many=True)


class InstanceRow(serializers.Serializer):
    number = serializers.IntegerField(help_text="Its line in the file, from 0.")
    annotation = serializers.CharField()
    evaluation = serializers.CharField()
    target = serializers.CharField()
    # A field of that name hides the serializer's own, which nothing asks for.
    source = serializers.CharField()  # type: ignore[assignment]
    source_title = serializers.CharField(allow_blank=True)
    item = serializers.UUIDField(allow_null=True, help_text="Null: an import that was undone has taken it away.")
    item_id = serializers.CharField()
    prefix = serializers.CharField()
    positive = serializers.CharField()
    negative = serializers.CharField()
    positive_class = serializers.IntegerField()
    negative_class = serializers.IntegerField()
    log_p_positive = serializers.FloatField()
    log_p_negative = serializers.FloatField()
    right = serializers.BooleanField()


class InstancesPage(serializers.Serializer):
    total = serializers.IntegerField()
    rows = InstanceRow(many=True)


class PageAsked(serializers.Serializer):
    system = serializers.CharField(max_length=100)
    limit = QueryInteger(min_value=1, max_value=MAX_PAGE, default=25)
    offset = QueryInteger(min_value=0, default=0)


class InstancesAsked(PageAsked):
    annotation = serializers.CharField(required=False, max_length=200)
    evaluation = serializers.CharField(required=False, max_length=200)
    positive_class = QueryInteger(required=False, min_value=0)
    negative_class = QueryInteger(required=False, min_value=0)
    mistakes = serializers.BooleanField(default=False)


class ComparedSystem(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()


class PairedEvaluation(serializers.Serializer):
    annotation = serializers.CharField()
    evaluation = serializers.CharField()
    first_alone = serializers.IntegerField()
    second_alone = serializers.IntegerField()
    p = serializers.FloatField()
    p_holm = serializers.FloatField(help_text="Adjusted for the number of evaluations.")


class ComparedPair(serializers.Serializer):
    first = ComparedSystem()
    second = ComparedSystem(help_text="Of the other interpretation.")
    evaluations = PairedEvaluation(many=True)


class InterpretationComparison(serializers.Serializer):
    same = serializers.BooleanField(help_text="Both have the same instances; without that nothing is compared.")
    reason = serializers.CharField(allow_blank=True)
    pairs = ComparedPair(many=True)


class ComparisonAsked(serializers.Serializer):
    other = serializers.UUIDField()


class InterpretationResultsView(APIView):
    @extend_schema(responses={200: InterpretationResults, 409: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """Return the figures."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        return Response(results_view(row))


class InterpretationGenerationsView(APIView):
    @extend_schema(parameters=[PageAsked], responses={200: GenerationsPage, **RESULT_ERRORS})
    def get(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """List a system's generated texts beside what it read and what people wrote."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        asked = checked(PageAsked, given_once(request.query_params))
        return Response(GenerationsPage(generations_page(row, **asked)).data)


class InterpretationInstancesView(APIView):
    @extend_schema(parameters=[InstancesAsked], responses={200: InstancesPage, **RESULT_ERRORS})
    def get(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """List a system's scored instances, of one cell of a confusion matrix for example."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        asked: dict[str, Any] = checked(InstancesAsked, given_once(request.query_params))
        system, limit, offset = asked.pop("system"), asked.pop("limit"), asked.pop("offset")
        page = instances_page(row, system, InstanceFilter(**asked), limit=limit, offset=offset)
        return Response(InstancesPage(page).data)


class InterpretationCompareView(APIView):
    @extend_schema(parameters=[ComparisonAsked], responses={200: InterpretationComparison, **RESULT_ERRORS})
    def get(self, request: Request, project_id: UUID, interpretation_id: UUID) -> Response:
        """Test each system against each of another interpretation with the same instances."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        asked = checked(ComparisonAsked, given_once(request.query_params))
        other = interpretation_of_my_project(request, project_id, asked["other"])
        return Response(InterpretationComparison(comparison_view(row, other)).data)


class InterpretationFileView(APIView):
    @extend_schema(responses={**FILE_RESPONSES, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, interpretation_id: UUID, name: str) -> FileResponse:
        """Return one of the files: its data from the start, its results after the end."""
        row = interpretation_of_my_project(request, project_id, interpretation_id)
        file = row.files.filter(name=name).first()
        if file is None:
            raise Http404
        return stored_file(file, f"interpretation-{row.number}")
