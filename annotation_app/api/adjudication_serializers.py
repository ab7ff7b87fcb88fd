"""Declare the shapes of adjudication for the OpenAPI schema, and build them from rows.

Nothing here names an annotator, or tells a number or time of theirs.
"""

from typing import Any

from rest_framework import serializers

from annotation_app.aggregation.cases import AnonymizedAnswer, Case, ShownAnswer
from annotation_app.aggregation.disagreements import Disagreements, Listed, Neighbours
from annotation_app.aggregation.outcomes import KINDS, STATES
from annotation_app.aggregation.rules import Aggregated
from annotation_app.annotation.selectors import pinned_codebook
from annotation_app.annotation.submission import REASON_LENGTH
from annotation_app.api.item_serializers import serialize_items
from annotation_app.api.labelling_serializers import (
    ANSWERS,
    BEGINNING,
    Answers,
    AssignmentCodebookOut,
    ItemOut,
    serialize_codebook,
)
from annotation_app.models import Adjudication, Membership


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
    revision = serializers.IntegerField()
    source = serializers.ChoiceField(choices=Adjudication.Source.choices)  # type: ignore[assignment]
    labels = ANSWERS
    reason = serializers.CharField(allow_blank=True)
    withdraws = serializers.BooleanField()
    mine = serializers.BooleanField(help_text="The reader's own decision.")


class StageOutcomeOut(serializers.Serializer):
    stage = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    label_key = serializers.CharField(allow_null=True)
    differs = serializers.BooleanField(help_text="People gave two labels or more.")


class DisagreementOut(serializers.Serializer):
    id = serializers.UUIDField(help_text="The item's.")
    text = serializers.CharField(help_text="Of a long item the beginning.")
    document = serializers.CharField()
    round = serializers.IntegerField()
    stages = StageOutcomeOut(many=True, help_text="Stages that apply, in the codebook's order.")
    revised_since = serializers.BooleanField(help_text="Decided, and an answer that counts is newer than the decision.")


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
    counts = KindCountsOut()
    stages = StageCountsOut(many=True, help_text="Items whose answers are all in, by what they came to.")
    waiting = serializers.IntegerField(help_text="Items whose answers are not all in.")
    rounds = serializers.ListField(child=serializers.IntegerField())
    second_looks = serializers.ListField(
        child=serializers.IntegerField(), help_text="Rounds whose second look is over: a consensus may follow."
    )
    hidden_editable = serializers.IntegerField(
        help_text="Items left out of all of this since the reader answered them and could still change their answers."
    )
    hidden_pending = serializers.IntegerField(help_text="Items left out that the reader has a second look of to take.")
    page = serializers.IntegerField()
    n_pages = serializers.IntegerField()


class ShownAnswerOut(serializers.Serializer):
    answers = ANSWERS
    comment = serializers.CharField(allow_blank=True)
    skip_reason = serializers.CharField(allow_null=True)


class AnonymizedAnswersOut(serializers.Serializer):
    letter = serializers.CharField()
    first = ShownAnswerOut()
    second = ShownAnswerOut(allow_null=True, help_text="What they said in the second look, if anything.")


class StageVotedOut(serializers.Serializer):
    stage = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES, help_text="Without what was decided.")
    label_key = serializers.CharField(allow_null=True)
    votes = serializers.DictField(child=serializers.IntegerField())


class CaseOut(serializers.Serializer):
    item = ItemOut()
    codebook = AssignmentCodebookOut()
    round = serializers.IntegerField()
    answers = AnonymizedAnswersOut(many=True)
    voted = StageVotedOut(many=True)
    majorities = serializers.DictField(
        child=serializers.CharField(), help_text="Of every stage, whether the majorities before open it or not."
    )
    decision = AdjudicationOut(allow_null=True, help_text="The latest, one that withdraws too.")
    revised_since = serializers.BooleanField(
        help_text="A decision stands, and an answer that counts in this phase is newer."
    )
    previous = serializers.UUIDField(allow_null=True)
    next = serializers.UUIDField(allow_null=True)
    place = serializers.IntegerField(allow_null=True, help_text="In the filtered list, from 1; null: not in it.")
    total = serializers.IntegerField()


CONFLICTS = [
    *("stale", "client_id_reused", "waiting", "second_look", "no_second_look"),
    *("answer_first", "own_answer"),
]


class AdjudicationConflict(serializers.Serializer):
    """Why the state of things does not allow it; `current` comes with `stale`."""

    detail = serializers.CharField()
    code = serializers.ChoiceField(choices=CONFLICTS)
    current = AdjudicationOut(required=False, allow_null=True)


def serialize_disagreements(page: Disagreements) -> dict[str, Any]:
    states = page.outcomes.states()
    return {
        "items": [serialize_listed(each) for each in page.items],
        "counts": {kind: page.counts[kind] for kind in KINDS},
        "stages": [
            {"key": key, "title": title, **{state: states[key][state] for state in STATES}}
            for key, title in page.outcomes.stages
        ],
        "waiting": page.outcomes.waiting,
        "rounds": page.rounds,
        "second_looks": page.looked_at,
        "hidden_editable": page.hidden_editable,
        "hidden_pending": page.hidden_pending,
        "page": page.page,
        "n_pages": page.n_pages,
    }


def serialize_listed(each: Listed) -> dict[str, Any]:
    item = each.batch_item.item
    return {
        "id": item.uuid,
        "text": item.text[:BEGINNING],
        "document": item.document.title or item.document.external_id,
        "round": each.batch_item.batch.number,
        "stages": [
            {"stage": key, "state": outcome.state, "label_key": outcome.label, "differs": outcome.differs}
            for key, outcome in each.outcome.stages.items()
            if outcome.state != "not_applicable"
        ],
        "revised_since": each.outcome.revised,
    }


def serialize_case(case: Case, near: Neighbours, reader: Membership) -> dict[str, Any]:
    item_id = case.batch_item.item_id
    return {
        "item": serialize_items([item_id], reader.project)[item_id],
        "codebook": serialize_codebook(pinned_codebook(case.batch_item.batch.codebook_id)),
        "round": case.batch_item.batch.number,
        "answers": [serialize_anonymized_answer(each) for each in case.answers],
        "voted": [serialize_votes(key, outcome) for key, outcome in case.outcome.voted.items()],
        "majorities": dict(case.outcome.majorities),
        "decision": serialize_decision(case.latest, reader) if case.latest else None,
        "revised_since": case.outcome.revised,
        "previous": near.previous,
        "next": near.next,
        "place": near.place,
        "total": near.total,
    }


def serialize_votes(key: str, outcome: Aggregated) -> dict[str, Any]:
    return {"stage": key, "state": outcome.state, "label_key": outcome.label, "votes": outcome.votes}


def serialize_anonymized_answer(each: AnonymizedAnswer) -> dict[str, Any]:
    return {
        "letter": each.letter,
        "first": serialize_shown_answer(each.first),
        "second": serialize_shown_answer(each.second) if each.second else None,
    }


def serialize_shown_answer(said: ShownAnswer) -> dict[str, Any]:
    return {"answers": said.answers, "comment": said.comment, "skip_reason": said.skip_reason or None}


def serialize_decision(row: Adjudication, reader: Membership) -> dict[str, Any]:
    return {
        "revision": row.revision,
        "source": row.source,
        "labels": {each.stage: each.label for each in sorted(row.labels.all(), key=lambda each: each.pk)},
        "reason": row.reason,
        "withdraws": row.withdraws,
        "mine": row.adjudicator_id == reader.pk,
    }
