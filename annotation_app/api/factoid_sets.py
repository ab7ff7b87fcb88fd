"""Serve text sets and the phases of work on them to admins, and to everyone which lists they work on."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import found_or_404, member_or_404, memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, UPLOAD_ERRORS, ErrorBody
from annotation_app.api.factoid_lists import FactoidListHead, FactoidListOut
from annotation_app.api.inputs import checked, one_of
from annotation_app.api.parsers import BodyTooLarge, CappedForm, FormLimit
from annotation_app.factoids.consensus import consensus_draft, copied_factoids, list_started_from
from annotation_app.factoids.list_files import list_import
from annotation_app.factoids.lists import ListHead, list_view, lists_to_do, phases_shown, sets_shown
from annotation_app.factoids.pairings import pairing_propose
from annotation_app.factoids.phases import phase_close, phase_open, phase_people_add, phase_reopen
from annotation_app.factoids.sets import text_set_import, texts_add
from annotation_app.factoids.text_files import AUTO, FORMATS
from annotation_app.models import Capability, FactoidList, FactoidPhase, Membership, TextSet
from annotation_app.refusals import Invalid

# Texts are read and checked while a person waits.
MOST_BYTES = 16 * 1024**2
KINDS, STEPS = FactoidPhase.Kind.values, FactoidPhase.Step.values


class PhasePersonOut(serializers.Serializer):
    """Tell how far one list of a phase is. That of a consensus is nobody's own."""

    member = serializers.UUIDField(source="row.owner.uuid", allow_null=True, default=None)
    name = serializers.CharField(source="row.owner.user.shown_name", allow_blank=True, default="")
    list = serializers.UUIDField(source="row.uuid")
    n_factoids = serializers.IntegerField(source="progress.n_factoids")
    n_texts_done = serializers.IntegerField(
        source="progress.n_texts_done",
        help_text="In an annotation, texts where every factoid is answered; else texts with a linked sentence.",
    )
    n_items = serializers.IntegerField(source="progress.n_items")
    n_items_open = serializers.IntegerField(source="progress.n_items_open")
    done_at = serializers.DateTimeField(source="row.done_at", allow_null=True)
    last_at = serializers.DateTimeField(source="progress.last_at", allow_null=True)


class FactoidPhaseOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    number = serializers.IntegerField(source="row.number")
    kind = serializers.ChoiceField(source="row.kind", choices=FactoidPhase.Kind.choices)
    step = serializers.ChoiceField(source="row.step", choices=FactoidPhase.Step.choices)
    follows = serializers.UUIDField(source="row.follows.uuid", allow_null=True, default=None)
    given_version = serializers.IntegerField(source="row.given.version", allow_null=True, default=None)
    opened_at = serializers.DateTimeField(source="row.opened_at")
    closed_at = serializers.DateTimeField(source="row.closed_at", allow_null=True)
    n_texts = serializers.IntegerField(help_text="Texts that it is about: those that were added later do not count.")
    people = PhasePersonOut(many=True)


class ListVersionOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    version = serializers.IntegerField(source="row.version")
    published_at = serializers.DateTimeField(source="row.published_at")
    n_factoids = serializers.IntegerField()


class ListDraftOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    revision = serializers.IntegerField(source="row.revision")
    created_at = serializers.DateTimeField(source="row.created_at")
    n_factoids = serializers.IntegerField()


class TextSetOut(serializers.Serializer):
    id = serializers.UUIDField(source="row.uuid")
    name = serializers.CharField(source="row.name")
    n_texts = serializers.IntegerField()
    n_sentences = serializers.IntegerField()
    phases = FactoidPhaseOut(many=True)
    consensus = ListVersionOut(many=True, help_text="Published lists, by version.")
    drafts = ListDraftOut(many=True)


class ListToDoOut(serializers.Serializer):
    list = serializers.UUIDField(source="row.uuid")
    set = serializers.CharField(source="row.text_set.name")
    kind = serializers.ChoiceField(source="row.phase.kind", choices=FactoidPhase.Kind.choices)
    step = serializers.ChoiceField(source="row.phase.step", choices=FactoidPhase.Step.choices)
    phase_number = serializers.IntegerField(source="row.phase.number")
    n_texts = serializers.IntegerField(source="row.n_texts", help_text="Texts of the set.")
    n_factoids = serializers.IntegerField(source="progress.n_factoids")
    n_answers = serializers.IntegerField(
        source="progress.n_answers", help_text="In an annotation, of n_factoids times n_texts."
    )
    n_items = serializers.IntegerField(source="progress.n_items")
    n_items_open = serializers.IntegerField(source="progress.n_items_open")
    done_at = serializers.DateTimeField(source="row.done_at", allow_null=True)


