"""Serve comments, skips with reasons and flags to admins, who resolve them; take flags from annotators."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.remarks import NOTE_LENGTH, item_flag, remark_resolve
from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import QueryInteger, checked
from annotation_app.api.labelling import own_or_404
from annotation_app.api.threads import ThreadMessageOut
from annotation_app.dashboards.remarks import (
    KINDS,
    STATES,
    Remark,
    RemarkFilters,
    batches_of,
    remark_page,
    remarks_found,
)
from annotation_app.export.table_files import csv_bytes
from annotation_app.models import Batch, Capability, event_write

COLUMNS = ("created_at", "kind", "words", "who", "batch", "item_id", "text", "resolved", "resolved_at", "resolved_by")


class RemarkOut(serializers.Serializer):
    id = serializers.UUIDField()
    kind = serializers.ChoiceField(choices=KINDS[1:])
    words = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    person = serializers.UUIDField()
    who = serializers.CharField()
    batch_kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    batch_number = serializers.IntegerField()
    codebook = serializers.IntegerField(help_text="The version that the batch was labelled with.")
    item = serializers.UUIDField()
    item_id = serializers.CharField()
    text = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    resolved = serializers.BooleanField()
    resolved_at = serializers.DateTimeField(allow_null=True)
    resolved_by = serializers.CharField(allow_null=True)
    n_messages = serializers.IntegerField(help_text="In the thread of a flag.")
    waits = serializers.BooleanField(help_text="A flag on which the admins have the next word.")
    unread = serializers.BooleanField(help_text="The reader has not seen all of the flag's thread.")
    messages = serializers.SerializerMethodField()

    @extend_schema_field(ThreadMessageOut(many=True))
    def get_messages(self, remark: Remark) -> list[dict[str, Any]]:
        return list(ThreadMessageOut(self.context["threads"].get(remark.id, []), many=True).data)


class RemarkBatch(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    number = serializers.IntegerField()


class RemarksOut(serializers.Serializer):
    remarks = RemarkOut(many=True)
    n = serializers.IntegerField()
    hidden = serializers.IntegerField(help_text="By others, on items whose own answer of the reader is not final.")
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()
    batches = RemarkBatch(many=True)


class FilterIn(serializers.Serializer):
    kind = serializers.ChoiceField(choices=KINDS, default="all")
    state = serializers.ChoiceField(choices=STATES, default="open")
    person = serializers.UUIDField(required=False, default=None, allow_null=True)
    batch = serializers.UUIDField(required=False, default=None, allow_null=True)
    q = serializers.CharField(max_length=500, default="", allow_blank=True)


class PageIn(FilterIn):
    page = QueryInteger(min_value=1, max_value=1_000_000, default=1)


class RemarksView(APIView):
    @extend_schema(
        operation_id="projects_remarks_list",
        parameters=[PageIn],
        responses={200: RemarksOut, 400: ErrorBody, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """List remarks, newest first, 25 a page. Adjudicators see comments beside the answers, without names."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        given = checked(PageIn, request.query_params)
        found = remark_page(page=given.pop("page"), filters=RemarkFilters(member, **given))
        context = {"threads": found.threads}
        return Response(RemarksOut({**vars(found), "batches": batches_of(member)}, context=context).data)


class RemarksCsvView(APIView):
    @extend_schema(parameters=[FilterIn], responses={(200, "text/csv"): OpenApiTypes.STR, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """Return the same remarks as a file, with names. Each download is logged."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(FilterIn, request.query_params)
        found, _ = remarks_found(RemarkFilters(member, **data))
        named = ({**vars(each), "batch": f"{each.batch_kind} {each.batch_number}"} for each in found)
        rows = [list(COLUMNS), *([values[name] for name in COLUMNS] for values in named)]
        event_write(
            verb="export_made",
            project=member.project,
            actor_id=person(request).pk,
            kind="comments",
            names=True,
            lines=len(found) + 1,
            file="comments.csv",
        )
        response = HttpResponse(b"".join(csv_bytes(iter(rows))), content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="comments.csv"'
        return response


class RemarkResolveView(APIView):
    class ResolvedIn(serializers.Serializer):
        resolved = serializers.BooleanField()

    @extend_schema(request=ResolvedIn, responses={204: None, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID, remark_id: UUID) -> Response:
        """Mark a remark as resolved or as open again."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        data = checked(self.ResolvedIn, request.data)
        remark_resolve(membership=member, remark=remark_id, resolved=data["resolved"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class FlagView(APIView):
    class FlagIn(serializers.Serializer):
        note = serializers.CharField(max_length=NOTE_LENGTH, default="", allow_blank=True)
        client_id = serializers.UUIDField(
            required=False, default=None, allow_null=True, help_text="Names this sending, so that a retry is no second."
        )

    @extend_schema(request=FlagIn, responses={201: None, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Flag one's own item for the admins, with or without a note."""
        member = own_or_404(request, assignment_id)
        data = checked(self.FlagIn, request.data)
        item_flag(membership=member, assignment_uuid=assignment_id, **data)
        return Response(status=status.HTTP_201_CREATED)
