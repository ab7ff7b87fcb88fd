"""Serve factoid lists: one's own in an open phase, those of closed phases, and those of a consensus."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.revisions import Stale
from annotation_app.api.access import allowed, memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import MOST, QueryInteger, checked, one_of
from annotation_app.factoids.access import ARCHIVED, editor_needs, is_readable, list_answers_check
from annotation_app.factoids.consensus import consensus_discard, consensus_publish
from annotation_app.factoids.lists import CONSENSUS, ListHead, list_view, revisions_page
from annotation_app.factoids.progress import list_done_set
from annotation_app.factoids.revisions import list_step_store
from annotation_app.factoids.states import FactoidState
from annotation_app.factoids.steps import IMPORT, KINDS, Change, Decision, Step
from annotation_app.models import Capability, FactoidList, FactoidPhase, FactoidRevision, Membership
from annotation_app.refusals import Refused

LIST_STATES = ("open", "closed", "published")
REVISION_KINDS = (*KINDS, IMPORT)
LIST_KINDS = (*FactoidPhase.Kind.values, CONSENSUS)


class SetSentenceOut(serializers.Serializer):
    id = serializers.CharField(source="external_id")
    text = serializers.CharField()


class SetTextOut(serializers.Serializer):
    id = serializers.CharField(source="external_id")
    uuid = serializers.UUIDField()
    is_system = serializers.BooleanField()
    sentences = SetSentenceOut(many=True, source="sentences.all")


class FactoidAfter(serializers.Serializer):
    id = serializers.CharField(allow_blank=True, trim_whitespace=False)
    description = serializers.CharField(allow_blank=True, trim_whitespace=False, default="")
    sentences = serializers.ListField(child=serializers.CharField(trim_whitespace=False), help_text="Their ids.")
    absent = serializers.ListField(
        child=serializers.CharField(trim_whitespace=False),
        default=list,
        help_text="Ids of texts that it is not in, as an annotator of a given list said.",
    )


class FactoidOut(FactoidAfter):
    key = serializers.UUIDField(help_text="The same in lists that were copied from this one.")
    description = serializers.CharField(allow_blank=True)
    absent = serializers.ListField(child=serializers.CharField())


class ListOwner(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField(source="user.shown_name")


class ItemAnswerOut(serializers.Serializer):
    name = serializers.CharField()
    is_there = serializers.BooleanField()
    sentences = serializers.ListField(child=serializers.CharField())


class FactoidItemOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    key = serializers.UUIDField(source="row.key")
    text = serializers.CharField(source="row.set_text.external_id")
    was_there = serializers.BooleanField(source="row.was_there", allow_null=True)
    is_there = serializers.BooleanField(source="row.is_there", allow_null=True, help_text="Null while it is open.")
    note = serializers.CharField(source="row.note", allow_blank=True)
    decided_at = serializers.DateTimeField(source="row.decided_at", allow_null=True)
    answers = ItemAnswerOut(many=True, help_text="Everyone's, in a consensus alone.")


class NamedSet(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()


class FactoidListHead(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    kind = serializers.ChoiceField(choices=LIST_KINDS)
    step = serializers.ChoiceField(choices=FactoidPhase.Step.choices)
    phase = serializers.UUIDField(source="row.phase.uuid", allow_null=True, default=None)
    state = serializers.ChoiceField(choices=LIST_STATES)
    owner = ListOwner(allow_null=True, help_text="Shown to those who resolve, once the phase is closed.")
    revision = serializers.IntegerField(source="row.revision")
    done_at = serializers.DateTimeField(source="row.done_at", allow_null=True)
    version = serializers.IntegerField(source="row.version", allow_null=True)
    set = NamedSet(source="row.text_set")
    may_edit = serializers.BooleanField()


class FactoidListOut(FactoidListHead):
    texts = SetTextOut(many=True)
    factoids = FactoidOut(many=True, help_text="In natural order of their ids.")
    items = FactoidItemOut(many=True)


class FactoidWritten(serializers.Serializer):
    id = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    sentences = serializers.ListField(child=serializers.CharField())
    absent = serializers.ListField(child=serializers.CharField())


class FactoidChangeOut(serializers.Serializer):
    key = serializers.UUIDField()
    before = FactoidWritten(allow_null=True)
    after = FactoidWritten(allow_null=True)


class ItemAnswerWritten(serializers.Serializer):
    is_there = serializers.BooleanField(allow_null=True, help_text="Null while the item is open.")
    note = serializers.CharField(allow_blank=True)


class DecidedItemOut(serializers.Serializer):
    id = serializers.UUIDField()
    before = ItemAnswerWritten()
    after = ItemAnswerWritten()


class FactoidRevisionOut(serializers.Serializer):
    revision = serializers.IntegerField()
    kind = serializers.ChoiceField(choices=REVISION_KINDS)
    changes = FactoidChangeOut(many=True)
    item = DecidedItemOut(allow_null=True, help_text="The item that the step decided.")
    created_at = serializers.DateTimeField()


class FactoidRevisionsOut(serializers.Serializer):
    revisions = FactoidRevisionOut(many=True)
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class FactoidChangeIn(serializers.Serializer):
    key = serializers.UUIDField()
    after = FactoidAfter(allow_null=True, help_text="Null: the factoid is deleted.")


class FactoidDecisionIn(serializers.Serializer):
    id = serializers.UUIDField()
    is_there = serializers.BooleanField(allow_null=True, help_text="Null opens the item again.")
    note = serializers.CharField(allow_blank=True, trim_whitespace=False, default="")


class StepIdIn(serializers.Serializer):
    client_id = serializers.UUIDField()


class FactoidStepIn(StepIdIn):
    base_revision = serializers.IntegerField(min_value=0, max_value=MOST)
    kind = one_of(*KINDS)
    changes = FactoidChangeIn(many=True)
    item = FactoidDecisionIn(allow_null=True, default=None, required=False)


class FactoidStepOut(serializers.Serializer):
    revision = serializers.IntegerField()
    factoids = FactoidOut(many=True, help_text="Those that changed, as they are stored.")


class LatestRevision(serializers.Serializer):
    revision = serializers.IntegerField()


class FactoidStepConflict(serializers.Serializer):
    """Say why a step is not possible now; `latest` comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=["stale", "client_id_reused", "closed", "answer_first"])
    latest = LatestRevision(required=False, allow_null=True)


