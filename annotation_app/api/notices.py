"""Serve what waits for the signed-in person in all their projects."""

from django.db import transaction
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import person
from annotation_app.api.errors import ErrorBody
from annotation_app.api.inputs import MOST_BIG, checked
from annotation_app.dashboards.notice_mails import notice_mails_off
from annotation_app.dashboards.notices import KINDS, MOST_NOTICES, notices_of, notices_read
from annotation_app.models import Batch


class NoticeOut(serializers.Serializer):
    project = serializers.UUIDField()
    project_name = serializers.CharField()
    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=KINDS)
    level = serializers.IntegerField(help_text="Reading it up to this level is stored; a higher one is unread again.")
    n = serializers.IntegerField(help_text="How many flags, messages or items it is about.")
    number = serializers.IntegerField(allow_null=True, help_text="Of the batch, round or release.")
    batch = serializers.ChoiceField(choices=[*Batch.Kind.choices, ("", "none")])
    at = serializers.DateTimeField(allow_null=True)
    unread = serializers.BooleanField()


class NoticesView(APIView):
    class NoticesOut(serializers.Serializer):
        notices = NoticeOut(many=True)

    @extend_schema(responses={200: NoticesOut, 401: ErrorBody})
    def get(self, request: Request) -> Response:
        """List what waits for the person, derived from how things stand: what is done is no longer listed."""
        return Response(self.NoticesOut({"notices": notices_of(person(request))}).data)


class NoticeMailsOffView(APIView):
    """Stop a person's mails by the link in one of them. It takes POST: programs that look at links stop nothing."""

    permission_classes = [AllowAny]

    class OffIn(serializers.Serializer):
        token = serializers.CharField(max_length=200)

    class OffOut(serializers.Serializer):
        username = serializers.CharField()

    @extend_schema(request=OffIn, responses={200: OffOut, 400: ErrorBody, 403: ErrorBody, 409: ErrorBody})
    @method_decorator(csrf_protect)
    def post(self, request: Request) -> Response:
        return Response(self.OffOut(notice_mails_off(**checked(self.OffIn, request.data))).data)


class NoticesReadView(APIView):
    class NoticesReadIn(serializers.Serializer):
        class NoticeRead(serializers.Serializer):
            project = serializers.UUIDField()
            key = serializers.CharField(max_length=80)
            level = serializers.IntegerField(min_value=0, max_value=MOST_BIG)

        read = serializers.ListField(child=NoticeRead(), allow_empty=False, max_length=MOST_NOTICES)

    @extend_schema(request=NoticesReadIn, responses={204: None, 400: ErrorBody, 401: ErrorBody, 404: ErrorBody})
    def post(self, request: Request) -> Response:
        """Note that the person has read these notices, all of them or none."""
        given = checked(self.NoticesReadIn, request.data)
        with transaction.atomic():
            for each in given["read"]:
                notices_read(user=person(request), **each)
        return Response(status=status.HTTP_204_NO_CONTENT)
