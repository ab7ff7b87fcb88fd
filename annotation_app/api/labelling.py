"""Serve labelling: hand out items, take annotations, show earlier ones. All start from the person's own assignments."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.revisions import Stale
from annotation_app.annotation.services import annotation_submit
from annotation_app.annotation.submission import REASON_LENGTH, Submission
from annotation_app.annotation.suggestions import suggestions_of, suggestions_reveal
from annotation_app.api.access import allowed, member_or_404, person, token_of
from annotation_app.api.errors import ErrorBody
from annotation_app.api.inputs import (
    Answers,
    QueryInteger,
    TaggedIds,
    checked,
    given_once,
)
from annotation_app.api.items import serialize_items
from annotation_app.api.windows import (
    AssignmentOut,
    CurrentOut,
    SpanIn,
    SpanOut,
    WindowOut,
    assignment_parts,
    current_parts,
    first_looks_of,
    tag_of,
    window_parts,
)
from annotation_app.assignment.blinding import lock_reason
from annotation_app.assignment.open_batch import batch_facts
from annotation_app.assignment.selectors import (
    assignment_get,
    claimed_until,
    own_membership,
    progress_of,
)
from annotation_app.assignment.services import Window, claim_release, next_window
from annotation_app.codebook.spans import COMMENT_LENGTH
from annotation_app.ingest.selectors import sources_of
from annotation_app.models import Annotation, Membership
from annotation_app.monitoring.counters import REPLAYED, STORED
from annotation_app.refusals import Refused


@extend_schema_field(SpanIn(many=True))
class Spans(serializers.ListField):
    """Read spans as sent: the span rules name what is wrong with each."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=serializers.JSONField(), **options)


class SubmissionIn(serializers.Serializer):
    client_id = serializers.UUIDField()
    base_revision = serializers.IntegerField(min_value=0, max_value=2**31 - 1)
    answers = Answers()
    spans = Spans(default=list)
    comment = serializers.CharField(max_length=COMMENT_LENGTH, allow_blank=True, trim_whitespace=False, default="")
    context_opened = serializers.ChoiceField(
        choices=Annotation.ContextOpened.choices,
        # The usual message repeats what was sent, which may be no text at all (a lone surrogate).
        error_messages={"invalid_choice": f"Choose one of {', '.join(Annotation.ContextOpened.values)}."},
    )
    active_ms = serializers.IntegerField(min_value=0)
    wall_ms = serializers.IntegerField(min_value=0)
    skip_reason = serializers.CharField(
        max_length=REASON_LENGTH, allow_blank=True, allow_null=True, trim_whitespace=False, default=""
    )
    suggestions = serializers.UUIDField(
        allow_null=True, default=None, help_text="The id of the suggestions that were on the screen; null: none were."
    )


class SourceOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    external_id = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    text = serializers.CharField()


class SourcesOut(serializers.Serializer):
    sources = SourceOut(many=True)


class AnnotationOut(serializers.Serializer):
    id = serializers.UUIDField(source="annotation.uuid")
    revision = serializers.IntegerField(source="annotation.revision")
    answers = serializers.DictField(source="content.answers", child=serializers.CharField())
    spans = SpanOut(source="content.spans", many=True)
    created_at = serializers.DateTimeField(source="annotation.created_at")


class SubmittedOut(serializers.Serializer):
    annotation = AnnotationOut(source="submitted")
    refill = WindowOut()


class LabellingConflict(serializers.Serializer):
    """Say why this is not possible now; `current` comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=["stale", "client_id_reused", "closed", "seen", "withdrawn", "answered"])
    current = CurrentOut(required=False, allow_null=True)


# People wait for these two. Making a serializer takes longer than filling it, so each is made once.
WINDOW, SUBMITTED = WindowOut(), SubmittedOut()
READ_ERRORS = {401: ErrorBody, 404: ErrorBody}
WRITE_ERRORS = {401: ErrorBody, 403: ErrorBody, 404: ErrorBody, 409: LabellingConflict}


@contextmanager
def stale_answers() -> Iterator[None]:
    """Send the current answers to a browser that worked from older ones."""
    try:
        yield
    except Stale as error:
        current = error.latest and CurrentOut(current_parts(error.latest)).data
        raise Refused("stale", str(error), current=current) from error


def own_or_404(request: Request, assignment_id: UUID) -> Membership:
    """Return the membership under which this assignment is the signed-in person's own; 404 for all else."""
    member, token = allowed(own_membership(person(request).pk, assignment_id)), token_of(request)
    if token is not None:
        allowed(member if member.pk == token.membership_id else None)
        member.token_scope = token.scope  # type: ignore[attr-defined]
    if request.method not in SAFE_METHODS and member.project.archived_at is not None:
        raise Refused("closed", "This project is archived. It accepts no answers unless an admin restores it.")
    return member


