"""One decision: what is stored, what a retry gives back, and what is refused with nothing stored."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation_app.annotation.revisions import Stale
from annotation_app.assignment.members import member_deactivate
from annotation_app.models import Annotation, Batch, Event, Item, Span, ValidatedSpan, Validation
from annotation_app.refusals import Invalid, NotYours
from annotation_app.validation.selectors import resolved_spans
from annotation_app.validation.services import AnnotationRevised, validation_submit
from tests.assignment.batches import at_once, open_batch
from tests.conftest import People
from tests.factories import make_member
from tests.refusals import refusal
from tests.spans import add_source, span
from tests.validation.board import Board, decision, marked


@pytest.fixture
def board(people: People) -> Board:
    return Board(people)


@pytest.fixture
def item(board: Board) -> Item:
    board.annotate_all(board.items[0])
    return board.items[0]


def rows() -> tuple[int, int, int]:
    return Validation.objects.count(), ValidatedSpan.objects.count(), Event.objects.count()


def refused(board: Board, item: Item, kind: str, base: int = 0, **more: Any) -> dict[str, list[str]]:
    """The errors by field; nothing may have been stored."""
    before = rows()
    with pytest.raises(Invalid) as invalid:
        board.decide(item, kind, base, **more)
    assert rows() == before
    return invalid.value.errors


def settled(item: Item) -> tuple[str, list[tuple[str, str, str]]] | None:
    pk = item.batch_items.get().pk
    found = resolved_spans([pk]).get(pk)
    return found and (found.decision, [(span.category, span.quote, span.comment) for span in found.spans])


def alices(item: Item) -> Annotation:
    return Annotation.objects.get(assignment__batch_item__item=item, spans__quote="Sentence")


def test_what_is_accepted_is_the_aggregated_annotation(board: Board, item: Item) -> None:
    taken = board.decide(item, "accepted", annotation=alices(item), reason="closest to the text")
    row = Validation.objects.get()
    assert (taken.created, taken.row) == (True, row)
    assert (row.revision, row.decision, row.validator, row.annotation) == (1, "accepted", board.judge, alices(item))
    assert row.reason == "closest to the text"
    assert settled(item) == ("accepted", [("act", "Sentence", "Does Sentence"), ("sentence", item.text, "")])
    assert not ValidatedSpan.objects.exists()
    event = Event.objects.get(verb="validation_submitted")
    assert (event.actor, event.subject) == (board.judge.user, str(item.uuid))
    assert event.data == {"revision": 1, "decision": "accepted"}


def test_an_edit_has_spans_of_its_own_in_text_order(board: Board, item: Item) -> None:
    sent = [span(item.text, "batch", "evidence"), *marked(item.text, "of")]
    board.decide(item, "edited", annotation=alices(item), spans=sent)
    stored = ValidatedSpan.objects.order_by("place").values_list("place", "start", "end", "quote", "category")
    assert list(stored) == [
        (0, 0, 22, "Sentence 0 of batch 1.", "sentence"),
        (1, 11, 13, "of", "act"),
        (2, 14, 19, "batch", "evidence"),
    ]
    assert settled(item) == (
        "edited",
        [("sentence", item.text, ""), ("act", "of", "Does of"), ("evidence", "batch", "")],
    )
    # What the annotators marked is as it was.
    assert Span.objects.count() == 4


def test_an_edit_may_start_from_nothing(board: Board, item: Item) -> None:
    board.decide(item, "edited", spans=marked(item.text, "of"))
    assert Validation.objects.get().annotation is None
    assert settled(item) is not None


def test_a_rejected_item_is_settled_without_spans(board: Board, item: Item) -> None:
    board.decide(item, "rejected", reason="the scan is cut off")
    assert settled(item) == ("rejected", [])


def test_reopening_takes_the_decision_back_and_keeps_it(board: Board, item: Item) -> None:
    board.decide(item, "rejected", reason="cut off")
    board.decide(item, "reopened", 1)
    assert settled(item) is None
    board.decide(item, "accepted", 2, annotation=alices(item))
    assert settled(item) is not None
    history = Validation.objects.order_by("revision").values_list("revision", "decision", "reason")
    assert list(history) == [(1, "rejected", "cut off"), (2, "reopened", ""), (3, "accepted", "")]


def test_a_decision_may_be_replaced_without_reopening(board: Board, item: Item) -> None:
    board.decide(item, "edited", spans=marked(item.text, "of"))
    board.decide(item, "accepted", 1, annotation=alices(item))
    assert settled(item) == ("accepted", [("act", "Sentence", "Does Sentence"), ("sentence", item.text, "")])


def test_there_is_nothing_to_reopen_but_a_decision(board: Board, item: Item) -> None:
    nothing = {"decision": ["There is no decision to take back."]}
    assert refused(board, item, "reopened") == nothing
    board.decide(item, "rejected", reason="cut off")
    board.decide(item, "reopened", 1)
    assert refused(board, item, "reopened", 2) == nothing


def test_a_retry_gets_the_first_answer_and_makes_no_second_row(board: Board, item: Item) -> None:
    client_id = uuid4()
    sent = {"annotation": alices(item), "spans": marked(item.text, "of"), "client_id": client_id}
    first = board.decide(item, "edited", **sent)
    board.decide(item, "reopened", 1)
    again = board.decide(item, "edited", **sent)
    assert (again.created, again.row) == (False, first.row)
    assert (Validation.objects.count(), ValidatedSpan.objects.count()) == (2, 2)
    for changes in ({"spans": marked(item.text, "batch")}, {"reason": "why"}, {"annotation": None}, {"base": 2}):
        with refusal("client_id_reused"):
            board.decide(item, "edited", **{**sent, **changes})
    assert board.decide(board_ready(board), "rejected", reason="cut off", client_id=client_id).created


def board_ready(board: Board) -> Item:
    board.annotate_all(board.items[1])
    return board.items[1]


def test_a_stale_base_gets_the_latest_decision(board: Board, item: Item) -> None:
    with pytest.raises(Stale) as none_yet:
        board.decide(item, "rejected", 1, reason="cut off")
    assert none_yet.value.latest is None
    first = board.decide(item, "rejected", reason="cut off")
    for base in (0, 2):
        with pytest.raises(Stale) as stale:
            board.decide(item, "accepted", base, annotation=alices(item))
        assert stale.value.latest == first.row
    assert Validation.objects.count() == 1


def test_a_revised_annotation_is_accepted_only_as_it_is_now(board: Board, item: Item) -> None:
    before = alices(item)
    now = board.annotate(0, item, "of", revision=2)
    with pytest.raises(AnnotationRevised) as revised:
        board.decide(item, "accepted", annotation=before)
    assert revised.value.annotation == before
    assert not Validation.objects.exists()
    # An edit was made from what it was made from.
    board.decide(item, "edited", annotation=before, spans=marked(item.text, "batch"))
    board.decide(item, "accepted", 1, annotation=now)
    assert settled(item) == ("accepted", [("sentence", item.text, ""), ("act", "of", "Does of")])


def test_a_later_revision_changes_nothing_that_was_settled(board: Board, item: Item) -> None:
    board.decide(item, "accepted", annotation=alices(item))
    board.annotate(0, item, "of", revision=2)
    assert settled(item) == ("accepted", [("act", "Sentence", "Does Sentence"), ("sentence", item.text, "")])


def test_only_an_annotation_of_this_item_can_be_named(board: Board, item: Item) -> None:
    none = {"annotation": ["This is not an annotation of this item."]}
    other = board.annotate_all(board.items[1])[0]
    for named in (other, uuid4()):
        assert refused(board, item, "accepted", annotation=named) == none
        assert refused(board, item, "edited", annotation=named, spans=marked(item.text, "of")) == none
    skipped = Annotation.objects.get(assignment__batch_item__item=item, skip_reason="torn page")
    assert set(refused(board, item, "accepted", annotation=skipped)) == {"annotation"}


@pytest.mark.parametrize(
    ("kind", "more", "fields"),
    [
        ("accepted", {}, {"annotation"}),
        ("rejected", {}, {"reason"}),
        ("rejected", {"reason": " \n"}, {"reason"}),
        ("rejected", {"reason": "x" * 1_001}, {"reason"}),
        ("rejected", {"reason": "a\x00b"}, {"reason"}),
        ("rejected", {"reason": "why", "annotation": uuid4()}, {"annotation"}),
        ("rejected", {"reason": "why", "spans": [{}]}, {"spans"}),
        ("accepted", {"annotation": uuid4(), "spans": [{}]}, {"spans"}),
    ],
)
def test_it_names_what_is_missing_or_too_much(
    board: Board, item: Item, kind: str, more: dict[str, Any], fields: set[str]
) -> None:
    assert set(refused(board, item, kind, **more)) == fields


def test_an_edit_passes_the_rules_that_annotators_pass(board: Board, item: Item) -> None:
    text = item.text
    source = add_source(item)
    cases: list[tuple[list[Any], set[str]]] = [
        ([], {"spans"}),
        ([span(text, text, "sentence")], {"spans[0]"}),
        ([span(text, text, "sentence"), span(text, "of", "act")], {"spans[1].comment"}),
        ([*marked(text, "of"), span(text, "batch", "reference")], {"spans[2].source"}),
        ([*marked(text, "of"), span(text, "batch", "nonsense")], {"spans[2].category"}),
        ([*marked(text, "of"), span(text, "batch", "evidence") | {"quote": "batches"}], {"spans[2].quote"}),
    ]
    for sent, paths in cases:
        assert set(refused(board, item, "edited", spans=sent)) == paths
    board.decide(item, "edited", spans=[*marked(text, "of"), span(text, "batch", "reference", source=source.uuid)])
    assert ValidatedSpan.objects.get(category="reference").source_document == source


def test_nothing_is_decided_before_every_annotation_is_in(board: Board) -> None:
    item = board.items[0]
    first = board.annotate(0, item, "of")
    board.annotate(1, item, "batch")
    with refusal("waiting"):
        board.decide(item, "accepted", annotation=first)
    # Nobody is left to wait for.
    member_deactivate(member=board.people.annotators[2], actor=board.people.admin.user)
    assert board.decide(item, "accepted", annotation=first).created


def test_it_may_come_after_the_batch_was_frozen(board: Board, item: Item) -> None:
    Batch.objects.update(frozen_at=timezone.now())
    assert board.decide(item, "accepted", annotation=alices(item)).created


def test_only_validators_of_the_project_decide(board: Board, item: Item, people: People) -> None:
    for other in (people.annotators[0], people.outsider):
        with pytest.raises(NotYours):
            board.decide(item, "rejected", by=other, reason="cut off")
    assert board.decide(item, "rejected", by=people.admin, reason="cut off").created
    member_deactivate(member=board.judge, actor=people.admin.user)
    with pytest.raises(NotYours):
        board.decide(item, "reopened", 1)


def test_items_without_a_span_layer_are_none_of_it(board: Board, people: People) -> None:
    staged = open_batch(people.project, people.annotators, size=1, number=2)
    with pytest.raises(NotYours):
        board.decide(staged.batch_items.get().item, "rejected", reason="cut off")


def test_the_database_keeps_what_the_service_promises(board: Board, item: Item) -> None:
    row = board.decide(item, "rejected", reason="cut off").row
    for changes, name in (
        ({}, "validation_revision_once"),
        ({"revision": 2}, "validation_client_id_once"),
        ({"revision": 2, "client_id": uuid4(), "decision": "accepted"}, "validation_accepts_something"),
    ):
        values = {"revision": 1, "client_id": row.client_id, "decision": "rejected", **changes}
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            Validation.objects.create(batch_item=row.batch_item, validator=board.judge, body_hash="", **values)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_decide_at_once_one_is_stale(people: People) -> None:
    board = Board(people)
    item = board.items[0]
    board.annotate_all(item)
    second = make_member(people.project, "second", "adjudicator")

    def attempt(by: Any) -> str:
        body = decision("rejected", reason="cut off")
        try:
            validation_submit(membership=by, item_uuid=item.uuid, body=body)
        except Stale:
            return "stale"
        return "stored"

    tries = [lambda by=by: attempt(by) for by in (board.judge, second, people.admin, board.judge)]
    assert sorted(at_once(tries)) == ["stale", "stale", "stale", "stored"]
    assert Validation.objects.count() == 1
