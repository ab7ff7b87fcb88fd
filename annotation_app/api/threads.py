"""Serve flags' threads to who flagged, take messages from both sides, and serve the notes beside the codebook."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.annotation.threads import (
    MESSAGE_LENGTH,
    codebook_notes,
    message_write,
    note_publish,
    note_withdraw,
    thread_read,
)
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import MOST, QueryInteger, checked
from annotation_app.dashboards.threads import flagged_assignments, own_flags
from annotation_app.models import Batch, Capability, CodebookNote, Membership

CHANGE_ERRORS = {400: ErrorBody, **ADMIN_ERRORS, 409: ErrorBody}


class ThreadMessageOut(serializers.Serializer):
    id = serializers.UUIDField()
    who = serializers.CharField()
    is_asker = serializers.BooleanField(help_text="By the person who flagged.")
    words = serializers.CharField()
    is_note = serializers.BooleanField(help_text="Published to everybody who labels too.")
    created_at = serializers.DateTimeField()


class OwnFlagOut(serializers.Serializer):
    id = serializers.UUIDField()
    assignment = serializers.UUIDField()
    words = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    batch_kind = serializers.ChoiceField(choices=Batch.Kind.choices)
    batch_number = serializers.IntegerField()
    text = serializers.CharField()
    resolved = serializers.BooleanField()
    unread = serializers.IntegerField(help_text="Messages by others that the person has not seen.")
    final = serializers.BooleanField(help_text="The answer to the item can't be changed any more.")
    messages = ThreadMessageOut(many=True)


class OwnFlagsOut(serializers.Serializer):
    flags = OwnFlagOut(many=True)
    n = serializers.IntegerField()
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class OwnFlagsView(APIView):
    class Input(serializers.Serializer):
        assignment = serializers.UUIDField(required=False, default=None, allow_null=True)
        page = QueryInteger(min_value=1, max_value=1_000_000, default=1)

    @extend_schema(parameters=[Input], responses={200: OwnFlagsOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the person's own flags with their threads, 25 a page; those whose threads moved last come first."""
        member = member_or_404(request, project_id, Capability.RATE)
        return Response(OwnFlagsOut(own_flags(member, **checked(self.Input, request.query_params))).data)


class FlaggedItemsView(APIView):
    class FlaggedOut(serializers.Serializer):
        assignments = serializers.ListField(child=serializers.UUIDField())

    @extend_schema(responses={200: FlaggedOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the person's own assignments that they flagged, so that a page asks for the threads of those alone."""
        member = member_or_404(request, project_id, Capability.RATE)
        return Response(self.FlaggedOut({"assignments": flagged_assignments(member)}).data)


class ThreadMessagesView(APIView):
    class MessageIn(serializers.Serializer):
        client_id = serializers.UUIDField()
        words = serializers.CharField(max_length=MESSAGE_LENGTH)

    @extend_schema(request=MessageIn, responses={201: None, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID, flag_id: UUID) -> Response:
        """Write into a flag's thread, as the person who flagged or as an admin."""
        member = member_or_404(request, project_id)
        message_write(membership=member, flag_uuid=flag_id, **checked(self.MessageIn, request.data))
        return Response(status=status.HTTP_201_CREATED)


class ThreadReadView(APIView):
    class ReadIn(serializers.Serializer):
        n_seen = serializers.IntegerField(min_value=0, max_value=MOST)

    @extend_schema(request=ReadIn, responses={204: None, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID, flag_id: UUID) -> Response:
        """Note that the person has seen the first messages of a flag's thread, and the flag."""
        member = member_or_404(request, project_id)
        thread_read(membership=member, flag_uuid=flag_id, **checked(self.ReadIn, request.data))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CodebookNoteOut(serializers.Serializer):
    id = serializers.UUIDField(source="uuid")
    words = serializers.CharField()
    stage = serializers.CharField(allow_blank=True, help_text="The key of a stage; empty for the whole codebook.")
    version = serializers.IntegerField(source="codebook.version", help_text="It holds for later versions too.")
    published_at = serializers.DateTimeField()
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    published_by = serializers.SerializerMethodField(help_text="Null for who does not manage the project.")

    def get_published_by(self, note: CodebookNote) -> str | None:
        member: Membership = self.context["member"]
        return note.published_by.user.shown_name if member.may(Capability.MANAGE) else None


class CodebookNotesView(APIView):
    class NoteIn(serializers.Serializer):
        words = serializers.CharField(max_length=MESSAGE_LENGTH)
        stage = serializers.CharField(max_length=100, default="", allow_blank=True)
        codebook = serializers.UUIDField(required=False, default=None, allow_null=True)
        flag = serializers.UUIDField(required=False, default=None, allow_null=True)
        client_id = serializers.UUIDField(required=False, default=None, allow_null=True)

    @extend_schema(responses={200: CodebookNoteOut(many=True), 401: ErrorBody, 404: ErrorBody})
    def get(self, request: Request, project_id: UUID) -> Response:
        """List the notes beside the codebook, newest first; withdrawn ones to admins only."""
        member = member_or_404(request, project_id)
        return Response(CodebookNoteOut(codebook_notes(member), many=True, context={"member": member}).data)

    @extend_schema(request=NoteIn, responses={201: CodebookNoteOut, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID) -> Response:
        """Publish a note to everybody who labels, on its own or as the answer to a flag."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        given = checked(self.NoteIn, request.data)
        note = note_publish(
            membership=member,
            words=given["words"],
            stage=given["stage"],
            codebook_uuid=given["codebook"],
            flag_uuid=given["flag"],
            client_id=given["client_id"],
        )
        return Response(CodebookNoteOut(note, context={"member": member}).data, status=status.HTTP_201_CREATED)


class CodebookNoteWithdrawView(APIView):
    @extend_schema(request=None, responses={204: None, **CHANGE_ERRORS})
    def post(self, request: Request, project_id: UUID, note_id: UUID) -> Response:
        """Take a note away from those who label."""
        member = member_or_404(request, project_id, Capability.MANAGE)
        note_withdraw(membership=member, note_uuid=note_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
