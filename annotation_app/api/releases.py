"""Serve releases to admins (make one, watch its progress, download it), and the datasheet that goes with them."""

from typing import Any
from uuid import UUID

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import checked
from annotation_app.api.stored_files import download
from annotation_app.evaluation.selectors import evaluations_done
from annotation_app.models import Capability, Release
from annotation_app.refusals import Refused
from annotation_app.releases.counts import nothing_to_release
from annotation_app.releases.datasheet import (
    StaleAnswer,
    datasheet_answer,
    datasheet_read,
    question_read,
)
from annotation_app.releases.selectors import WHERE, card_preview, filename, releases_of, unfinished
from annotation_app.releases.services import (
    NOTES_LENGTH,
    START,
    notes_fault,
    release_create,
)


class ReleaseProgress(serializers.Serializer):
    step = serializers.CharField()
    fraction = serializers.FloatField()


class ReleaseCounts(serializers.Serializer):
    """Count what a release holds. It is empty until the release is done."""

    items = serializers.IntegerField(required=False)
    documents = serializers.IntegerField(required=False)
    annotations = serializers.IntegerField(required=False, help_text="Current ones, second looks and surplus included.")
    annotators = serializers.IntegerField(required=False)
    rounds = serializers.IntegerField(required=False)
    second_looks = serializers.IntegerField(required=False)
    spans = serializers.IntegerField(required=False)
    text_sets = serializers.IntegerField(required=False)
    factoids = serializers.IntegerField(required=False, help_text="Those of every list of these text sets.")


class ReleaseOut(serializers.Serializer):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Release.State.choices)
    notes = serializers.CharField(allow_blank=True)
    evaluations = serializers.ListField(
        child=serializers.IntegerField(), help_text="Numbers of the evaluations that go into it."
    )
    text_sets = serializers.ListField(child=serializers.UUIDField(), help_text="Ids of the text sets that go into it.")
    progress = ReleaseProgress()
    failure = serializers.CharField(allow_blank=True)
    content_hash = serializers.CharField(allow_blank=True, help_text="Of data and datasheet: SHA-256 of SHA256SUMS.")
    counts = ReleaseCounts()
    size = serializers.IntegerField(allow_null=True, help_text="Bytes of the ZIP.")
    sha256 = serializers.CharField(allow_blank=True, help_text="Of the ZIP.")
    filename = serializers.CharField()
    created_by = serializers.CharField(allow_null=True, help_text="Null: from the command line.")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class ReleaseFile(serializers.Serializer):
    path = serializers.CharField()
    bytes = serializers.IntegerField()
    sha256 = serializers.CharField()
    lines = serializers.IntegerField(allow_null=True, help_text="Of files made of records.")


class ReleaseDetail(ReleaseOut):
    files = ReleaseFile(many=True)
    card = serializers.CharField(allow_blank=True, help_text="README.md.")


class UnfinishedOut(serializers.Serializer):
    text = serializers.CharField()
    where = serializers.ChoiceField(choices=WHERE, help_text="The page that has it.")


class EvaluationOffered(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()


class TextSetOffered(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()


class ReleasesOut(serializers.Serializer):
    releases = ReleaseOut(many=True)
    unfinished = UnfinishedOut(many=True, help_text="What a release made now leaves open; nothing of it forbids one.")
    nothing_yet = serializers.CharField(allow_null=True, help_text="Why there is nothing to release yet.")
    evaluations = EvaluationOffered(many=True, help_text="Those that may go into a release, newest first.")
    text_sets = TextSetOffered(many=True, help_text="Those that may go into a release, by name.")


class ReleaseIn(serializers.Serializer):
    notes = serializers.CharField(max_length=NOTES_LENGTH, allow_blank=True, default="")
    evaluations = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**31 - 1), default=list, max_length=100
    )
    text_sets = serializers.ListField(child=serializers.UUIDField(), default=list, max_length=100)

    def validate_notes(self, value: str) -> str:
        if fault := notes_fault(value):
            raise serializers.ValidationError(fault)
        return value


class CardOut(serializers.Serializer):
    markdown = serializers.CharField()


def serialize_release(release: Release) -> dict[str, Any]:
    progress = {name: release.progress.get(name, value) for name, value in START.items()}
    names = (
        "number",
        "state",
        "notes",
        "evaluations",
        "text_sets",
        "failure",
        "content_hash",
        "counts",
        "size",
        "sha256",
    )
    return {
        "id": release.uuid,
        **{name: getattr(release, name) for name in names},
        "progress": progress,
        "filename": filename(release),
        "created_by": release.created_by.shown_name if release.created_by else None,
        "created_at": release.created_at,
        "finished_at": release.finished_at,
    }


