"""Serve evaluations of equivalence classes: a page's overview, one evaluation, its changes and its reviews."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.equivalence.evaluations import PARTS
from annotation_app.annotation.revisions import Stale
from annotation_app.api.access import member_or_404, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import MOST, QueryInteger, checked, one_of
from annotation_app.equivalence.content import MEMBER_LENGTH, NAME_LENGTH, ClassContent, Content
from annotation_app.equivalence.selectors import (
    REVIEW_STATES,
    evaluation_shown,
    hidden_check,
    overview,
    revisions_page,
)
from annotation_app.equivalence.services import (
    ACTION_LENGTH,
    class_review,
    evaluation_create,
    evaluation_put_back,
    evaluation_remove,
    evaluation_restore,
    evaluation_save,
    evaluation_undo,
)
from annotation_app.models import Capability, EquivalenceEvaluation, EquivalenceReview, Membership
from annotation_app.refusals import NotYours, Refused

DECISIONS = EquivalenceReview.Decision.values
NOTE_LENGTH = 10_000


class EquivalenceSummary(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    category = serializers.CharField(
        source="category_key", help_text="Its key; the name in the file where the codebook has no such category."
    )
    name = serializers.CharField(source="content.name")
    part = serializers.ChoiceField(source="content.part", choices=PARTS)
    in_depth = serializers.BooleanField(source="content.in_depth")
    revision = serializers.IntegerField(source="row.revision")
    n_classes = serializers.IntegerField()
    n_members = serializers.IntegerField()
    n_unused = serializers.IntegerField(help_text="Strings that no settled span has which the reader may see.")
    n_validated = serializers.IntegerField()
    n_returned = serializers.IntegerField()
    left_out = serializers.CharField(allow_blank=True, help_text="Why it gives no instance; empty where it does.")
    updated_at = serializers.DateTimeField(source="latest.made_at")
    updated_by = serializers.CharField(source="latest.made_by.shown_name")


class EquivalenceClassReview(serializers.Serializer):
    state = serializers.ChoiceField(choices=REVIEW_STATES, help_text="changed: since it was validated or returned.")
    note = serializers.CharField(allow_blank=True)
    by = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class EquivalenceClassIn(serializers.Serializer):
    key = serializers.UUIDField(help_text="The same through all revisions; a new class has a new one.")
    name = serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=NAME_LENGTH, default="")
    members = serializers.ListField(
        child=serializers.CharField(allow_blank=True, trim_whitespace=False, max_length=MEMBER_LENGTH)
    )


class EquivalenceClassOut(serializers.Serializer):
    key = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True)
    members = serializers.ListField(child=serializers.CharField())
    review = EquivalenceClassReview()


class EquivalenceEvaluationOut(EquivalenceSummary):
    classes = EquivalenceClassOut(many=True)
    undo_to = serializers.IntegerField(
        source="latest.undo_to", allow_null=True, help_text="The revision that an undo goes back to."
    )
    removed_at = serializers.DateTimeField(source="row.removed_at", allow_null=True)


class EquivalenceCategory(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    color = serializers.CharField()
    has_comment = serializers.BooleanField()
    n_spans = serializers.IntegerField()


class EquivalenceOverview(serializers.Serializer):
    can_group = serializers.BooleanField()
    can_validate = serializers.BooleanField()
    can_manage = serializers.BooleanField()
    parts = serializers.ListField(child=serializers.ChoiceField(choices=PARTS))
    categories = EquivalenceCategory(many=True)
    evaluations = EquivalenceSummary(many=True)
    removed = EquivalenceSummary(many=True)
    hidden_items = serializers.IntegerField(
        help_text="Settled items whose spans the reader does not see, since answers about them can still change."
    )


class EquivalenceRevisionOut(serializers.Serializer):
    number = serializers.IntegerField()
    action = serializers.CharField()
    by = serializers.CharField(source="made_by.shown_name")
    at = serializers.DateTimeField(source="made_at")


class EquivalenceRevisionsOut(serializers.Serializer):
    revisions = EquivalenceRevisionOut(many=True)
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class EquivalenceEvaluationIn(serializers.Serializer):
    category = serializers.CharField(max_length=64)
    name = serializers.CharField(max_length=NAME_LENGTH)
    part = one_of(*PARTS)
    in_depth = serializers.BooleanField(default=False)
    client_id = serializers.UUIDField()


class EquivalenceBaseIn(serializers.Serializer):
    base_revision = serializers.IntegerField(min_value=0, max_value=MOST)
    client_id = serializers.UUIDField()


class EquivalenceChangeIn(EquivalenceBaseIn):
    action = serializers.CharField(max_length=ACTION_LENGTH, allow_blank=True, default="")
    name = serializers.CharField(max_length=NAME_LENGTH)
    part = one_of(*PARTS)
    in_depth = serializers.BooleanField()
    classes = EquivalenceClassIn(many=True)


class EquivalenceRestoreIn(EquivalenceBaseIn):
    revision = serializers.IntegerField(min_value=1, max_value=MOST)


class EquivalenceReviewIn(serializers.Serializer):
    class_key = serializers.UUIDField()
    decision = one_of(*DECISIONS)
    note = serializers.CharField(max_length=NOTE_LENGTH, allow_blank=True, default="")
    revision = serializers.IntegerField(min_value=1, max_value=MOST)
    client_id = serializers.UUIDField()


class EquivalenceConflict(serializers.Serializer):
    """Say why a change is not possible now; `current` comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=["stale", "client_id_reused", "removed", "nothing_to_undo", "archived"])
    current = EquivalenceEvaluationOut(required=False)


