"""Serve the strings of settled spans with their places, and suggestions of which are alike."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.api.access import member_or_404, person
from annotation_app.api.equivalence import evaluation_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import QueryInteger, checked, given_once, one_of
from annotation_app.equivalence.categories import categories_of, category_named
from annotation_app.equivalence.content import MEMBER_LENGTH
from annotation_app.equivalence.listing import strings_listed, suggestions_by_vectors, suggestions_by_words
from annotation_app.equivalence.services import content_of
from annotation_app.equivalence.strings import Reader, places_page, strings_reveal
from annotation_app.equivalence.suggestions import LEAST_SHARED
from annotation_app.equivalence.vectors import LEAST_COSINE, STATES, vectors_start
from annotation_app.models import Capability
from annotation_app.refusals import Refused

BY = ("words", "vectors")


class EquivalenceStringOut(serializers.Serializer):
    text = serializers.CharField()
    n = serializers.IntegerField()
    class_key = serializers.UUIDField(allow_null=True)


class EquivalenceUnusedOut(serializers.Serializer):
    text = serializers.CharField()
    class_key = serializers.UUIDField()


class EquivalenceStringsOut(serializers.Serializer):
    strings = EquivalenceStringOut(many=True, help_text="The most frequent first, then by text.")
    unused = EquivalenceUnusedOut(many=True, help_text="Members that no settled span has which the reader may see.")
    n_spans = serializers.IntegerField()
    n_without_part = serializers.IntegerField(help_text="Spans without a comment, where comments are tested.")
    hidden_items = serializers.IntegerField()


class EquivalencePlaceOut(serializers.Serializer):
    item = serializers.UUIDField()
    item_id = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    words = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    batch = serializers.IntegerField(help_text="The number of its round.")


class EquivalencePlacesOut(serializers.Serializer):
    places = EquivalencePlaceOut(many=True)
    n = serializers.IntegerField()
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class EquivalencePairOut(serializers.Serializer):
    text = serializers.CharField(help_text="A string that is in no class.")
    other = serializers.CharField()
    score = serializers.FloatField(
        help_text=f"Weight of the shared words of all words, from {LEAST_SHARED} on; or a cosine, from {LEAST_COSINE}."
    )
    shared = serializers.ListField(child=serializers.CharField(), help_text="The words that both have.")
    class_key = serializers.UUIDField(allow_null=True, help_text="The class of `other`.")


class EquivalenceSuggestionsOut(serializers.Serializer):
    state = serializers.ChoiceField(choices=STATES, help_text="Of the latest job; by words it is always ready.")
    failure = serializers.CharField(allow_blank=True)
    encoder = serializers.CharField(allow_blank=True)
    n_new = serializers.IntegerField(help_text="Strings that came after the job, and have no suggestion by vectors.")
    pairs = EquivalencePairOut(many=True)


class ByIn(serializers.Serializer):
    by = one_of(*BY, default="words")


class EquivalenceStringsView(APIView):
    @extend_schema(responses={200: EquivalenceStringsOut, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Return all strings that settled spans have as the tested part, with their classes."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        listed = strings_listed(row, member)
        # The serializer describes this shape. It takes a second for ten thousand strings.
        return Response({**vars(listed), "unused": [{"text": text, "class_key": key} for text, key in listed.unused]})


class EquivalencePlacesView(APIView):
    class Input(serializers.Serializer):
        text = serializers.CharField(max_length=MEMBER_LENGTH, trim_whitespace=False)
        page = QueryInteger(min_value=1, max_value=1_000_000, default=1)

    @extend_schema(parameters=[Input], responses={200: EquivalencePlacesOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """List the settled spans that have this string, with what stands around them, 50 a page."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        content = content_of(row)
        asked = checked(self.Input, given_once(request.query_params))
        category = category_named(content.annotation, categories_of(member.project))
        key = category.key if category else ""
        strings_reveal(member, row.uuid)
        found = places_page(Reader(member.project, member), key, content.part, asked["text"], asked["page"])
        return Response(EquivalencePlacesOut(found).data)


class EquivalenceSuggestionsView(APIView):
    @extend_schema(parameters=[ByIn], responses={200: EquivalenceSuggestionsOut, 400: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Suggest which strings are alike. Nothing is put into a class by itself."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        by = checked(ByIn, given_once(request.query_params))["by"]
        found = (suggestions_by_words if by == "words" else suggestions_by_vectors)(row, member)
        return Response(EquivalenceSuggestionsOut(found).data)

    @extend_schema(request=None, responses={200: EquivalenceSuggestionsOut, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, project_id: UUID, equivalence_id: UUID) -> Response:
        """Let the model worker compare the strings by an encoder's vectors."""
        member = member_or_404(request, project_id, Capability.GROUP)
        row = evaluation_or_404(member, equivalence_id)
        content = content_of(row)
        category = category_named(content.annotation, categories_of(member.project))
        if category is None:
            raise Refused("no_strings", f"The codebook has no category {content.annotation}, so there are no strings.")
        given: dict[str, Any] = {"category": category.key, "part": content.part}
        vectors_start(project=member.project, actor=person(request), **given)
        return Response(EquivalenceSuggestionsOut(suggestions_by_vectors(row, member)).data)
