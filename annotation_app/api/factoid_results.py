"""Serve what comes of factoid lists: agreement, disagreements, scores, their tables and figures, and the export."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.http import FileResponse, Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from al_worker.factoids.lists import IDENTIFYING
from al_worker.formats.drawing import MEDIA_TYPES
from al_worker.formats.paper_csv import as_csv
from al_worker.formats.paper_latex import as_latex
from al_worker.formats.paper_tables import Table
from annotation_app.api.access import memberships, person
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.factoid_lists import managed_list
from annotation_app.api.factoid_pairings import ShareField, pairing_of_member, pairing_shown
from annotation_app.api.factoid_sets import phase_of_my_project, set_of_my_project
from annotation_app.api.inputs import QueryInteger, checked, given_once
from annotation_app.factoids import tables
from annotation_app.factoids.access import answers_check
from annotation_app.factoids.agreement import set_agreement
from annotation_app.factoids.disagreements import phase_disagreements
from annotation_app.factoids.figures import stability_files
from annotation_app.factoids.scores import DRAWS, HALF, list_scores, list_stability
from annotation_app.models import Capability, FactoidList, FactoidPairing, FactoidPhase, TextSet
from annotation_app.refusals import Invalid
from annotation_app.releases.factoid_sets import text_set_zip

MAX_PAGE = 200
MAX_DRAWS = 1_000
TABLE_TYPES = {"csv": (as_csv, "text/csv; charset=utf-8"), "tex": (as_latex, "application/x-tex; charset=utf-8")}
FIGURE_TYPES = {name: MEDIA_TYPES[name] for name in ("svg", "png")}


class FactoidAgreementRow(serializers.Serializer):
    """Describe a row of figures 1 and 3 of Teufel and van Halteren (2004)."""

    phase = serializers.IntegerField()
    phase_id = serializers.UUIDField()
    step = serializers.ChoiceField(choices=FactoidPhase.Step.choices)
    who = serializers.ListField(child=serializers.CharField(), help_text="Everyone of the phase, or two of them.")
    pairing = serializers.UUIDField(allow_null=True, help_text="Of definition.")
    relation = serializers.ChoiceField(choices=IDENTIFYING, allow_null=True, help_text="Of definition; null: all.")
    K = serializers.FloatField(allow_null=True, help_text="Fleiss' kappa: P(E) pools the answers of all.")
    N = serializers.IntegerField(allow_null=True, help_text="Items; null where there are no figures yet.")
    k = serializers.IntegerField(help_text="Categories: there, and not there.")
    n = serializers.IntegerField(help_text="Annotators.")
    P_A = serializers.FloatField(allow_null=True)
    P_E = serializers.FloatField(allow_null=True)
    cohen = serializers.FloatField(allow_null=True, help_text="Cohen's kappa, of two annotators.")
    low = serializers.FloatField(allow_null=True, help_text="95% interval of K by the jackknife over items.")
    high = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_null=True, help_text="Why a value is null.")


class FactoidAgreementView(APIView):
    class FactoidAgreementOut(serializers.Serializer):
        annotation = FactoidAgreementRow(many=True)
        definition = FactoidAgreementRow(many=True)

    @extend_schema(responses={200: FactoidAgreementOut, **ADMIN_ERRORS})
    def get(self, request: Request, text_set_id: UUID) -> Response:
        """Return agreement of annotation and of definition, for each phase."""
        row = set_of_my_project(request, text_set_id)
        return Response(self.FactoidAgreementOut(set_agreement(row)).data)


class FactoidAnswer(serializers.Serializer):
    name = serializers.CharField()
    is_there = serializers.BooleanField()


class FactoidDisagreement(serializers.Serializer):
    key = serializers.UUIDField()
    key_b = serializers.UUIDField(allow_null=True, help_text="Of definition: the other list's factoid.")
    id = serializers.CharField()
    id_b = serializers.CharField(allow_blank=True)
    description = serializers.CharField(allow_blank=True)
    description_b = serializers.CharField(allow_blank=True)
    text = serializers.CharField()
    answers = FactoidAnswer(many=True)


class DisagreementsView(APIView):
    class Input(serializers.Serializer):
        pairing = serializers.UUIDField(required=False, help_text="Of a definition phase: which lists are compared.")
        limit = QueryInteger(min_value=1, max_value=MAX_PAGE, default=50)
        offset = QueryInteger(min_value=0, default=0)

    class FactoidDisagreementsOut(serializers.Serializer):
        total = serializers.IntegerField()
        items = FactoidDisagreement(many=True)

    @extend_schema(
        parameters=[Input], responses={200: FactoidDisagreementsOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def get(self, request: Request, phase_id: UUID) -> Response:
        """List the items of a closed phase on which people differ, by factoid and text."""
        phase = phase_of_my_project(request, phase_id)
        asked = checked(self.Input, given_once(request.query_params))
        pairing = None if "pairing" not in asked else pairing_of_phase(phase, asked["pairing"])
        answers_check(memberships(request).get(project=phase.text_set.project_id), phase)
        found = phase_disagreements(phase, pairing)
        page = found[asked["offset"] : asked["offset"] + asked["limit"]]
        return Response(self.FactoidDisagreementsOut({"total": len(found), "items": page}).data)


def pairing_of_phase(phase: FactoidPhase, pairing: UUID) -> FactoidPairing:
    row = FactoidPairing.objects.filter(uuid=pairing, first__phase=phase).first()
    if row is None:
        raise Invalid({"pairing": ["This phase has no such pairing of its lists."]})
    return row


class ScoresIn(serializers.Serializer):
    share = ShareField(default=HALF, help_text="Least weight of a factoid in the consensus summary.")
    gold = serializers.CharField(required=False, default=None, help_text="A text with which the others are compared.")


class StabilityIn(serializers.Serializer):
    draws = QueryInteger(min_value=1, max_value=MAX_DRAWS, default=DRAWS)
    seed = QueryInteger(min_value=0, default=0)


class TextScore(serializers.Serializer):
    text = serializers.CharField()
    is_system = serializers.BooleanField()
    is_later = serializers.BooleanField(help_text="The text was added after the list, and can't be `gold`.")
    score = serializers.FloatField(allow_null=True, help_text="Weighted factoid recall, without the text's own vote.")
    reason = serializers.CharField(allow_null=True, help_text="Why there is no score.")
    gold = serializers.FloatField(allow_null=True, help_text="Share of the gold text's factoids that it has.")
    gold_reason = serializers.CharField(allow_null=True)


class ScoresView(APIView):
    class FactoidScoresOut(serializers.Serializer):
        weights = serializers.DictField(
            child=serializers.FloatField(), help_text="By factoid: the share of the texts that have it."
        )
        consensus = serializers.ListField(child=serializers.CharField(), help_text="The summary's factoids.")
        scores = TextScore(many=True)

    @extend_schema(
        parameters=[ScoresIn], responses={200: FactoidScoresOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def get(self, request: Request, draft_id: UUID) -> Response:
        """Return the weights of a list's factoids, its consensus summary, and the scores of the texts."""
        row = managed_list(request, draft_id)
        asked = checked(ScoresIn, given_once(request.query_params))
        return Response(self.FactoidScoresOut(list_scores(row, **asked)).data)


