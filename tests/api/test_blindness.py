"""Who annotates and settles: others' answers cost the own answer its revisions, and are hidden until that is known."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.annotation.services import annotation_submit
from annotation_app.assignment.closing import batch_close, batch_open_items, batch_reopen, items_hand_over
from annotation_app.assignment.members import member_activate, member_deactivate
from annotation_app.assignment.services import next_window
from annotation_app.models import Annotation, Assignment, Batch, Event, Item, Membership, Validation
from annotation_app.refusals import Refused
from tests.api.decisions import body as decision
from tests.api.labelling import Person, body
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_member
from tests.labels import NO, YES, label_batch, submission
from tests.rounds.second_looks import of_round
from tests.spans import span_submission
from tests.validation.board import Board, marked

ClientOf = Callable[[Membership], APIClient]
SEEN = "You have seen the others' answers to this item. Your own answer can no longer be changed."


class Reader:
    """Somebody who is on the batch and may settle; alone says yes where the three annotators say no."""

    def __init__(self, people: People, client_of: ClientOf, member: Membership) -> None:
        self.member, self.project = member, f"/api/projects/{people.project.uuid}"
        self.client = client_of(member)
        self.person = Person(self.client, str(people.project.uuid))

    def row(self, item: Item) -> Assignment:
        return Assignment.objects.get(annotator=self.member, batch_item__item=item)

    def listed(self, **asked: str) -> dict[str, Any]:
        return self.client.get(f"{self.project}/adjudication/", {"kind": "any", **asked}).json()

    def case(self, item: Item, **asked: str) -> Any:
        return self.client.get(f"{self.project}/adjudication/{item.uuid}/", asked)

    def validating(self, item: Item, **asked: str) -> Any:
        return self.client.get(f"{self.project}/validation/{item.uuid}/", asked)

    def revise(self, item: Item, base: int = 1) -> Any:
        return self.person.submit(str(self.row(item).uuid), base_revision=base)


@pytest.fixture(params=["adjudicator", "admin"])
def reader(people: People, client_of: ClientOf, request: pytest.FixtureRequest) -> Reader:
    return Reader(people, client_of, make_member(people.project, "rita", request.param))


@pytest.fixture
def batch(people: People, reader: Reader) -> Batch:
    """All answers are in. A round that names an adjudicator counts what they say."""
    made = open_batch(people.project, [*people.annotators, reader.member], size=3)
    of_round(people, made).annotators.set([*people.annotators, reader.member])
    label_batch(made, lambda member, item: YES if member == reader.member else NO)
    return made


@pytest.fixture
def items(batch: Batch) -> list[Item]:
    return list(Item.objects.filter(batch_items__batch=batch).order_by("batch_items__rank"))


def refused(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_others_answers_are_shown_once_the_reader_gives_up_revising(reader: Reader, items: list[Item]) -> None:
    first, second, _ = items
    hidden = reader.case(first)
    assert refused(hidden) == (409, "own_answer")
    assert hidden.json()["detail"] == (
        "You answered this item yourself. Once you see the others' answers, you can no longer change your own."
    )
    assert set(hidden.json()) == {"code", "detail"}
    # Nobody gave anything up by that.
    assert reader.revise(first).status_code == 201
    assert not Event.objects.filter(verb="answers_shown").exists()

    # Nor by a request that is refused for another reason.
    assert reader.case(first, own="locked", stage="no-such").status_code == 400
    assert reader.row(first).answers_revealed_at is None
    shown = reader.case(first, own="locked")
    assert [len(shown.json()["answers"]), shown.json()["majorities"]] == [4, {"opinion": "no"}]
    late = reader.revise(first, base=2)
    assert (refused(late), late.json()["detail"]) == ((409, "seen"), SEEN)
    assert refused(reader.person.submit(str(reader.row(first).uuid), base_revision=0)) == (409, "seen")
    assert Annotation.objects.filter(assignment=reader.row(first)).count() == 2
    assert reader.client.get(f"/api/assignments/{reader.row(first).uuid}/").json()["final"] == SEEN
    # The other item is as it was.
    assert reader.client.get(f"/api/assignments/{reader.row(second).uuid}/").json()["final"] is None
    assert reader.revise(second).status_code == 201


def test_it_is_written_once(reader: Reader, items: list[Item]) -> None:
    reader.case(items[0], own="locked")
    at = reader.row(items[0]).answers_revealed_at
    assert reader.case(items[0]).status_code == reader.case(items[0], own="locked").status_code == 200
    assert reader.row(items[0]).answers_revealed_at == at
    event = Event.objects.get(verb="answers_shown")
    assert (event.actor, event.subject) == (reader.member.user, str(items[0].uuid))
    assert event.data == {"assignments": [str(reader.row(items[0]).uuid)]}
    assert Assignment.objects.filter(answers_revealed_at__isnull=False).count() == 1


def test_a_retry_of_what_was_stored_before_is_no_revision(reader: Reader, items: list[Item]) -> None:
    sent = body(base_revision=1)
    row = str(reader.row(items[0]).uuid)
    assert reader.person.submit(row, sent).status_code == 201
    reader.case(items[0], own="locked")
    assert reader.person.submit(row, sent).status_code == 200


def test_a_decision_is_taken_only_from_who_may_see(reader: Reader, items: list[Item]) -> None:
    url = f"{reader.project}/adjudication/{items[0].uuid}/"
    # A label of a closed stage: the refusal would tell what the majority is.
    sent = decision({"mp": "yes"})
    assert refused(reader.client.post(url, sent, format="json")) == (409, "own_answer")
    reader.case(items[0], own="locked")
    assert reader.client.post(url, sent, format="json").status_code == 400
    assert reader.client.post(url, decision({"opinion": "no"}), format="json").status_code == 201


def test_the_list_leaves_out_what_the_reader_could_still_answer_otherwise(
    people: People, client_of: ClientOf, reader: Reader, items: list[Item]
) -> None:
    judge = Reader(people, client_of, make_member(people.project, "judith", "adjudicator"))
    whole = judge.listed()
    assert ([each["id"] for each in whole["items"]], whole["hidden_editable"]) == (
        [str(item.uuid) for item in items],
        0,
    )
    mine = reader.listed()
    assert (mine["items"], mine["hidden_editable"], mine["hidden_pending"]) == ([], 3, 0)
    assert mine["counts"] == dict.fromkeys(whole["counts"], 0)
    assert [stage["majority"] for stage in mine["stages"]] == [0, 0, 0, 0, 0]

    shown = reader.case(items[1], own="locked").json()
    # Neighbours come from the same list.
    assert (shown["previous"], shown["next"]) == (None, None)
    assert [each["id"] for each in reader.listed()["items"]] == [str(items[1].uuid)]
    assert reader.listed()["hidden_editable"] == 2

    settled = reader.listed(own="locked")
    assert (settled["items"], settled["hidden_editable"]) == (whole["items"], 0)
    assert refused(reader.revise(items[2])) == (409, "seen")
    assert Event.objects.filter(verb="answers_shown").count() == 2
    assert reader.listed(own="maybe")["errors"].keys() == {"own"}


def test_a_frozen_batch_asks_nothing_and_remembers(reader: Reader, items: list[Item]) -> None:
    """A round that is cancelled opens it again."""
    Batch.objects.update(frozen_at=timezone.now())
    assert reader.listed()["hidden_editable"] == 0
    assert reader.case(items[0]).status_code == 200
    Batch.objects.update(frozen_at=None)
    assert refused(reader.revise(items[0])) == (409, "seen")
    assert reader.revise(items[1]).status_code == 201


def test_an_item_taken_away_does_not_come_back_to_who_has_seen_the_answers(
    people: People, client_of: ClientOf, reader: Reader
) -> None:
    alice, bob, charlie = people.annotators
    made = open_batch(people.project, [alice, bob, charlie, reader.member], size=2)
    of_round(people, made)
    for member, given in ((alice, YES), (bob, NO)):
        for assignment in next_window(membership=member, ahead=2).assignments:
            annotation_submit(membership=member, assignment_uuid=assignment.uuid, body=submission(given))
    batch_close(batch=made, actor=people.admin.user)
    seen, other = [place.item for place in made.batch_items.order_by("rank")]
    assert reader.case(seen).status_code == 200
    batch_reopen(batch=made, actor=people.admin.user)
    assert (reader.row(seen).state, reader.row(other).state) == ("withdrawn", "open")
    # Nor from another person's hands.
    [taker] = [
        taker
        for left in batch_open_items(made).people
        if left.member == charlie
        for taker in left.takers
        if taker.member == people.admin
    ]
    assert taker.items == 2
    assert all(each.member != reader.member for left in batch_open_items(made).people for each in left.takers)
    with pytest.raises(Refused, match=r"every open item|members who annotate"):
        items_hand_over(batch=made, giver=charlie.uuid, taker=reader.member.uuid, actor=people.admin.user)


def test_an_item_that_went_to_others_asks_nothing(people: People, client_of: ClientOf, reader: Reader) -> None:
    """Two of three label it; the reader was on the batch and never had it in hand."""
    alice, bob, _ = people.annotators
    made = open_batch(people.project, [alice, bob, reader.member], size=1, k=2)
    for member in (alice, bob):
        assert len(next_window(membership=member, ahead=1).assignments) == 1
    label_batch(made, lambda member, item: YES if member == alice else NO)
    item = made.batch_items.get().item
    assert reader.case(item).status_code == 200
    late = reader.person.submit(str(reader.row(item).uuid))
    assert refused(late) == (409, "seen")
    assert late.json()["detail"].endswith("You can no longer answer it yourself.")


def test_who_has_seen_gets_no_second_look(people: People, client_of: ClientOf, reader: Reader, batch: Batch) -> None:
    item = batch.batch_items.get(rank=1).item
    reader.case(item, own="locked")
    assert client_of(people.admin).post(f"/api/rounds/{batch.round.uuid}/second-look/").status_code == 201
    again = Assignment.objects.filter(batch_item__batch__kind="second_look")
    assert again.filter(annotator=reader.member).count() == 2
    assert not again.filter(annotator=reader.member, batch_item__item=item).exists()
    assert again.filter(annotator=people.annotators[0]).count() == 3


def test_a_second_look_is_settled_as_the_first_answer_is(
    people: People, client_of: ClientOf, reader: Reader, batch: Batch
) -> None:
    item = batch.batch_items.get(rank=1).item
    first = reader.row(item)
    client_of(people.admin).post(f"/api/rounds/{batch.round.uuid}/second-look/")
    change = reader.person.submit(str(first.uuid), base_revision=1)
    assert (refused(change), change.json()["detail"]) == (
        (409, "closed"),
        "A second look at this batch has begun. The answers before it can no longer be changed.",
    )
    assert (reader.listed()["hidden_editable"], reader.listed()["hidden_pending"]) == (0, 3)
    assert refused(reader.case(item)) == (409, "second_look")
    looks = Assignment.objects.filter(annotator=reader.member, batch_item__batch__kind="second_look")
    again = looks.get(batch_item__item=item)
    reader.person.window()
    assert reader.person.submit(str(again.uuid), answers=YES).status_code == 201
    assert (reader.listed()["hidden_editable"], reader.listed()["hidden_pending"]) == (1, 2)
    assert refused(reader.case(item)) == (409, "own_answer")
    assert reader.case(item, own="locked").status_code == 200
    assert refused(reader.person.submit(str(again.uuid), base_revision=1)) == (409, "seen")
    assert [each["id"] for each in reader.listed()["items"]] == [str(item.uuid)]


def test_a_closed_look_says_so(people: People, client_of: ClientOf, reader: Reader, batch: Batch) -> None:
    admin = client_of(people.admin)
    admin.post(f"/api/rounds/{batch.round.uuid}/second-look/")
    mine = reader.person.window()["assignments"][0]["id"]
    admin.post(f"/api/rounds/{batch.round.uuid}/second-look/close/")
    late = reader.person.submit(mine)
    words = "This second look is closed. Its answers can no longer be changed."
    assert (refused(late), late.json()["detail"]) == ((409, "closed"), words)
    assert reader.client.get(f"/api/assignments/{mine}/").json()["final"] == words


@pytest.fixture
def board(people: People, reader: Reader) -> Board:
    """The reader is the third annotator of span items."""
    return Board(People(people.project, people.admin, [*people.annotators[:2], reader.member], people.outsider))


def test_validation_settles_too(reader: Reader, board: Board) -> None:
    item = board.items[0]
    board.annotate_all(item)
    url = f"{reader.project}/validation/{item.uuid}/"
    assert refused(reader.validating(item)) == (409, "own_answer")
    sent = {"client_id": str(uuid4()), "base_revision": 0, "decision": "rejected", "reason": "All cut off."}
    assert refused(reader.client.post(url, sent, format="json")) == (409, "own_answer")
    assert len(reader.validating(item, own="locked").json()["annotations"]) == 3
    assert reader.client.post(url, sent, format="json").status_code == 201
    late = span_submission(marked(item.text, "of"), 1)
    answer = reader.person.submit(str(board.row(2, item).uuid), {**vars(late), "spans": list(late.spans)})
    assert refused(answer) == (409, "seen")


def test_nothing_is_settled_while_annotations_are_to_come(reader: Reader, board: Board) -> None:
    item = board.items[0]
    board.annotate(0, item, "of")
    board.skip(2, item)
    shown = reader.validating(item, own="locked").json()
    assert (shown["state"], shown["annotations"]) == ("waiting", [])
    assert reader.row(item).answers_revealed_at is None


def test_who_came_back_to_a_settled_item_answers_it_first(people: People, client_of: ClientOf) -> None:
    """It was settled while she was away; her slot is hers again."""
    rita = make_member(people.project, "rita", "adjudicator")
    board = Board(People(people.project, people.admin, [*people.annotators[:2], rita], people.outsider), size=1)
    [item] = board.items
    member_deactivate(member=rita, actor=people.admin.user)
    board.annotate(0, item, "of")
    board.annotate(1, item, "batch")
    board.decide(item, "rejected", reason="All cut off.")
    member_activate(member=rita, actor=people.admin.user)
    # Her session ended when she was deactivated: she signs in anew.
    reader = Reader(people, client_of, rita)
    assert refused(reader.validating(item, own="locked")) == (409, "answer_first")
    board.decide(item, "reopened", 1)
    # What was taken back was made from others' annotations.
    assert refused(reader.validating(item, own="locked")) == (409, "answer_first")
    assert Validation.objects.count() == 2
    board.skip(2, item)
    assert refused(reader.validating(item)) == (409, "own_answer")
