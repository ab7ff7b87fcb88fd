"""Serve pairings of factoid lists, and the relations that people judge."""

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.factoids.comparison import COLUMNS
from al_worker.factoids.lists import RELATIONS
from al_worker.factoids.pairing import THRESHOLD
from annotation_app.api.access import allowed, memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.factoid_lists import FactoidOut, NamedSet, SetTextOut
from annotation_app.api.inputs import checked
from annotation_app.factoids.pairing_view import NO_LINK, pairing_heads, pairing_view
from annotation_app.factoids.pairings import (
    pairing_answers_check,
    pairing_create,
    pairing_set,
    pairings_of,
    relation_judge,
)
from annotation_app.models import Capability, FactoidPairing, TextSet

DIRECTIONS = ("A->B", "A<-B", NO_LINK)


class PairedList(serializers.Serializer):
    list = serializers.UUIDField()
    name = serializers.CharField()
    phase_number = serializers.IntegerField()


class PairingHead(serializers.Serializer):
    id = serializers.UUIDField()
    first = PairedList()
    second = PairedList()
    threshold = serializers.FloatField(help_text="Least overlap of a strong link.")
    description_weight = serializers.FloatField(help_text="Share of the descriptions' words in the overlap.")
    n_judged = serializers.IntegerField()
    n_strong = serializers.IntegerField(allow_null=True, help_text="Null while the phase is open.")
    n_weak = serializers.IntegerField(allow_null=True)


class FactoidLink(serializers.Serializer):
    a = serializers.UUIDField()
    b = serializers.UUIDField()
    f = serializers.FloatField(help_text="Overlap, from 0 to 1.")
    direction = serializers.ChoiceField(
        choices=DIRECTIONS, allow_null=True, help_text="Null: a strong link. none: judged, and not linked."
    )
    relation = serializers.ChoiceField(choices=RELATIONS, allow_null=True, help_text="What a is to b.")


class UnlinkedFactoids(serializers.Serializer):
    a = serializers.ListField(child=serializers.UUIDField())
    b = serializers.ListField(child=serializers.UUIDField())


class RelationCounts(serializers.Serializer):
    def get_fields(self) -> dict[str, serializers.Field]:
        return {column: serializers.IntegerField() for column in COLUMNS}


class RelationTable(serializers.Serializer):
    def get_fields(self) -> dict[str, serializers.Field]:
        return {relation: RelationCounts() for relation in RELATIONS}


class RelationRates(serializers.Serializer):
    equal_strong = serializers.FloatField(allow_null=True, help_text="Of equal pairs: strong links.")
    equal_unlinked = serializers.FloatField(allow_null=True, help_text="Of equal pairs: no link.")
    subsumption_linked = serializers.FloatField(allow_null=True, help_text="Of subsumptions: any link.")
    strong_unrelated = serializers.FloatField(allow_null=True, help_text="Of judged strong links: unrelated.")
    weak_unrelated = serializers.FloatField(allow_null=True, help_text="Of judged weak links: unrelated.")


class PairingComparison(serializers.Serializer):
    table = RelationTable()
    rates = RelationRates()
    n_not_judged = serializers.IntegerField(help_text="Links that nobody judged.")


class PairingOut(PairingHead):
    set = NamedSet()
    texts = SetTextOut(many=True)
    first_factoids = FactoidOut(many=True)
    second_factoids = FactoidOut(many=True)
    links = FactoidLink(many=True, help_text="Strong, weak, and judged ones without a link; each by falling overlap.")
    unlinked = UnlinkedFactoids()
    comparison = PairingComparison()
    is_frozen = serializers.BooleanField()


def set_of_member(request: Request, text_set_id: UUID, needs: Capability) -> TextSet:
    """Return a text set of one of the person's projects. It answers as `member_or_404` does."""
    row = TextSet.objects.filter(project__in=memberships(request).values("project_id"), uuid=text_set_id)
    found = row.select_related("project").first()
    if found is None:
        raise Http404
    allowed(memberships(request).filter(project=found.project_id).first(), needs)
    return found


