"""Serve disagreements to adjudicators and admins: a list, one item with its answers side by side, a decision.

No answer names an annotator, or tells a number or time of theirs.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotation_app.aggregation.decision import AdjudicationBody
from annotation_app.aggregation.disagreements import Disagreements, Filters, neighbours_of
from annotation_app.aggregation.outcomes import KINDS, STATES
from annotation_app.aggregation.rules import Aggregated
from annotation_app.aggregation.services import adjudication_submit, case_show, disagreements_show
from annotation_app.aggregation.statements import PHASES
from annotation_app.annotation.revisions import Stale
from annotation_app.annotation.submission import REASON_LENGTH
from annotation_app.api.access import member_or_404
from annotation_app.api.errors import ADMIN_ERRORS, ErrorBody
from annotation_app.api.inputs import (
    ANSWERS,
    Answers,
    Beginning,
    OwnAnswerIn,
    QueryInteger,
    TextOrNull,
    checked,
    one_of,
)
from annotation_app.api.items import BuiltItem, serialize_items
from annotation_app.api.suggestions import SuggestedLabelOut
from annotation_app.api.windows import AssignmentCodebookOut
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import Adjudication, Capability, Membership
from annotation_app.refusals import Refused


class AdjudicationIn(serializers.Serializer):
    client_id = serializers.UUIDField()
    base_revision = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, help_text="The latest decision's revision; 0 where there is none."
    )
    labels = Answers(help_text="Of the stages that are decided; empty with withdraw.")
    reason = serializers.CharField(max_length=REASON_LENGTH, allow_blank=True, trim_whitespace=False, default="")
    source = serializers.ChoiceField(choices=Adjudication.Source.choices, default="adjudication")  # type: ignore[assignment]
    withdraw = serializers.BooleanField(default=False, help_text="Takes the latest decision back.")


class AdjudicationOut(serializers.Serializer):
    revision = serializers.IntegerField(source="row.revision")
    source = serializers.ChoiceField(  # type: ignore[assignment]
        source="row.source", choices=Adjudication.Source.choices
    )
    labels = ANSWERS
    reason = serializers.CharField(source="row.reason", allow_blank=True)
    withdraws = serializers.BooleanField(source="row.withdraws")
    mine = serializers.BooleanField(help_text="The reader's own decision.")


class StageOutcomeOut(serializers.Serializer):
    stage = serializers.CharField()
    state = serializers.ChoiceField(source="outcome.state", choices=STATES)
    label_key = serializers.CharField(source="outcome.label", allow_null=True)
    differs = serializers.BooleanField(source="outcome.differs", help_text="People gave two labels or more.")


class DisagreementOut(serializers.Serializer):
    id = serializers.UUIDField(source="item.uuid", help_text="The item's.")
    text = Beginning(source="item.text", help_text="Of a long item the beginning.")
    document = serializers.CharField(source="item.document.name")
    round = serializers.IntegerField(source="batch.number")
    stages = StageOutcomeOut(many=True, help_text="Stages that apply, in the codebook's order.")
    revised_since = serializers.BooleanField(
        source="outcome.revised", help_text="Decided, and an answer that counts is newer than the decision."
    )


class KindCountsOut(serializers.Serializer):
    open = serializers.IntegerField(help_text="Still to decide: a tie or no majority.")
    tie = serializers.IntegerField()
    no_majority = serializers.IntegerField(help_text="Labels differ, and none has a majority, without a tie.")
    few = serializers.IntegerField(help_text="No majority though nobody disagrees: too few answered.")
    any = serializers.IntegerField(help_text="Any disagreement, whether a majority or a decision stands or not.")
    decided = serializers.IntegerField()
    revised = serializers.IntegerField(help_text="Decided, and an answer that counts is newer than the decision.")


class StageCountsOut(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    majority = serializers.IntegerField()
    adjudicated = serializers.IntegerField()
    tie = serializers.IntegerField()
    no_majority = serializers.IntegerField()
    not_applicable = serializers.IntegerField()


class DisagreementsOut(serializers.Serializer):
    items = DisagreementOut(many=True)
    counts = KindCountsOut(source="found.counts")
    stages = StageCountsOut(many=True, help_text="Items whose answers are all in, by what they came to.")
    waiting = serializers.IntegerField(source="found.outcomes.waiting", help_text="Items whose answers are not all in.")
    rounds = serializers.ListField(source="found.rounds", child=serializers.IntegerField())
    second_looks = serializers.ListField(
        source="found.looked_at",
        child=serializers.IntegerField(),
        help_text="Rounds whose second look is over: a consensus may follow.",
    )
    hidden_editable = serializers.IntegerField(
        source="found.hidden_editable",
        help_text="Items left out of all of this since the reader answered them and could still change their answers.",
    )
    hidden_pending = serializers.IntegerField(
        source="found.hidden_pending", help_text="Items left out that the reader has a second look of to take."
    )
    page = serializers.IntegerField(source="found.page")
    n_pages = serializers.IntegerField(source="found.n_pages")


class ShownAnswerOut(serializers.Serializer):
    answers = ANSWERS
    comment = serializers.CharField(allow_blank=True)
    skip_reason = TextOrNull()


class AnonymizedAnswersOut(serializers.Serializer):
    letter = serializers.CharField()
    first = ShownAnswerOut()
    second = ShownAnswerOut(allow_null=True, help_text="What they said in the second look, if anything.")


class ShownPredictionsOut(serializers.Serializer):
    """Say what a model predicts of the item, where an admin lets adjudicators see that."""

    system = serializers.CharField(source="title", help_text="What people call it.")
    evaluation = serializers.IntegerField(source="evaluation.number")
    stages = serializers.DictField(child=SuggestedLabelOut())


class StageVotedOut(serializers.Serializer):
    stage = serializers.CharField()
    state = serializers.ChoiceField(source="outcome.state", choices=STATES, help_text="Without what was decided.")
    label_key = serializers.CharField(source="outcome.label", allow_null=True)
    votes = serializers.DictField(source="outcome.votes", child=serializers.IntegerField())


class CaseOut(serializers.Serializer):
    item = BuiltItem()
    codebook = AssignmentCodebookOut()
    round = serializers.IntegerField(source="case.batch_item.batch.number")
    answers = AnonymizedAnswersOut(source="case.answers", many=True)
    predictions = ShownPredictionsOut(source="case.predictions", many=True)
    voted = StageVotedOut(many=True)
    majorities = serializers.DictField(
        source="case.outcome.majorities",
        child=serializers.CharField(),
        help_text="Of every stage, whether the majorities before open it or not.",
    )
    decision = AdjudicationOut(allow_null=True, help_text="The latest, one that withdraws too.")
    revised_since = serializers.BooleanField(
        source="case.outcome.revised", help_text="A decision stands, and an answer that counts in this phase is newer."
    )
    previous = serializers.UUIDField(source="near.previous", allow_null=True)
    next = serializers.UUIDField(source="near.next", allow_null=True)
    place = serializers.IntegerField(
        source="near.place", allow_null=True, help_text="In the filtered list, from 1; null: not in it."
    )
    total = serializers.IntegerField(source="near.total")


class AdjudicationConflict(serializers.Serializer):
    """Say why this is not possible now; `current` comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(
        choices=["stale", "client_id_reused", "waiting", "second_look", "no_second_look", "answer_first", "own_answer"]
    )
    current = AdjudicationOut(required=False, allow_null=True)