class TextSetsOut(serializers.Serializer):
    sets = TextSetOut(many=True, help_text="Their phases and lists are shown to admins alone.")
    mine = ListToDoOut(many=True, help_text="Lists of open phases that the reader works on.")


class TextFilesIn(serializers.Serializer):
    files = serializers.ListField(
        # The reading names an empty file.
        child=serializers.FileField(allow_empty_file=True),
        allow_empty=False,
        max_length=10_000,
    )
    format = one_of(*FORMATS, default=AUTO)


class TextSetIn(TextFilesIn):
    name = serializers.CharField(max_length=200)


class TextsIn(TextFilesIn):
    is_system = serializers.BooleanField(default=False, help_text="A system wrote them: they have no vote in weights.")


class ListFileIn(serializers.Serializer):
    file = serializers.FileField()
    phase = serializers.UUIDField()
    member = serializers.UUIDField()


class PhaseIn(serializers.Serializer):
    kind = one_of(*KINDS)
    step = one_of(*STEPS, default=FactoidPhase.Step.INDEPENDENT)
    members = serializers.ListField(child=serializers.UUIDField(), max_length=1_000, default=list)
    given = serializers.UUIDField(allow_null=True, default=None, help_text="A published list, in an annotation.")
    follows = serializers.UUIDField(allow_null=True, default=None, help_text="The closed phase that it goes on from.")


class PeopleIn(serializers.Serializer):
    members = serializers.ListField(child=serializers.UUIDField(), max_length=1_000, allow_empty=False)


class ConsensusIn(serializers.Serializer):
    pairing = serializers.UUIDField(allow_null=True, default=None)

    def get_fields(self) -> dict[str, serializers.Field]:
        # `from` is no name of an attribute.
        start = serializers.UUIDField(
            allow_null=True, default=None, help_text="A list to copy; null starts with an empty draft."
        )
        return {**super().get_fields(), "from": start}


def set_of_my_project(request: Request, text_set_id: UUID) -> TextSet:
    return found_or_404(request, TextSet.objects.all(), text_set_id)


def phase_of_my_project(request: Request, phase_id: UUID) -> FactoidPhase:
    rows = FactoidPhase.objects.select_related("text_set__project", "given", "follows__follows")
    row = rows.filter(uuid=phase_id, text_set__project__in=memberships(request).values("project_id")).first()
    if row is None:
        raise Http404
    set_of_my_project(request, row.text_set.uuid)
    return row


def form_of_files(request: Request, shape: type[serializers.Serializer], field: str) -> dict[str, Any]:
    """Return the fields of a form with files. Raises Invalid where no form was sent, and BodyTooLarge."""
    try:
        sent = request.data
    except UnsupportedMediaType as error:
        raise Invalid({field: ["Send the file as multipart/form-data."]}) from error
    return checked(shape, sent)


class FilesView(APIView):
    parser_classes = [CappedForm]
    field = "files"

    def form_limit(self) -> FormLimit:
        return MOST_BYTES, (self.field,), "split the text set"

    def given(self, request: Request, shape: type[serializers.Serializer]) -> dict[str, Any]:
        fields = form_of_files(request, shape, self.field)
        files = fields["files"] if self.field == "files" else [fields["file"]]
        if sum(file.size for file in files) > MOST_BYTES:
            raise BodyTooLarge(*self.form_limit())
        return fields


def serialize_set(row: TextSet, member: Membership) -> dict[str, Any]:
    return dict(TextSetOut(sets_shown(TextSet.objects.filter(pk=row.pk), member)[0]).data)


def serialize_phase(phase: FactoidPhase) -> dict[str, Any]:
    (shown,) = phases_shown(FactoidPhase.objects.filter(pk=phase.pk))[phase.text_set_id]
    return dict(FactoidPhaseOut(shown).data)


def manager_of(request: Request, text_set: TextSet) -> Membership:
    return member_or_404(request, text_set.project.uuid, Capability.MANAGE)


