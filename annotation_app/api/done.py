"""Serve a person's own done items of the open batch, to go back to."""

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
from annotation_app.api.labelling import READ_ERRORS, AssignmentCodebookOut
from annotation_app.assignment.selectors import assignments_done
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import Assignment


class DoneAssignmentOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    position = serializers.IntegerField(source="row.position")
    state = serializers.ChoiceField(source="row.state", choices=["submitted", "skipped", "surplus"])
    text = Beginning(source="row.batch_item.item.text", help_text="Of a long item the beginning.")
    answers = ANSWERS
    n_spans = serializers.IntegerField()


class DoneOut(serializers.Serializer):
    assignments = DoneAssignmentOut(many=True)
    codebook = AssignmentCodebookOut(allow_null=True, help_text="The batch's; null where nothing is done yet.")


def done_page(rows: Sequence[Assignment]) -> dict[str, Any]:
    """Return the person's done items, with the codebook that names their answers."""
    if not rows:
        return {"assignments": [], "codebook": None}
    codebook = pinned_codebook(rows[0].batch_item.batch.codebook_id)
    counts = span_counts(rows) if codebook.parsed.span_layer else {}
    shown = [
        {
            "row": row,
            "answers": answers_of(row.current) if row.current else {},
            "n_spans": counts.get(row.current_id, 0),
        }
        for row in rows
    ]
    return {"assignments": shown, "codebook": codebook}


class DoneView(APIView):
    class Input(serializers.Serializer):
        mine = one_of("done", default="done")

    @extend_schema(parameters=[Input], responses={200: DoneOut, 400: ErrorBody, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the person's own done items of the open batch, to go back to."""
        member = member_or_404(request, project_id)
        checked(self.Input, request.query_params)
        return Response(DoneOut(done_page(list(assignments_done(member)))).data)