def disagreements_parts(found: Disagreements) -> dict[str, Any]:
    states = found.outcomes.states()
    items = [
        {
            "item": each.batch_item.item,
            "batch": each.batch_item.batch,
            "outcome": each.outcome,
            "stages": [row for row in by_stage(each.outcome.stages) if row["outcome"].state != "not_applicable"],
        }
        for each in found.items
    ]
    stages = [
        {"key": key, "title": title, **dict.fromkeys(STATES, 0), **states[key]} for key, title in found.outcomes.stages
    ]
    return {"found": found, "items": items, "stages": stages}


def by_stage(outcomes: Mapping[str, Aggregated]) -> list[dict[str, Any]]:
    return [{"stage": key, "outcome": outcome} for key, outcome in outcomes.items()]


def decision_parts(row: Adjudication, reader: Membership) -> dict[str, Any]:
    labels = {each.stage: each.label for each in sorted(row.labels.all(), key=lambda each: each.pk)}
    return {"row": row, "labels": labels, "mine": row.adjudicator_id == reader.pk}


class FilterIn(serializers.Serializer):
    kind = one_of(*KINDS, default="open")
    stage = serializers.CharField(max_length=64, required=False, default=None, allow_null=True)
    round = QueryInteger(min_value=1, required=False, default=None, allow_null=True)
    phase = serializers.ChoiceField(
        choices=PHASES,
        default=1,
        help_text="2: the answers after second looks, of rounds whose second look is over.",
        error_messages={"invalid_choice": "Choose 1 (independent answers) or 2 (after second looks)."},
    )