class StabilityPoint(serializers.Serializer):
    m = serializers.IntegerField(help_text="Texts in a half.")
    n = serializers.IntegerField(help_text="Draws in which both halves rank the texts.")
    rho = serializers.FloatField(allow_null=True, help_text="Mean of Spearman's rho over the draws.")
    sd = serializers.FloatField(allow_null=True, help_text="Its standard deviation.")
    reason = serializers.CharField(allow_null=True, help_text="Why there is no mean.")


class StabilityView(APIView):
    class FactoidStabilityOut(serializers.Serializer):
        points = StabilityPoint(many=True)

    @extend_schema(
        parameters=[StabilityIn], responses={200: FactoidStabilityOut, 400: ErrorBody, 409: ErrorBody, **ADMIN_ERRORS}
    )
    def get(self, request: Request, draft_id: UUID) -> Response:
        """Return how alike the texts are ranked by two halves of m texts, for each m."""
        row = managed_list(request, draft_id)
        asked = checked(StabilityIn, given_once(request.query_params))
        return Response(self.FactoidStabilityOut({"points": list_stability(row, **asked)}).data)


class FilesIn(ScoresIn, StabilityIn):
    list = serializers.UUIDField(required=False, help_text="Of weights, scores and stability.")
    pairing = serializers.UUIDField(required=False, help_text="Of pairing, relations and rates.")