CHANGE_ERRORS = {400: ErrorBody, 409: EquivalenceConflict, **ADMIN_ERRORS}


def evaluation_or_404(member: Membership, evaluation_id: UUID) -> EquivalenceEvaluation:
    rows = member.project.equivalence_evaluations.select_related("project")
    row = rows.filter(uuid=evaluation_id).first()
    if row is None:
        raise NotYours
    hidden_check(row, member)
    return row


def serialize_evaluation(row: EquivalenceEvaluation, member: Membership) -> dict[str, Any]:
    return dict(EquivalenceEvaluationOut(evaluation_shown(row, member)).data)


@contextmanager
def stale_evaluation(row: EquivalenceEvaluation, member: Membership) -> Iterator[None]:
    """Send the evaluation as it is now to a browser that worked from an older one."""
    try:
        yield
    except Stale as error:
        raise Refused("stale", str(error), current=serialize_evaluation(row, member)) from error


class EquivalenceView(APIView):
    @extend_schema(operation_id="projects_equivalence_overview", responses={200: EquivalenceOverview, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return the evaluations of equivalence classes, and what the page about them offers."""
        member = member_or_404(request, project_id, Capability.GROUP)
        return Response(EquivalenceOverview(overview(member)).data)

    @extend_schema(
        request=EquivalenceEvaluationIn,
        responses={201: EquivalenceEvaluationOut, **CHANGE_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Create an evaluation without classes."""
        member = member_or_404(request, project_id, Capability.GROUP)
        given = checked(EquivalenceEvaluationIn, request.data)
        row = evaluation_create(project=member.project, actor=person(request), **given)
        return Response(serialize_evaluation(row, member), status=status.HTTP_201_CREATED)


class EquivalenceEvaluationView(APIView):
    @extend_schema(responses={200: EquivalenceEvaluationOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Return an evaluation with its classes and their reviews."""
        member = member_or_404(request, project_id, Capability.GROUP)
        return Response(serialize_evaluation(evaluation_or_404(member, equivalence_id), member))

    @extend_schema(request=EquivalenceChangeIn, responses={200: EquivalenceEvaluationOut, **CHANGE_ERRORS})
    def put(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Store all of an evaluation as its next revision."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        given = checked(EquivalenceChangeIn, request.data)
        classes = tuple(
            ClassContent(str(each["key"]), each["name"].strip(), tuple(each["members"]))
            for each in given.pop("classes")
        )
        content = Content("", given.pop("name"), given.pop("part"), given.pop("in_depth"), classes)
        with stale_evaluation(row, member):
            row = evaluation_save(row=row, actor=person(request), content=content, **given)
        return Response(serialize_evaluation(row, member))


class EquivalenceUndoView(APIView):
    @extend_schema(request=EquivalenceBaseIn, responses={200: EquivalenceEvaluationOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Undo the latest change that is not undone yet; again and again back to the beginning."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        given = checked(EquivalenceBaseIn, request.data)
        with stale_evaluation(row, member):
            row = evaluation_undo(row=row, actor=person(request), **given)
        return Response(serialize_evaluation(row, member))


class EquivalenceRestoreView(APIView):
    @extend_schema(request=EquivalenceRestoreIn, responses={200: EquivalenceEvaluationOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Store an earlier revision again. A redo is this, with the revision that was undone."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        given = checked(EquivalenceRestoreIn, request.data)
        with stale_evaluation(row, member):
            row = evaluation_restore(row=row, actor=person(request), **given)
        return Response(serialize_evaluation(row, member))


class EquivalenceRevisionsView(APIView):
    class Input(serializers.Serializer):
        page = QueryInteger(min_value=1, max_value=1_000_000, default=1)

    @extend_schema(parameters=[Input], responses={200: EquivalenceRevisionsOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """List an evaluation's revisions, the newest first, 50 a page."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        page = checked(self.Input, request.query_params)["page"]
        return Response(EquivalenceRevisionsOut(revisions_page(row, page)).data)


class EquivalenceReviewsView(APIView):
    @extend_schema(request=EquivalenceReviewIn, responses={200: EquivalenceEvaluationOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Validate a class as it stood in a revision, return it with a note, or take this back."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        row = evaluation_or_404(member, equivalence_id)
        given = checked(EquivalenceReviewIn, request.data)
        with stale_evaluation(row, member):
            row = class_review(row=row, actor=person(request), **given)
        return Response(serialize_evaluation(row, member))


class EquivalenceActView(APIView):
    """Remove an evaluation or put it back; the path says which."""

    service: Callable[..., EquivalenceEvaluation]

    @extend_schema(request=None, responses={200: EquivalenceEvaluationOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        member = member_or_404(request, project_id, Capability.MANAGE)
        row = evaluation_or_404(member, equivalence_id)
        row = type(self).service(row=row, actor=person(request))
        return Response(serialize_evaluation(row, member))


class EquivalenceRemoveView(EquivalenceActView):
    """Remove an evaluation from the list. It can be put back."""

    service = staticmethod(evaluation_remove)


class EquivalencePutBackView(EquivalenceActView):
    """Put a removed evaluation back."""

    service = staticmethod(evaluation_put_back)