class TextSetsView(FilesView):
    @extend_schema(responses={200: TextSetsOut, 401: ErrorBody, 404: ErrorBody})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the project's text sets, and the lists of open phases that the person works on."""
        member = member_or_404(request, project_id)
        sets = TextSet.objects.filter(project=member.project)
        shown = sets_shown(sets, member) if member.may(Capability.RESOLVE) else []
        return Response(TextSetsOut({"sets": shown, "mine": lists_to_do(member)}).data)

    @extend_schema(
        request={"multipart/form-data": TextSetIn},
        responses={201: TextSetOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, project_id: UUID) -> Response:
        """Import a text set: one JSON Lines or CSV file, or plain texts. All faults are named at once."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        row = text_set_import(project=member.project, actor=person(request), **self.given(request, TextSetIn))
        return Response(serialize_set(row, member), status=status.HTTP_201_CREATED)


class SetTextsView(FilesView):
    @extend_schema(
        request={"multipart/form-data": TextsIn},
        responses={201: TextSetOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, text_set_id: UUID) -> Response:
        """Add texts to a set. Once people worked on it, only a system's texts can be added."""
        row = set_of_my_project(request, text_set_id)
        texts_add(text_set=row, actor=person(request), **self.given(request, TextsIn))
        return Response(serialize_set(row, manager_of(request, row)), status=status.HTTP_201_CREATED)


class SetListsView(FilesView):
    field = "file"

    @extend_schema(
        request={"multipart/form-data": ListFileIn},
        responses={201: FactoidListHead, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS, **UPLOAD_ERRORS},
    )
    def post(self, request: Request, text_set_id: UUID) -> Response:
        """Import a factoid list into a member's list, on which nobody has worked yet."""
        text_set = set_of_my_project(request, text_set_id)
        fields = self.given(request, ListFileIn)
        upload = fields.pop("file")
        row = list_import(
            text_set=text_set, actor=person(request), data=upload.read(), filename=upload.name or "list", **fields
        )
        head = ListHead(row, manager_of(request, text_set))
        return Response(FactoidListHead(head).data, status=status.HTTP_201_CREATED)


class SetPhasesView(APIView):
    @extend_schema(request=PhaseIn, responses={201: FactoidPhaseOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, text_set_id: UUID) -> Response:
        """Open a phase: an independent one for chosen people, a second look, or a consensus."""
        text_set = set_of_my_project(request, text_set_id)
        phase = phase_open(text_set=text_set, actor=person(request), **checked(PhaseIn, request.data))
        return Response(serialize_phase(phase), status=status.HTTP_201_CREATED)


class PhaseActView(APIView):
    """Close a phase or reopen it; the path says which."""

    service: Callable[..., FactoidPhase]

    @extend_schema(request=None, responses={200: FactoidPhaseOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, phase_id: UUID) -> Response:
        phase = type(self).service(phase=phase_of_my_project(request, phase_id), actor=person(request))
        return Response(serialize_phase(phase))


class PhaseCloseView(PhaseActView):
    """Close a phase: its lists never change any more."""

    service = staticmethod(phase_close)


class PhaseReopenView(PhaseActView):
    """Let people go on with a closed phase from which nothing was made yet."""

    service = staticmethod(phase_reopen)


class PhasePeopleView(APIView):
    @extend_schema(request=PeopleIn, responses={200: FactoidPhaseOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, phase_id: UUID) -> Response:
        """Give more people a list in an open independent phase."""
        phase = phase_of_my_project(request, phase_id)
        phase = phase_people_add(phase=phase, actor=person(request), **checked(PeopleIn, request.data))
        return Response(serialize_phase(phase))


class SetConsensusView(APIView):
    @extend_schema(request=ConsensusIn, responses={201: FactoidListOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, text_set_id: UUID) -> Response:
        """Start a draft of a consensus list: one proposed from a pairing's relations, a copy of a list, or empty."""
        text_set = set_of_my_project(request, text_set_id)
        asked = checked(ConsensusIn, request.data)
        row = draft_made(text_set, manager_of(request, text_set), start=asked["from"], pairing=asked["pairing"])
        shown = list_view(row, manager_of(request, text_set))
        return Response(FactoidListOut(shown).data, status=status.HTTP_201_CREATED)


def draft_made(text_set: TextSet, member: Membership, *, start: UUID | None, pairing: UUID | None) -> FactoidList:
    if start is not None and pairing is not None:
        raise Invalid({"from": ["Start from a list or from a pairing: leave one of them out."]})
    if pairing is not None:
        return pairing_propose(text_set=text_set, member=member, pairing=pairing)
    source = None if start is None else list_started_from(text_set, start, member)
    factoids = {} if source is None else copied_factoids(source)
    return consensus_draft(text_set=text_set, actor=member.user, factoids=factoids, started_from=source)
