"""Serve practice: what admins set up, and what annotators go through."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import MOST, Answers, checked, spec_sent
from annotation_app.api.items import BuiltItem, serialize_items
from annotation_app.api.labelling import READ_ERRORS, WRITE_ERRORS
from annotation_app.api.windows import AssignmentCodebookOut
from annotation_app.assignment.practice import PracticeState, attempt_begin, own_standings
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import Capability, Practice, Project
from annotation_app.refusals import NotYours
from annotation_app.rounds.practice import (
    EXPLANATION_LENGTH,
    PracticeItemsSpec,
    PracticeSpec,
    practice_change,
    practice_close,
    practice_create,
    practice_item_remove,
    practice_items,
    practice_items_add,
    practice_key_set,
    practice_open,
    practice_remove,
    practice_views,
)


class AttemptOut(serializers.Serializer):
    number = serializers.IntegerField()
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    right = serializers.IntegerField()
    passed = serializers.BooleanField(source="has_passed")


class StandingOut(serializers.Serializer):
    standing = serializers.ChoiceField(source="state", choices=[str(state) for state in PracticeState])
    attempts_left = serializers.IntegerField()
    attempts = AttemptOut(many=True)


class PracticePersonOut(StandingOut):
    id = serializers.UUIDField(source="member.uuid")
    display_name = serializers.CharField(source="member.user.shown_name")


class PracticeOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    title = serializers.CharField(source="row.title")
    pass_mark = serializers.IntegerField(source="row.pass_mark", help_text="Percent of the items.")
    attempts = serializers.IntegerField(source="row.attempts")
    is_required = serializers.BooleanField(
        source="row.is_required", help_text="Only who passed may be chosen for a round."
    )
    opened_at = serializers.DateTimeField(source="row.opened_at", allow_null=True)
    closed_at = serializers.DateTimeField(source="row.closed_at", allow_null=True)
    n_items = serializers.IntegerField()
    n_keys = serializers.IntegerField(help_text="Items that have a key.")
    n_checks = serializers.IntegerField(
        help_text="Keys that check items can be drawn from; 0 once it was opened, or with another codebook version."
    )
    people = PracticePersonOut(many=True, help_text="Everybody who may annotate; none before it is opened.")


class PracticesOut(serializers.Serializer):
    practices = PracticeOut(many=True)


class PracticeItemOut(serializers.Serializer):
    item = BuiltItem()
    answers = serializers.DictField(
        child=serializers.CharField(), allow_null=True, help_text="The key; null where it is not written yet."
    )
    explanation = serializers.CharField(allow_blank=True)
    explanations = serializers.DictField(child=serializers.CharField(), help_text="By stage of the key.")
    version = serializers.IntegerField(help_text="To be sent with the next key as `base_version`; 0 without a key.")


class PracticeDetailOut(serializers.Serializer):
    practice = PracticeOut()
    codebook = AssignmentCodebookOut()
    items = PracticeItemOut(many=True)


class PracticeItemsAddedOut(PracticeDetailOut):
    added = serializers.IntegerField(help_text="Items that came; fewer than `size` where there are no more.")


class OwnPracticeOut(StandingOut):
    id = serializers.UUIDField(source="practice.uuid")
    title = serializers.CharField(source="practice.title")
    pass_mark = serializers.IntegerField(source="practice.pass_mark")
    is_required = serializers.BooleanField(source="practice.is_required")
    may_begin = serializers.BooleanField()


class OwnPracticesOut(serializers.Serializer):
    practices = OwnPracticeOut(many=True)


def serialize_practices(project: Project) -> Response:
    return Response(PracticesOut({"practices": practice_views(project)}).data)


def practice_of_my_project(request: Request, practice_id: UUID) -> Practice:
    return found_or_404(request, Practice.objects.all(), practice_id)


def serialize_practice(practice: Practice) -> Response:
    return Response(PracticeDetailOut(told_of(practice)).data)


def told_of(practice: Practice) -> dict[str, Any]:
    rows = list(practice_items(practice))
    items = serialize_items([row.item_id for row in rows], practice.project)
    return {
        "practice": next(view for view in practice_views(practice.project) if view.row.pk == practice.pk),
        "codebook": pinned_codebook(practice.batch.codebook_id),
        "items": [
            {
                "item": items[row.item_id],
                "answers": key.answers if key else None,
                "explanation": key.explanation if key else "",
                "explanations": key.explanations if key else {},
                "version": key.version if key else 0,
            }
            for row in rows
            for key in [getattr(row, "known_answer", None)]
        ],
    }


class PracticesView(APIView):
    @extend_schema(responses={200: PracticesOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the practices, the newest first, with how everybody stands in them."""
        return serialize_practices(member_or_404(request, project_id, Capability.MANAGE).project)

    @extend_schema(
        request=PracticeSpec, responses={201: PracticeDetailOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Make a practice without items."""
        project = member_or_404(request, project_id, Capability.MANAGE).project
        practice = practice_create(project=project, spec=spec_sent(PracticeSpec, request.data), actor=person(request))
        answer = serialize_practice(practice)
        answer.status_code = status.HTTP_201_CREATED
        return answer


class PracticeView(APIView):
    @extend_schema(responses={200: PracticeDetailOut, **ADMIN_ERRORS})
    def get(self, request: Request, practice_id: UUID) -> Response:
        """Return a practice with its items and their key."""
        return serialize_practice(practice_of_my_project(request, practice_id))

    @extend_schema(
        request=PracticeSpec, responses={200: PracticeDetailOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def put(self, request: Request, practice_id: UUID) -> Response:
        """Change title, marks and whether rounds require it; once it is open, the last of these alone."""
        practice = practice_of_my_project(request, practice_id)
        spec = spec_sent(PracticeSpec, request.data)
        return serialize_practice(practice_change(practice=practice, spec=spec, actor=person(request)))

    @extend_schema(responses={204: None, 409: ErrorBody, **ADMIN_ERRORS})
    def delete(self, request: Request, practice_id: UUID) -> Response:
        """Remove a practice that was never opened."""
        practice_remove(practice=practice_of_my_project(request, practice_id), actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class PracticeOpenView(APIView):
    @extend_schema(request=None, responses={200: PracticeDetailOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, practice_id: UUID) -> Response:
        """Offer the practice to everybody who may annotate. Its items, key and marks stay from then on."""
        practice = practice_of_my_project(request, practice_id)
        return serialize_practice(practice_open(practice=practice, actor=person(request)))


class PracticeCloseView(APIView):
    @extend_schema(request=None, responses={200: PracticeDetailOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, practice_id: UUID) -> Response:
        """Let nobody begin the practice any more."""
        practice = practice_of_my_project(request, practice_id)
        return serialize_practice(practice_close(practice=practice, actor=person(request)))


class PracticeItemsView(APIView):
    @extend_schema(
        request=PracticeItemsSpec,
        responses={200: PracticeItemsAddedOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS},
    )
    def post(self, request: Request, practice_id: UUID) -> Response:
        """Add items: named by their ids, drawn from the pool, or drawn from the adjudicated items with their key."""
        practice = practice_of_my_project(request, practice_id)
        spec = spec_sent(PracticeItemsSpec, request.data)
        member = memberships(request).get(project=practice.project_id)
        added = practice_items_add(practice=practice, spec=spec, membership=member)
        return Response(PracticeItemsAddedOut({**told_of(practice), "added": added}).data)


class PracticeItemView(APIView):
    class KeyIn(serializers.Serializer):
        answers = Answers()
        explanation = serializers.CharField(
            max_length=EXPLANATION_LENGTH, allow_blank=True, default="", trim_whitespace=False
        )
        explanations = serializers.DictField(
            child=serializers.CharField(max_length=EXPLANATION_LENGTH, allow_blank=True),
            default=dict,
            help_text="By stage of the key.",
        )
        base_version = serializers.IntegerField(
            min_value=0, max_value=MOST, allow_null=True, default=None, help_text="The version that the writer saw."
        )

    @extend_schema(request=KeyIn, responses={200: PracticeDetailOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def put(self, request: Request, practice_id: UUID, item_id: UUID) -> Response:
        """Write the key of an item, with explanations. Stages that it leaves out are not compared.

        409 `stale`: somebody wrote it after `base_version`.
        """
        practice = practice_of_my_project(request, practice_id)
        sent = checked(self.KeyIn, request.data)
        if not isinstance(sent["answers"], dict):
            raise serializers.ValidationError({"answers": ["Must be an object of stage and label keys."]})
        practice_key_set(practice=practice, item=item_id, actor=person(request), **sent)
        return serialize_practice(practice)

    @extend_schema(responses={200: PracticeDetailOut, 409: ErrorBody, **ADMIN_ERRORS})
    def delete(self, request: Request, practice_id: UUID, item_id: UUID) -> Response:
        """Take an item out of a practice that is not open yet."""
        practice = practice_of_my_project(request, practice_id)
        practice_item_remove(practice=practice, item=item_id, actor=person(request))
        return serialize_practice(practice)


class OwnPracticesView(APIView):
    @extend_schema(responses={200: OwnPracticesOut, **READ_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """Return how the person stands in each practice that was opened. Nobody sees others' results here."""
        member = member_or_404(request, project_id)
        return Response(OwnPracticesOut({"practices": own_standings(member)}).data)


class PracticeAttemptsView(APIView):
    @extend_schema(request=None, responses={201: OwnPracticesOut, **WRITE_ERRORS})
    def post(self, request: Request, practice_id: UUID) -> Response:
        """Begin an attempt: its items come next, before all others."""
        practice = Practice.objects.filter(uuid=practice_id, opened_at__isnull=False).select_related("project").first()
        if practice is None or not memberships(request).filter(project=practice.project_id).exists():
            raise NotYours
        member = member_or_404(request, practice.project.uuid)
        attempt_begin(practice=practice, membership=member)
        answer = OwnPracticesOut({"practices": own_standings(member)})
        return Response(answer.data, status=status.HTTP_201_CREATED)