class DoneIn(serializers.Serializer):
    done = serializers.BooleanField()


def list_of_my_project(request: Request, list_id: UUID) -> tuple[FactoidList, Membership]:
    """Return a list of one of the person's projects, and their membership. They may still not read it."""
    mine = memberships(request)
    rows = FactoidList.objects.select_related("text_set__project", "phase__follows__follows", "owner__user")
    row = rows.filter(uuid=list_id, text_set__project__in=mine.values("project_id")).first()
    if row is None:
        raise Http404
    return row, mine.get(project=row.text_set.project_id)


def list_or_404(request: Request, list_id: UUID) -> tuple[FactoidList, Membership]:
    """Return a list that the person may read, and their membership; 404 for all else.

    It answers 409 where its answers would tell on a list of theirs that can still change.
    """
    row, member = list_of_my_project(request, list_id)
    if not is_readable(row, member):
        raise Http404
    list_answers_check(member, row)
    return row, member


def list_to_change(request: Request, list_id: UUID) -> tuple[FactoidList, Membership]:
    """Return a list that is the person's to change. Others' lists, of closed phases, are only read (404).

    An archived project takes no change, and answers the retry of a step that it stored.
    """
    row, member = list_or_404(request, list_id)
    if row.owner_id not in (None, member.pk):
        raise Http404
    if member.project.archived_at is not None and not is_stored(row, request.data):
        raise Refused("closed", ARCHIVED)
    member.writes = False  # type: ignore[attr-defined]
    return row, allowed(member, editor_needs(row))


def is_stored(row: FactoidList, sent: Any) -> bool:
    step = StepIdIn(data=sent)
    return step.is_valid() and row.revisions.filter(client_id=step.validated_data["client_id"]).exists()