def pairing_of_member(request: Request, pairing_id: UUID, needs: Capability) -> FactoidPairing:
    """Return a pairing of one of the person's projects. It answers as `member_or_404` does."""
    of_sets = FactoidPairing.objects.filter(text_set__project__in=memberships(request).values("project_id"))
    found = of_sets.filter(uuid=pairing_id).select_related("text_set__project").first()
    if found is None:
        raise Http404
    allowed(memberships(request).filter(project=found.text_set.project_id).first(), needs)
    return pairings_of(found.text_set.project).get(pk=found.pk)


def pairing_shown(request: Request, pairing: FactoidPairing) -> dict[str, Any]:
    pairing_answers_check(memberships(request).get(project=pairing.text_set.project_id), pairing)
    return pairing_view(pairing)


class ShareField(serializers.FloatField):
    def __init__(self, **given: Any) -> None:
        super().__init__(min_value=0, max_value=1, **given)


class PairingsView(APIView):
    class PairingsOut(serializers.Serializer):
        pairings = PairingHead(many=True)

    class PairingIn(serializers.Serializer):
        first = serializers.UUIDField()
        second = serializers.UUIDField()
        threshold = ShareField(default=THRESHOLD)
        description_weight = ShareField(default=0.0)

    @extend_schema(responses={200: PairingsOut, **ADMIN_ERRORS})
    def get(self, request: Request, text_set_id: UUID) -> Response:
        """List the pairings of a text set's lists."""
        row = set_of_member(request, text_set_id, Capability.RESOLVE)
        heads = pairing_heads(list(pairings_of(row.project).filter(text_set=row)))
        return Response(self.PairingsOut({"pairings": heads}).data)

    @extend_schema(request=PairingIn, responses={201: PairingHead, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, text_set_id: UUID) -> Response:
        """Pair two lists of a closed definition phase."""
        row = set_of_member(request, text_set_id, Capability.MANAGE)
        made = pairing_create(text_set=row, actor=person(request), **checked(self.PairingIn, request.data))
        (head,) = pairing_heads(list(pairings_of(row.project).filter(pk=made.pk)))
        return Response(PairingHead(head).data, status=status.HTTP_201_CREATED)


class PairingView(APIView):
    class SettingsIn(serializers.Serializer):
        threshold = ShareField(required=False)
        description_weight = ShareField(required=False)

    @extend_schema(responses={200: PairingOut, 409: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, pairing_id: UUID) -> Response:
        """Return a pairing with its links, its judged relations, and both lists."""
        pairing = pairing_of_member(request, pairing_id, Capability.RESOLVE)
        return Response(PairingOut(pairing_shown(request, pairing)).data)

    @extend_schema(request=SettingsIn, responses={200: PairingOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def patch(self, request: Request, pairing_id: UUID) -> Response:
        """Pair the lists by another threshold, or by another weight of the descriptions."""
        pairing = pairing_of_member(request, pairing_id, Capability.MANAGE)
        settings = checked(self.SettingsIn, request.data)
        changed = pairing_set(pairing=pairing, settings=settings, actor=person(request))
        return Response(PairingOut(pairing_shown(request, changed)).data)


class RelationsView(APIView):
    class RelationIn(serializers.Serializer):
        client_id = serializers.UUIDField()
        a = serializers.UUIDField()
        b = serializers.UUIDField()
        relation = serializers.ChoiceField(
            choices=RELATIONS,
            allow_blank=True,
            help_text="What a is to b; empty withdraws the judgement.",
            error_messages={"invalid_choice": f"Choose {', '.join(RELATIONS[:-1])} or {RELATIONS[-1]}."},
        )

    class RelationOut(serializers.Serializer):
        a = serializers.UUIDField()
        b = serializers.UUIDField()
        relation = serializers.CharField(allow_blank=True)

    @extend_schema(request=RelationIn, responses={201: RelationOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS})
    def post(self, request: Request, pairing_id: UUID) -> Response:
        """Judge how two factoids are related. The newest judgement of a pair counts."""
        pairing = pairing_of_member(request, pairing_id, Capability.RESOLVE)
        sent = checked(self.RelationIn, request.data)
        judged = relation_judge(pairing=pairing, sent=sent, actor=person(request))
        return Response(self.RelationOut(judged).data, status=status.HTTP_201_CREATED)