def handed_out(*, membership: Membership, ahead: int) -> Window:
    """Hand out nothing of an archived project; claims are kept until it is restored."""
    if membership.project.archived_at is not None:
        return Window((), progress_of(None, set()))
    return next_window(membership=membership, ahead=ahead)


class NextView(APIView):
    class Input(serializers.Serializer):
        ahead = QueryInteger(min_value=1, max_value=50, default=3)

    @extend_schema(parameters=[Input], responses={200: WindowOut, 400: ErrorBody, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Hand out the person's next items. Asking again gives the same ones, and more where there is room."""
        member = member_or_404(request, project_id)
        window = handed_out(membership=member, **checked(self.Input, request.query_params))
        return Response(WINDOW.to_representation(window_parts(window, member)))


class AssignmentView(APIView):
    @extend_schema(responses={200: AssignmentOut, **READ_ERRORS})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Return one of the person's own items, with what they have answered."""
        member = own_or_404(request, assignment_id)
        row = assignment_get(member, assignment_id)
        item_id, batch = row.batch_item.item_id, batch_facts(row.batch_item.batch_id)
        item = serialize_items([item_id], member.project)[item_id]
        first_look = first_looks_of([row], batch).get(item_id)
        suggestions = suggestions_of(row.batch_item.batch.suggestions_id, [row], batch.codebook_id).get(item_id)
        suggestions_reveal(row, member)
        until = claimed_until(row, k_of_n=batch.k_of_n(row.batch_item.batch.people_added))
        tag = tag_of(until, row.batch_item.batch.suggestions_id, member.project)
        parts = assignment_parts(row, item, batch, first_look, suggestions, lock_reason(row), until=until, tag=tag)
        return Response(AssignmentOut(parts).data)


class AssignmentSourcesView(APIView):
    @extend_schema(responses={200: SourcesOut, **READ_ERRORS})
    def get(self, request: Request, assignment_id: UUID) -> Response:
        """Return the source documents of the person's own item, with their text."""
        member = own_or_404(request, assignment_id)
        item_id = assignment_get(member, assignment_id).batch_item.item_id
        return Response(SourcesOut({"sources": sources_of([item_id], with_text=True).get(item_id, [])}).data)


class AnnotationsView(APIView):
    class Query(serializers.Serializer):
        held = TaggedIds(
            default=dict, help_text="Assignments that the sender has, as `id.tag` with commas between: not sent again."
        )

    @extend_schema(
        parameters=[Query],
        request=SubmissionIn,
        responses={200: SubmittedOut, 201: SubmittedOut, 400: ErrorBody, **WRITE_ERRORS},
    )
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Store one revision, and bring the next items. It answers 200 where the same body was stored before."""
        member = own_or_404(request, assignment_id)
        held = checked(self.Query, given_once(request.query_params))["held"]
        sent = checked(SubmissionIn, request.data)
        # The API shows no reason as null, and takes it back so.
        body = Submission(**sent | {"skip_reason": sent["skip_reason"] or ""})
        with stale_answers():
            submitted = annotation_submit(membership=member, assignment_uuid=assignment_id, body=body)
        (STORED if submitted.created else REPLAYED).inc()
        refill = window_parts(submitted.window, member, held, submitted.annotation.codebook_id)
        parts = {"submitted": submitted, "refill": refill}
        code = status.HTTP_201_CREATED if submitted.created else status.HTTP_200_OK
        return Response(SUBMITTED.to_representation(parts), status=code)


class ReleaseView(APIView):
    @extend_schema(request=None, responses={204: None, **WRITE_ERRORS})
    def post(self, request: Request, assignment_id: UUID) -> Response:
        """Give a claimed, unanswered item back."""
        claim_release(membership=own_or_404(request, assignment_id), assignment_uuid=assignment_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