def managed_list(request: Request, draft_id: UUID) -> FactoidList:
    """Return a list that an admin may read: no one's own of an open phase."""
    row, member = list_of_my_project(request, draft_id)
    allowed(member, Capability.MANAGE)
    if not is_readable(row, member):
        raise Http404
    list_answers_check(member, row)
    return row


def step_sent(sent: dict[str, Any]) -> Step:
    item = sent["item"]
    return Step(
        client_id=sent["client_id"],
        base_revision=sent["base_revision"],
        kind=sent["kind"],
        changes=[
            Change(each["key"], each["after"] and state_sent(each["key"], each["after"])) for each in sent["changes"]
        ],
        item=item and Decision(**item),
    )


def state_sent(key: UUID, sent: dict[str, Any]) -> FactoidState:
    lists = tuple(sent["sentences"]), tuple(sent["absent"])
    return FactoidState(key, sent["id"], sent["description"], *lists)


def step_stored(row: FactoidRevision) -> dict[str, Any]:
    kept = [{"key": change["key"], **change["after"]} for change in row.changes if change["after"] is not None]
    return {"revision": row.revision, "factoids": kept}


class FactoidListView(APIView):
    @extend_schema(responses={200: FactoidListOut, 401: ErrorBody, 404: ErrorBody, 409: ErrorBody})
    def get(self, request: Request, list_id: UUID) -> Response:
        """Return a factoid list with its texts and items."""
        return Response(FactoidListOut(list_view(*list_or_404(request, list_id))).data)


class FactoidRevisionsView(APIView):
    class Input(serializers.Serializer):
        page = QueryInteger(min_value=1, max_value=1_000_000, default=1)

    @extend_schema(
        parameters=[Input],
        responses={200: FactoidRevisionsOut, 400: ErrorBody, 401: ErrorBody, 404: ErrorBody, 409: ErrorBody},
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """List the steps of work on a list, the newest first, 50 a page."""
        row, _ = list_or_404(request, list_id)
        page = checked(self.Input, request.query_params)["page"]
        return Response(FactoidRevisionsOut(revisions_page(row, page)).data)

    @extend_schema(
        request=FactoidStepIn,
        responses={200: FactoidStepOut, 201: FactoidStepOut, 400: ErrorBody, 409: FactoidStepConflict, **ADMIN_ERRORS},
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Store one step of work. It answers 200 where the same body was stored before."""
        row, member = list_to_change(request, list_id)
        step = step_sent(checked(FactoidStepIn, request.data))
        with stale_list():
            stored = list_step_store(row=row, member=member, step=step)
        code = status.HTTP_201_CREATED if stored.created else status.HTTP_200_OK
        return Response(FactoidStepOut(step_stored(stored.row)).data, status=code)


@contextmanager
def stale_list() -> Iterator[None]:
    """Tell a browser that worked from an older list which revision is the latest."""
    try:
        yield
    except Stale as error:
        raise Refused("stale", str(error), latest=error.latest and LatestRevision(error.latest).data) from error


class FactoidListDoneView(APIView):
    @extend_schema(request=DoneIn, responses={200: FactoidListHead, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, list_id: UUID) -> Response:
        """Say that the work on a list is done, or take it back."""
        row, member = list_to_change(request, list_id)
        list_done_set(row=row, is_done=checked(DoneIn, request.data)["done"])
        row.refresh_from_db(fields=["done_at", "revision"])
        return Response(FactoidListHead(ListHead(row, member)).data)


class FactoidListPublishView(APIView):
    @extend_schema(request=None, responses={200: FactoidListHead, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, draft_id: UUID) -> Response:
        """Publish a draft of a consensus as the set's next version, which never changes."""
        row = managed_list(request, draft_id)
        consensus_publish(row=row, actor=person(request))
        row, member = list_or_404(request, draft_id)
        return Response(FactoidListHead(ListHead(row, member)).data)


class FactoidListDiscardView(APIView):
    @extend_schema(request=None, responses={204: None, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, draft_id: UUID) -> Response:
        """Hide a draft of a consensus that nobody needs."""
        consensus_discard(row=managed_list(request, draft_id), actor=person(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