class ItemIn(OwnAnswerIn, FilterIn):
    """Say where in which list, and whether the reader's own answer may be locked."""


class PageIn(ItemIn):
    page = QueryInteger(min_value=1, max_value=1_000_000, default=1)


def filters_of(request: Request) -> Filters:
    return Filters(**checked(FilterIn, request.query_params))


class AdjudicationListView(APIView):
    @extend_schema(
        operation_id="projects_adjudication_list",
        parameters=[PageIn],
        responses={200: DisagreementsOut, 400: ErrorBody, 409: AdjudicationConflict, **ADMIN_ERRORS},
    )
    def get(self, request: Request, project_id: UUID) -> Response:
        """List items on which people disagree, by rounds and ranks, 50 a page, and count what all items came to."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        asked = checked(PageIn, request.query_params)
        found = disagreements_show(
            reader=member, filters=filters_of(request), page=asked["page"], lock_own=asked["own"] is not None
        )
        return Response(DisagreementsOut(disagreements_parts(found)).data)


class AdjudicationItemView(APIView):
    @extend_schema(
        parameters=[ItemIn], responses={200: CaseOut, 400: ErrorBody, 409: AdjudicationConflict, **ADMIN_ERRORS}
    )
    def get(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """Return one item: the answers by letters, their majorities, the decision, and its neighbours in the list."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        asked, filters = checked(ItemIn, request.query_params), filters_of(request)
        case = case_show(reader=member, item_uuid=item_id, filters=filters, lock_own=asked["own"] is not None)
        item = case.batch_item.item_id
        parts = {
            "case": case,
            "item": serialize_items([item], member.project)[item],
            "codebook": pinned_codebook(case.batch_item.batch.codebook_id),
            "voted": by_stage(case.outcome.voted),
            "decision": case.latest and decision_parts(case.latest, member),
            "near": neighbours_of(case.batch_item, filters, member),
        }
        return Response(CaseOut(parts).data)

    @extend_schema(
        request=AdjudicationIn,
        responses={
            200: AdjudicationOut,
            201: AdjudicationOut,
            400: ErrorBody,
            409: AdjudicationConflict,
            **ADMIN_ERRORS,
        },
    )
    def post(self, request: Request, project_id: UUID, item_id: UUID) -> Response:
        """Store one decision. It answers 200 where the same body was stored before."""
        member = member_or_404(request, project_id, Capability.RESOLVE)
        body = AdjudicationBody(**checked(AdjudicationIn, request.data))
        if body.source == Adjudication.Source.CONSENSUS and not member.may(Capability.MANAGE):
            raise PermissionDenied("Only an admin can record a consensus.")
        with stale_decision(member):
            taken = adjudication_submit(membership=member, item_uuid=item_id, body=body)
        code = status.HTTP_201_CREATED if taken.created else status.HTTP_200_OK
        return Response(AdjudicationOut(decision_parts(taken.row, member)).data, status=code)


@contextmanager
def stale_decision(member: Membership) -> Iterator[None]:
    """Send the latest decision to a browser that worked from an older one."""
    try:
        yield
    except Stale as error:
        current = error.latest and AdjudicationOut(decision_parts(error.latest, member)).data
        raise Refused("stale", str(error), current=current) from error