class ReleasesView(APIView):
    @extend_schema(responses={200: ReleasesOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the releases, and what stands in the way of another one."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        rows = [serialize_release(release) for release in releases_of(project)]
        told = {
            "releases": rows,
            "unfinished": unfinished(project),
            "nothing_yet": nothing_to_release(project),
            "evaluations": evaluations_done(project),
            "text_sets": project.text_sets.order_by("name"),
        }
        return Response(ReleasesOut(told).data)

    @extend_schema(request=ReleaseIn, responses={201: ReleaseOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Make a release in the background."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        release = release_create(project=project, actor=person(request), **checked(ReleaseIn, request.data))
        return Response(ReleaseOut(serialize_release(release)).data, status=status.HTTP_201_CREATED)


class ReleaseCardView(APIView):
    @extend_schema(responses={200: CardOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return the dataset card as it would be now."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(CardOut({"markdown": card_preview(project)}).data)


def release_of_my_project(request: Request, release_id: UUID) -> Release:
    return found_or_404(request, Release.objects.select_related("created_by"), release_id)


class ReleaseView(APIView):
    @extend_schema(responses={200: ReleaseDetail, **ADMIN_ERRORS})
    def get(self, request: Request, release_id: UUID) -> Response:
        """Return a release with its files and its card."""
        release = release_of_my_project(request, release_id)
        return Response(
            ReleaseDetail({**serialize_release(release), "files": release.files, "card": release.card}).data
        )


class ReleaseFileView(APIView):
    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY, 409: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, release_id: UUID) -> FileResponse:
        """Return the release's folder as one ZIP file."""
        release = release_of_my_project(request, release_id)
        if release.state != Release.State.DONE:
            raise Refused("not_done", f"Release {release.number} is {release.state}: it has a file once it is done.")
        return download(release.path, filename(release), "application/zip")


class DatasheetQuestion(serializers.Serializer):
    key = serializers.CharField()
    text = serializers.CharField()
    help = serializers.CharField()
    needs_answer = serializers.BooleanField(help_text="Nobody but a person can say.")
    computed = serializers.CharField(allow_null=True, help_text="Markdown made from the data; null: they say nothing.")
    answer = serializers.CharField(allow_blank=True, help_text="Markdown.")
    revision = serializers.IntegerField(help_text="Of the answer; 0: never answered.")
    answered_by = serializers.CharField(allow_null=True)
    answered_at = serializers.DateTimeField(allow_null=True)


class DatasheetSection(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    questions = DatasheetQuestion(many=True)


class DatasheetOut(serializers.Serializer):
    n_questions = serializers.IntegerField()
    n_open = serializers.IntegerField(help_text="Questions that only a person can answer, and nobody has.")
    sections = DatasheetSection(many=True)


class DatasheetConflict(serializers.Serializer):
    """Say why this is not possible now. `current` is the question as it is."""

    code = serializers.ChoiceField(choices=["stale_revision"])
    detail = serializers.CharField()
    current = DatasheetQuestion()


class DatasheetView(APIView):
    @extend_schema(responses={200: DatasheetOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return every question of the datasheet with its answers. A project without data has no computed ones."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        return Response(DatasheetOut(datasheet_read(project=project)).data)


class DatasheetAnswerView(APIView):
    class DatasheetAnswerIn(serializers.Serializer):
        text = serializers.CharField(allow_blank=True, trim_whitespace=False)
        base_revision = serializers.IntegerField(min_value=0)

    @extend_schema(
        request=DatasheetAnswerIn,
        responses={200: DatasheetQuestion, 400: ErrorBody, 409: DatasheetConflict, **ADMIN_ERRORS},
    )
    def put(self, request: Request, project_id: UUID, question: str) -> Response:
        """Save an answer that was written from `base_revision`. A blank text removes the answer."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        given = checked(self.DatasheetAnswerIn, request.data)
        try:
            datasheet_answer(project=project, question=question, actor=person(request), **given)
        except StaleAnswer as error:
            current = DatasheetQuestion(question_read(project=project, key=question)).data
            raise Refused("stale_revision", str(error), current=current) from error
        return Response(DatasheetQuestion(question_read(project=project, key=question)).data)
