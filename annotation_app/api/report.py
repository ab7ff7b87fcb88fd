"""Serve a project's report to admins: as JSON for the page, or as one file."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.formats.drawing import MEDIA_TYPES
from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from al_worker.formats.paper_tables import Table
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import QueryInteger, checked
from annotation_app.dashboards.report.agreement_batches import MOST_PEOPLE
from annotation_app.dashboards.report.drawing import figure_files
from annotation_app.dashboards.report.examples import MOST_CHOSEN, Example, label_words, level_words
from annotation_app.dashboards.report.facts import ReportFacts
from annotation_app.dashboards.report.figures import Figure
from annotation_app.dashboards.report.page import as_html
from annotation_app.dashboards.report.report import Report, Section, project_report, report_figures
from annotation_app.models import Capability, Project


class ReportCell(serializers.Serializer):
    text = serializers.CharField()
    why = serializers.CharField(allow_blank=True, help_text="Why there is no value.")
    repeats = serializers.BooleanField(help_text="The same as in the row above.")
    interval = serializers.CharField(source="bracketed", allow_blank=True, help_text="95%, in brackets.")
    basis = serializers.CharField(allow_blank=True, help_text="The items that the value stands on.")


class ReportColumn(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(choices=["text", "number", "long"])


class ReportTable(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    # A field of that name hides the serializer's own `source`, which nothing asks for: it only describes.
    source = serializers.CharField(help_text="The table or figure of OP-FED that it follows.")  # type: ignore[assignment]
    about = serializers.CharField(allow_blank=True)
    columns = ReportColumn(many=True)
    rows = serializers.ListField(child=ReportCell(many=True))
    notes = serializers.ListField(child=serializers.CharField())
    missing = serializers.CharField(allow_blank=True, help_text="What there must be before it has rows.")
    csv = serializers.CharField(allow_blank=True)
    latex = serializers.CharField(allow_blank=True)


class ReportPart(serializers.Serializer):
    key = serializers.CharField()
    # As for `source` above: it only describes.
    label = serializers.CharField()  # type: ignore[assignment]
    quiet = serializers.BooleanField()


class ReportBar(serializers.Serializer):
    label = serializers.CharField()  # type: ignore[assignment]
    values = serializers.DictField(child=serializers.FloatField())


class ReportFigure(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    about = serializers.CharField(allow_blank=True)
    x_name = serializers.CharField(allow_blank=True)
    y_name = serializers.CharField(allow_blank=True)
    is_share = serializers.BooleanField()
    parts = ReportPart(many=True)
    bars = ReportBar(many=True)
    alternative = serializers.CharField(allow_blank=True, help_text="What the drawing shows, in words.")
    notes = serializers.ListField(child=serializers.CharField())
    missing = serializers.CharField(allow_blank=True)
    table = ReportTable()


class ReportSection(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    question = serializers.CharField()
    tables = ReportTable(many=True)
    figures = ReportFigure(many=True)


class ReportLabel(serializers.Serializer):
    stage = serializers.CharField(help_text="The stage's title.")
    label = serializers.CharField()  # type: ignore[assignment]


class ReportExample(serializers.Serializer):
    id = serializers.CharField()
    text = serializers.CharField()
    speaker = serializers.CharField(allow_blank=True)
    document = serializers.CharField()
    round = serializers.IntegerField()
    labels = ReportLabel(many=True)
    needed = serializers.CharField(help_text="The most context that a label of it needed.")
    needed_text = serializers.CharField(allow_blank=True)


class ReportOut(serializers.Serializer):
    made_at = serializers.DateTimeField()
    notices = serializers.ListField(child=serializers.CharField())
    sections = ReportSection(many=True)
    annotators = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of everybody who answered in the rounds."
    )
    compared = serializers.ListField(
        child=serializers.IntegerField(), help_text="Those whose pairs stand in the tables of agreement."
    )
    chosen = ReportExample(many=True)
    candidates = ReportExample(many=True)


class ReportView(APIView):
    class Input(serializers.Serializer):
        example = serializers.ListField(
            child=serializers.CharField(max_length=1_000),
            default=list,
            max_length=MOST_CHOSEN,
            help_text="Ids of items to show as examples, in this order.",
        )
        annotator = serializers.ListField(
            child=QueryInteger(min_value=1),
            default=list,
            max_length=MOST_PEOPLE,
            help_text="Whose pairs stand in the tables of agreement, by number; otherwise those who share the most "
            "items with others.",
        )
        file = serializers.BooleanField(default=False, help_text="As one HTML file.")
        paper = serializers.BooleanField(
            default=False, help_text="The file names the table or figure of OP-FED that each follows."
        )

    @extend_schema(
        parameters=[Input],
        responses={200: ReportOut, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response | HttpResponse:
        """Return the tables and figures of the project's study, after those of OP-FED. Missing data are named."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        asked = checked(self.Input, request.query_params)
        report = project_report(project=project, examples=asked["example"], annotators=asked["annotator"])
        return (
            attachment(project, report, asked["paper"])
            if asked["file"]
            else Response(ReportOut(serialize_report(report)).data)
        )


class ReportFigureView(APIView):
    @extend_schema(
        responses={
            **{(200, media_type): OpenApiTypes.BINARY for media_type in MEDIA_TYPES.values()},
            **dict.fromkeys((401, 403, 404), ErrorBody),
        }
    )
    def get(self, request: Request, project_id: UUID, name: str) -> HttpResponse:
        """One figure for paper, named by its key and format (svg, png, pdf). 404 where there is nothing to draw."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        key, _, kind = name.rpartition(".")
        figures = report_figures(project=project) if kind in MEDIA_TYPES else []
        for figure in figures:
            if figure.key == key and not figure.missing:
                return attached(figure_files(figure, [kind])[kind], MEDIA_TYPES[kind], name)
        raise Http404


def attachment(project: Project, report: Report, paper: bool) -> HttpResponse:
    name = f"{slugify(project.name) or 'project'}-report.html"
    return attached(as_html(report, paper=paper), "text/html; charset=utf-8", name)


def attached(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def serialize_report(report: Report) -> dict[str, Any]:
    return {
        "made_at": report.made_at,
        "notices": report.notices,
        "sections": [serialize_section(section) for section in report.sections],
        "annotators": report.compared.everyone,
        "compared": report.compared.people,
        "chosen": [serialize_example(report.facts, shown) for shown in report.chosen],
        "candidates": [serialize_example(report.facts, shown) for shown in report.candidates],
    }


def serialize_section(section: Section) -> dict[str, Any]:
    return {
        "key": section.key,
        "title": section.title,
        "question": section.question,
        "tables": [serialize_table(table) for table in section.tables],
        "figures": [serialize_figure(figure) for figure in section.figures],
    }


def serialize_table(table: Table) -> dict[str, Any]:
    files = {"csv": "", "latex": ""} if table.missing else {"csv": as_csv(table), "latex": as_latex(table)}
    return {**vars(table), **files}


def serialize_figure(figure: Figure) -> dict[str, Any]:
    return {**vars(figure), "table": serialize_table(figure.table)}


def serialize_example(facts: ReportFacts, shown: Example) -> dict[str, Any]:
    return {
        "id": shown.id,
        "text": shown.text,
        "speaker": shown.speaker,
        "document": shown.document,
        "round": shown.round,
        "labels": [{"stage": stage.title, "label": label_words(facts, shown, stage.key)} for stage in facts.questions],
        "needed": level_words(facts, shown),
        "needed_text": shown.needed,
    }
