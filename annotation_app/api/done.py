"""Serve a person's own done items: those of the open batch to go back to, and all of them to search."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.selectors import answers_of, span_counts
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ErrorBody
from annotation_app.api.inputs import ANSWERS, Beginning, checked, one_of
from annotation_app.api.labelling import READ_ERRORS
from annotation_app.api.windows import AssignmentCodebookOut
from annotation_app.assignment.selectors import assignments_done
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.dashboards.items.own import own_found
from annotation_app.models import Assignment, Batch


class DoneAssignmentOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    position = serializers.IntegerField(source="row.position")
    state = serializers.ChoiceField(source="row.state", choices=["submitted", "skipped", "surplus"])
    text = Beginning(source="row.batch_item.item.text", help_text="Of a long item the beginning.")
    answers = ANSWERS
    n_spans = serializers.IntegerField()


class DoneBatchOut(serializers.Serializer):
    kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    number = serializers.IntegerField()


class DoneOut(serializers.Serializer):
    assignments = DoneAssignmentOut(many=True)
    codebook = AssignmentCodebookOut(allow_null=True, help_text="The batch's; null where nothing is done yet.")


class FoundAssignmentOut(DoneAssignmentOut):
    batch = DoneBatchOut(source="row.batch_item.batch")
    codebook = serializers.UUIDField(help_text="The batch's, one of `codebooks`.")


class FoundOut(serializers.Serializer):
    assignments = FoundAssignmentOut(many=True)
    codebooks = AssignmentCodebookOut(many=True)
    after = serializers.UUIDField(allow_null=True, help_text="Leads to the next page.")


def done_parts(rows: Sequence[Assignment]) -> list[dict[str, Any]]:
    books = {row.pk: pinned_codebook(row.batch_item.batch.codebook_id) for row in rows}
    counts = span_counts(rows) if any(book.parsed.span_layer for book in books.values()) else {}
    return [
        {
            "row": row,
            "answers": answers_of(row.current) if row.current else {},
            "n_spans": counts.get(row.current_id, 0),
            "codebook": books[row.pk].uuid,
        }
        for row in rows
    ]


def done_page(rows: Sequence[Assignment]) -> dict[str, Any]:
    """Return the person's done items of one batch, with the codebook that names their answers."""
    codebook = pinned_codebook(rows[0].batch_item.batch.codebook_id) if rows else None
    return {"assignments": done_parts(rows), "codebook": codebook}


class DoneView(APIView):
    class Input(serializers.Serializer):
        mine = one_of("done", default="done")

    @extend_schema(parameters=[Input], responses={200: DoneOut, 400: ErrorBody, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the person's own done items of the open batch, to go back to."""
        member = member_or_404(request, project_id)
        checked(self.Input, request.query_params)
        return Response(DoneOut(done_page(list(assignments_done(member)))).data)


class DoneSearchView(APIView):
    class Input(serializers.Serializer):
        q = serializers.CharField(max_length=500, default="", allow_blank=True, help_text="As in the list of items.")
        after = serializers.UUIDField(required=False, default=None, allow_null=True)

    @extend_schema(parameters=[Input], responses={200: FoundOut, 400: ErrorBody, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Search the person's own done items of all batches, the last done first, 50 a page."""
        member = member_or_404(request, project_id)
        found = own_found(member=member, **checked(self.Input, request.query_params))
        codebooks = {row.batch_item.batch.codebook_id for row in found.rows}
        parts = {
            "assignments": done_parts(found.rows),
            "codebooks": [pinned_codebook(pk) for pk in sorted(codebooks)],
            "after": found.after,
        }
        return Response(FoundOut(parts).data)