def file_list(request: Request, text_set: TextSet, asked: Mapping[str, Any]) -> FactoidList:
    if "list" not in asked:
        raise Invalid({"list": ["Name the list that the file is about: ?list=<id>."]})
    row = managed_list(request, asked["list"])
    if row.text_set_id != text_set.pk:
        raise Http404
    return row


def file_pairing(request: Request, text_set: TextSet, asked: Mapping[str, Any]) -> dict[str, Any]:
    if "pairing" not in asked:
        raise Invalid({"pairing": ["Name the pairing that the file is about: ?pairing=<id>."]})
    row = pairing_of_member(request, asked["pairing"], Capability.MANAGE)
    if row.text_set_id != text_set.pk:
        raise Http404
    return pairing_shown(request, row)


def agreement_made(request: Request, text_set: TextSet, asked: Mapping[str, Any]) -> Table:
    return tables.agreement_table(set_agreement(text_set, pseudonyms=True))


def weights_made(request: Request, text_set: TextSet, asked: Mapping[str, Any]) -> Table:
    row, share = file_list(request, text_set, asked), asked["share"]
    descriptions = dict(row.factoids.values_list("external_id", "description"))
    return tables.weights_table(list_scores(row, share), descriptions, share)


def scores_made(request: Request, text_set: TextSet, asked: Mapping[str, Any]) -> Table:
    row = file_list(request, text_set, asked)
    return tables.scores_table(list_scores(row, gold=asked["gold"]), asked["gold"])


def stability_made(request: Request, text_set: TextSet, asked: Mapping[str, Any]) -> Table:
    row, draws, seed = file_list(request, text_set, asked), asked["draws"], asked["seed"]
    return tables.stability_table(list_stability(row, draws, seed), draws, seed)


Made = Callable[[Request, TextSet, Mapping[str, Any]], Table]
TABLES: dict[str, Made] = {
    "agreement": agreement_made,
    "pairing": lambda *asked: tables.pairing_table(file_pairing(*asked)),
    "relations": lambda *asked: tables.relations_table(file_pairing(*asked)),
    "rates": lambda *asked: tables.rates_table(file_pairing(*asked)),
    "weights": weights_made,
    "scores": scores_made,
    "stability": stability_made,
}


class FactoidFileView(APIView):
    @extend_schema(
        parameters=[FilesIn],
        responses={
            **{(200, media_type.partition(";")[0]): OpenApiTypes.STR for _, media_type in TABLE_TYPES.values()},
            **{(200, media_type): OpenApiTypes.BINARY for media_type in FIGURE_TYPES.values()},
            400: ErrorBody,
            409: ErrorBody,
            **ADMIN_ERRORS,
        },
    )
    def get(self, request: Request, text_set_id: UUID, name: str) -> HttpResponse:
        """Return a table as CSV or LaTeX, or the figure of stability as SVG or PNG. People are pseudonyms in it."""
        text_set = set_of_my_project(request, text_set_id)
        key, _, ending = name.rpartition(".")
        is_figure = key == "stability" and ending in FIGURE_TYPES
        if not is_figure and not (key in TABLES and ending in TABLE_TYPES):
            raise Http404
        asked = checked(FilesIn, given_once(request.query_params))
        if is_figure:
            row = file_list(request, text_set, asked)
            files = stability_files(list_stability(row, asked["draws"], asked["seed"]), [ending])
            response = HttpResponse(files[ending], content_type=FIGURE_TYPES[ending])
        else:
            write, content_type = TABLE_TYPES[ending]
            response = HttpResponse(write(TABLES[key](request, text_set, asked)), content_type=content_type)
        response["Content-Disposition"] = f'attachment; filename="{key}.{ending}"'
        return response


class TextSetExportView(APIView):
    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY, 409: ErrorBody, **ADMIN_ERRORS})
    def get(self, request: Request, text_set_id: UUID) -> FileResponse:
        """Return the set with its closed work as a ZIP file that `datasets` loads, with pseudonyms."""
        row = set_of_my_project(request, text_set_id)
        answers_check(memberships(request).get(project=row.project_id), row)
        name, opened = text_set_zip(text_set=row, actor=person(request))
        return FileResponse(opened, as_attachment=True, filename=name, content_type="application/zip")
