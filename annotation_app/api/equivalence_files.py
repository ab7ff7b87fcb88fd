"""Serve files of equivalence classes: the authors' JSON in and out, instances, and augmented targets."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import HttpResponse, StreamingHttpResponse
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.equivalence.parts import PAPER, PREFIXES, SENTENCE, SOURCES
from annotation_app.api.access import member_or_404, person
from annotation_app.api.equivalence import CHANGE_ERRORS
from annotation_app.api.errors import ADMIN_ERRORS, UPLOAD_ERRORS, ErrorBody
from annotation_app.api.factoid_sets import form_of_files
from annotation_app.api.inputs import QueryInteger, checked, given_once, one_of
from annotation_app.api.parsers import CappedForm, FormLimit
from annotation_app.equivalence.data import CURRENT
from annotation_app.equivalence.files import MOST_BYTES, evaluations_file, evaluations_import
from annotation_app.equivalence.instances import (
    InstanceOptions,
    augmented_lines,
    instance_lines,
    instances_page,
)
from annotation_app.export.lines import json_line
from annotation_app.export.options import SEEDS
from annotation_app.export.stream import chunked
from annotation_app.models import Capability, Project

MOST_FACTOR = 100


class EquivalenceFileIn(serializers.Serializer):
    file = serializers.FileField(allow_empty_file=True)


class DryRunIn(serializers.Serializer):
    dry_run = serializers.BooleanField(default=False)


class EquivalenceFault(serializers.Serializer):
    place = serializers.CharField()
    message = serializers.CharField()


class EquivalenceFileRead(serializers.Serializer):
    created = serializers.ListField(child=serializers.CharField(), help_text="Names of evaluations.")
    changed = serializers.ListField(child=serializers.CharField(), help_text="They got a revision.")
    unchanged = serializers.ListField(child=serializers.CharField())
    unknown_categories = serializers.ListField(child=serializers.CharField(), help_text="Each is a fault as well.")
    faults = EquivalenceFault(many=True, help_text="Nothing is imported where there is one.")
    notices = serializers.ListField(child=serializers.CharField())


class InstanceTally(serializers.Serializer):
    annotation = serializers.CharField()
    evaluation = serializers.CharField()
    split = serializers.CharField()
    spans = serializers.IntegerField()
    without_part = serializers.IntegerField()
    no_member = serializers.IntegerField()
    repeated = serializers.IntegerField()
    alone = serializers.IntegerField()
    outside = serializers.IntegerField()
    positives = serializers.IntegerField()
    per_positive = serializers.IntegerField()
    instances = serializers.IntegerField()
    n_short = serializers.IntegerField(help_text="Positives with fewer negatives than per_positive.")


class EquivalenceInstance(serializers.Serializer):
    annotation = serializers.CharField(source="instance.annotation")
    evaluation = serializers.CharField(source="instance.evaluation")
    target = serializers.CharField(source="instance.target")
    prefix = serializers.CharField(source="instance.prefix")
    positive = serializers.CharField(source="instance.positive")
    negative = serializers.CharField(source="instance.negative")
    positive_class = serializers.IntegerField(source="instance.positive_class", help_text="From 0.")
    negative_class = serializers.IntegerField(source="instance.negative_class")
    positive_name = serializers.CharField(allow_blank=True, help_text="Of its class; empty where it has none.")
    negative_name = serializers.CharField(allow_blank=True)
    item = serializers.CharField(help_text="Its id in files.")
    item_text = serializers.CharField()
    start = serializers.IntegerField(help_text="Of the span in the item's text, in code points.")
    end = serializers.IntegerField()


class EquivalenceLeftOut(serializers.Serializer):
    id = serializers.UUIDField()
    name = serializers.CharField()
    reason = serializers.CharField()


class EquivalenceInstances(serializers.Serializer):
    tallies = InstanceTally(many=True)
    left_out = serializers.ListField(child=serializers.CharField())
    evaluations_left_out = EquivalenceLeftOut(many=True)
    n = serializers.IntegerField()
    n_hidden = serializers.IntegerField(help_text="Not shown: the reader may still answer about their items.")
    instances = EquivalenceInstance(many=True)
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class InstancesIn(serializers.Serializer):
    # A field of that name hides the serializer's own `data`, which nothing asks for: it only describes.
    data = serializers.CharField(  # type: ignore[assignment]
        max_length=40, default=CURRENT, help_text="current, or release:N."
    )
    seed = QueryInteger(min_value=SEEDS[0], max_value=SEEDS[1], default=0)
    source = one_of(*SOURCES, default=PAPER)  # type: ignore[assignment]
    prefix = one_of(*PREFIXES, default=SENTENCE)
    replace_positive = serializers.BooleanField(default=False)
    evaluation = serializers.UUIDField(allow_null=True, default=None)


class InstancesPageIn(InstancesIn):
    page = QueryInteger(min_value=1, max_value=1_000_000, default=1)


class AugmentedIn(serializers.Serializer):
    data = serializers.CharField(  # type: ignore[assignment]
        max_length=40, default=CURRENT, help_text="current, or release:N."
    )
    factor = QueryInteger(min_value=1, max_value=MOST_FACTOR, default=1, help_text="New targets for one, at most.")
    seed = QueryInteger(min_value=SEEDS[0], max_value=SEEDS[1], default=0)


JSONL: dict[Any, Any] = {(200, "application/x-ndjson"): OpenApiTypes.BINARY, 400: ErrorBody, **ADMIN_ERRORS}


class EquivalenceFileView(APIView):
    parser_classes = [CappedForm]

    def form_limit(self) -> FormLimit:
        return MOST_BYTES, ("file",), "split the file"

    @extend_schema(responses={(200, "application/json"): OpenApiTypes.BINARY, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """Return the evaluations as their authors' JSON. Unfinished ones are not in it."""
        project = member_or_404(request, project_id, Capability.RESOLVE).project
        response = HttpResponse(evaluations_file(project), content_type="application/json; charset=utf-8")
        response["Content-Disposition"] = f'attachment; filename="{stem(project)}-equivalence-classes.json"'
        return response

    @extend_schema(
        request={"multipart/form-data": EquivalenceFileIn},
        parameters=[DryRunIn],
        responses={200: EquivalenceFileRead, **CHANGE_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Import such a file, or say with dry_run=1 what an import would do and what is wrong."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        dry_run = checked(DryRunIn, given_once(request.query_params))["dry_run"]
        upload = form_of_files(request, EquivalenceFileIn, "file")["file"]
        read = evaluations_import(
            project=project,
            actor=person(request),
            data=upload.read(),
            filename=upload.name or "a file",
            dry_run=dry_run,
        )
        return Response(EquivalenceFileRead(read).data)


class EquivalenceInstancesView(APIView):
    @extend_schema(parameters=[InstancesPageIn], responses={200: EquivalenceInstances, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return instances, each in its text, 50 a page, with what was left out and why."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        asked = checked(InstancesPageIn, given_once(request.query_params))
        page = asked.pop("page")
        return Response(EquivalenceInstances(instances_page(member, InstanceOptions(**asked), page)).data)


class EquivalenceInstancesFileView(APIView):
    @extend_schema(parameters=[InstancesIn], responses=JSONL)
    def get(self, request: Request, project_id: UUID) -> StreamingHttpResponse:
        """Stream instances, a JSON object a line, as `al_worker.core equivalence instances` prints them.

        Those of items that the reader may still answer are left out.
        """
        member = member_or_404(request, project_id, Capability.MANAGE)
        asked = InstanceOptions(**checked(InstancesIn, given_once(request.query_params)))
        name = f"{stem(member.project)}-instances-seed-{asked.seed}.jsonl"
        return streamed_lines(instance_lines(member, asked), name)


class EquivalenceAugmentedFileView(APIView):
    @extend_schema(parameters=[AugmentedIn], responses=JSONL)
    def get(self, request: Request, project_id: UUID) -> StreamingHttpResponse:
        """Stream augmented training targets, a JSON object a line, but those of items that the reader may answer."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        asked = checked(AugmentedIn, given_once(request.query_params))
        name = f"{stem(member.project)}-augmented-factor-{asked['factor']}-seed-{asked['seed']}.jsonl"
        return streamed_lines(augmented_lines(member, **asked), name)


def streamed_lines(records: Iterable[dict[str, Any]], filename: str) -> StreamingHttpResponse:
    lines = chunked(json_line(each) for each in records)
    response = StreamingHttpResponse(lines, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response


def stem(project: Project) -> str:
    return slugify(project.name) or "project"
