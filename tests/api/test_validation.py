"""Validation over HTTP: what a validator sees and what not, the answers and the refusals that the browser acts on."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.aggregation.anonymize import shuffled
from annotation_app.api import items
from annotation_app.api import validation as shapes
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import BatchItem, Item, Membership, Validation
from annotation_app.validation import review_state
from tests.api.labelling import same_keys
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.factories import make_member
from tests.spans import add_source, span
from tests.validation.board import Board, marked

ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def board(people: People) -> Board:
    return Board(people)


class Judge:
    """A validator at the API, in one project."""

    def __init__(self, client: APIClient, project: str) -> None:
        self.client, self.path = client, f"/api/projects/{project}/validation/"

    def listing(self, **asked: Any) -> dict[str, Any]:
        answer = self.client.get(self.path, asked)
        assert answer.status_code == 200
        return answer.json()

    def states(self, which: str) -> list[tuple[str, str]]:
        return [(row["id"], row["state"]) for row in self.listing(state=which)["items"]]

    def open(self, item: Item) -> dict[str, Any]:
        answer = self.client.get(f"{self.path}{item.uuid}/")
        assert answer.status_code == 200
        return answer.json()

    def post(self, item: Item, **sent: Any) -> Any:
        whole = {"client_id": str(uuid.uuid4()), "base_revision": 0, "annotation": None, "spans": [], "reason": ""}
        return self.client.post(f"{self.path}{item.uuid}/", whole | sent, format="json")


@pytest.fixture
def judge(board: Board, client_of: ClientOf) -> Judge:
    return Judge(client_of(board.judge), str(board.people.project.uuid))


def quotes(annotation: dict[str, Any]) -> str:
    """What was marked as the act, or that it was skipped."""
    return annotation["skip_reason"] or next(one["quote"] for one in annotation["spans"] if one["category"] == "act")


def by_quote(page: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {quotes(one): one for one in page["annotations"]}


def test_the_list_says_how_far_each_item_is(board: Board, judge: Judge) -> None:
    first, second = board.items
    board.annotate_all(first)
    board.annotate(0, second, "of")
    page = judge.listing()
    assert page["items"] == [
        {
            "id": str(first.uuid),
            "external_id": "doc-1_0_1",
            "title": "doc-1",
            "batch_kind": "round",
            "batch_number": 1,
            "n_submitted": 3,
            "n_needed": 3,
            "state": "open",
            "revised_since": False,
        }
    ]
    assert page["counts"] == {"waiting": 1, "open": 1, "accepted": 0, "edited": 0, "rejected": 0}
    assert (page["page"], page["n_pages"]) == (1, 1)
    assert judge.states("waiting") == [(str(second.uuid), "waiting")]
    assert judge.states("all") == [(str(first.uuid), "open"), (str(second.uuid), "waiting")]
    assert judge.states("resolved") == []
    judge.post(first, decision="rejected", reason="cut off")
    assert judge.states("resolved") == [(str(first.uuid), "rejected")]
    assert judge.states("open") == []
    judge.post(first, decision="reopened", base_revision=1)
    assert judge.states("open") == [(str(first.uuid), "open")]


def test_k_of_n_is_ready_with_k(people: People, client_of: ClientOf) -> None:
    board = Board(people, size=1, k=2)
    judge = Judge(client_of(board.judge), str(people.project.uuid))
    [item] = board.items
    board.annotate(0, item, "of")
    assert judge.listing(state="waiting")["items"][0]["n_needed"] == 2
    board.annotate(2, item, "batch")
    # A third comes too late for a slot: it is surplus, which no figure counts either.
    board.annotate(1, item, "1")
    assert [(row["n_submitted"], row["state"]) for row in judge.listing()["items"]] == [(2, "open")]
    assert set(by_quote(judge.open(item))) == {"of", "batch"}


def test_pages_are_cut_and_counted(board: Board, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review_state, "PAGE_SIZE", 1)
    ids = [str(item.uuid) for item in board.items]
    assert [judge.listing(state="all", page=page)["items"][0]["id"] for page in (1, 2)] == ids
    past = judge.listing(state="all", page=3)
    assert (past["items"], past["n_pages"], past["counts"]["waiting"]) == ([], 2, 2)
    for asked in ({"state": "done"}, {"page": 0}, {"page": "x"}):
        assert judge.client.get(judge.path, asked).status_code == 400


def test_annotations_stand_side_by_side_in_the_readers_own_order(board: Board, judge: Judge) -> None:
    item = board.items[0]
    board.annotate_all(item)
    source = add_source(item)
    page = judge.open(item)
    assert [one["letter"] for one in page["annotations"]] == ["A", "B", "C"]
    rows = {board.row(place, item).uuid: quote for place, quote in enumerate(["Sentence", "batch", "torn page"])}
    expected = [rows[row] for row in shuffled(rows, reader=board.judge.uuid, item=item.uuid)]
    assert [quotes(one) for one in page["annotations"]] == expected
    skipped = by_quote(page)["torn page"]
    assert (skipped["skipped"], skipped["spans"]) == (True, [])
    assert by_quote(page)["batch"]["spans"] == [{**one, "source": None} for one in marked(item.text, "batch")]
    assert page["sources"] == [
        {"id": str(source.uuid), "external_id": "minutes", "title": "Minutes", "text": "The board met."}
    ]
    assert page["item"]["text"] == item.text
    assert (page["state"], page["revision"], page["decision"], page["taken_back"]) == ("open", 0, None, None)
    assert page["codebook"]["definition"]["span_layer"]["categories"][0]["key"] == "sentence"


def test_another_reader_has_another_order(people: People, client_of: ClientOf) -> None:
    """Of 12 items with six orders each, two readers agree on all with a chance below one in 10 to the 9."""
    board = Board(people, size=12)
    for item in board.items:
        board.annotate_all(item)
    readers = [board.judge, make_member(people.project, "second", "adjudicator")]
    orders = [
        [
            [quotes(one) for one in Judge(client_of(reader), str(people.project.uuid)).open(item)["annotations"]]
            for item in board.items
        ]
        for reader in readers
    ]
    assert orders[0] != orders[1]
    assert len({tuple(order) for order in orders[0]}) > 1


def test_nothing_names_people_or_times(board: Board, judge: Judge, client_of: ClientOf) -> None:
    item = board.items[0]
    annotations = board.annotate_all(item)
    judge.post(item, decision="accepted", annotation=str(annotations[0].uuid))
    shown = json.dumps([judge.listing(state="all"), judge.open(item), judge.post(item, decision="rejected").json()])
    for member in (*board.people.annotators, board.judge):
        for word in (member.uuid, member.user.uuid, member.user.username, member.user.display_name):
            assert str(word).casefold() not in shown.casefold()
    for annotation in annotations:
        for told in (annotation.client_id, annotation.created_at.isoformat()[:16], annotation.assignment.uuid):
            assert str(told) not in shown
    assert not {"created_at", "annotator", "validator", "active_ms", "wall_ms", "position"} & keys_of(json.loads(shown))


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values())) if value else set()
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_what_is_still_to_come_hides_what_is_in(board: Board, client_of: ClientOf) -> None:
    """An admin who annotates too must not see others' before their own is in."""
    item = board.items[0]
    board.annotate(0, item, "of")
    admin = Judge(client_of(board.people.admin), str(board.people.project.uuid))
    page = admin.open(item)
    assert (page["state"], page["annotations"], page["n_submitted"], page["n_needed"]) == ("waiting", [], 1, 3)
    answer = admin.post(item, decision="edited", spans=marked(item.text, "of"))
    assert (answer.status_code, answer.json()["code"]) == (409, "waiting")


def test_an_accepted_annotation_that_was_revised_since_is_said(board: Board, judge: Judge) -> None:
    item = board.items[0]
    board.annotate_all(item)
    accepted = by_quote(judge.open(item))["Sentence"]
    answer = judge.post(item, decision="accepted", annotation=accepted["id"])
    assert answer.status_code == 201
    assert answer.json() == {
        "revision": 1,
        "decision": "accepted",
        "annotation": accepted["id"],
        "spans": accepted["spans"],
        "reason": "",
    }
    assert judge.open(item)["decision"] == {
        **answer.json(),
        "letter": accepted["letter"],
        "revised_since": False,
    }
    board.annotate(0, item, "of", revision=2)
    page = judge.open(item)
    assert page["decision"] == {**answer.json(), "letter": accepted["letter"], "revised_since": True}
    assert [one["letter"] for one in page["annotations"] if one["revised_since"]] == [accepted["letter"]]
    assert judge.listing(state="resolved")["items"][0]["revised_since"]
    # The old revision cannot be accepted any more, and the answer says whose it is.
    stale = judge.post(item, decision="accepted", annotation=accepted["id"], base_revision=1)
    assert stale.status_code == 409
    assert stale.json() == {
        "code": "stale",
        "detail": f"Annotation {accepted['letter']} was revised after this page was loaded. Look at it again.",
        "current": None,
        "letter": accepted["letter"],
    }
    again = judge.post(item, decision="accepted", annotation=by_quote(page)["of"]["id"], base_revision=1)
    assert (again.status_code, judge.open(item)["decision"]["revised_since"]) == (201, False)


def test_another_annotation_that_was_revised_since_is_said_too(board: Board, judge: Judge) -> None:
    item = board.items[0]
    board.annotate_all(item)
    judge.post(item, decision="rejected", reason="cut off")
    board.annotate(1, item, "of", revision=2)
    page = judge.open(item)
    assert page["decision"]["revised_since"]
    assert [quotes(one) for one in page["annotations"] if one["revised_since"]] == ["of"]
    assert judge.listing(state="resolved")["items"][0]["revised_since"]


def test_a_decision_that_was_taken_back_can_be_gone_on_from(board: Board, judge: Judge) -> None:
    item = board.items[0]
    board.annotate_all(item)
    sent = marked(item.text, "of")
    edited = judge.post(item, decision="edited", spans=sent, annotation=by_quote(judge.open(item))["batch"]["id"])
    assert (edited.status_code, edited.json()["spans"]) == (201, sent)
    assert judge.post(item, decision="reopened", base_revision=1).json()["decision"] == "reopened"
    page = judge.open(item)
    assert (page["state"], page["revision"], page["decision"]) == ("open", 2, None)
    letter = by_quote(page)["batch"]["letter"]
    assert page["taken_back"] == {**edited.json(), "letter": letter, "revised_since": False}


def test_errors_name_the_span_and_the_field(board: Board, judge: Judge) -> None:
    item = board.items[0]
    board.annotate_all(item)
    answer = judge.post(
        item, decision="edited", spans=[span(item.text, item.text, "sentence"), span(item.text, "of", "act")]
    )
    assert answer.status_code == 400
    assert answer.json() == {
        "detail": "The decision was not stored.",
        "errors": {"spans[1].comment": ["Act “of” needs a comment."]},
    }
    assert set(judge.post(item, decision="rejected").json()["errors"]) == {"reason"}
    assert set(judge.post(item, decision="liked", client_id="x").json()["errors"]) == {"client_id", "decision"}
    assert not Validation.objects.exists()


def test_retries_and_conflicts_say_what_mends_them(board: Board, judge: Judge) -> None:
    item = board.items[0]
    board.annotate_all(item)
    sent = {"client_id": str(uuid.uuid4()), "decision": "rejected", "reason": "cut off"}
    first, again = judge.post(item, **sent), judge.post(item, **sent)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    reused = judge.post(item, **{**sent, "reason": "other"})
    assert (reused.status_code, reused.json()["code"]) == (409, "client_id_reused")
    stale = judge.post(item, decision="rejected", reason="mine")
    assert stale.status_code == 409
    assert stale.json() == {
        "code": "stale",
        "detail": "Somebody decided about this item after this page was loaded.",
        "current": first.json(),
        "letter": None,
    }


def test_neighbours_go_round_to_the_next_open_item(people: People, client_of: ClientOf) -> None:
    board = Board(people, size=4)
    judge = Judge(client_of(board.judge), str(people.project.uuid))
    a, _, c, d = board.items
    for item in (a, c):
        board.annotate_all(item)
    page = judge.open(c)
    ids = [str(item.uuid) for item in board.items]
    assert (page["previous"], page["next"], page["next_open"]) == (ids[1], ids[3], ids[0])
    page = judge.open(a)
    assert (page["previous"], page["next"], page["next_open"]) == (None, ids[1], ids[2])
    judge.post(c, decision="rejected", reason="cut off")
    assert judge.open(a)["next_open"] is None
    assert judge.open(d)["next_open"] == ids[0]


def test_items_without_spans_and_of_others_are_none(board: Board, judge: Judge, people: People) -> None:
    staged = BatchItem.objects.get(batch=open_batch(people.project, people.annotators, size=1, number=2)).item
    for path in (staged.uuid, uuid.uuid4()):
        assert judge.client.get(f"{judge.path}{path}/").status_code == 404
    assert len(judge.listing(state="all")["items"]) == len(board.items)


def test_answers_are_as_declared(board: Board, judge: Judge) -> None:
    item = board.items[0]
    board.annotate_all(item)
    add_source(item)
    page = judge.listing()
    same_keys(shapes.ValidationListOut(), page)
    stored = judge.post(item, decision="edited", spans=marked(item.text, "of"))
    same_keys(shapes.DecisionStored(), stored.json())
    same_keys(shapes.ValidationItemOut(), judge.open(item))


@pytest.mark.parametrize("size", [2, 24])
def test_the_number_of_queries_is_that_of_one_item(people: People, client_of: ClientOf, size: int) -> None:
    """Session, user, membership; then what is asked for: a statement with its settings for a page."""
    board = Board(people, size=size)
    for item in board.items:
        board.annotate_all(item)
    judge = Judge(client_of(board.judge), str(people.project.uuid))
    item = board.items[0]
    pinned_codebook.cache_clear()
    items.items_cache.clear()
    assert n_queries(lambda: judge.listing(state="all")) == 3 + 1
    # Standing and neighbours, decision, the reader's own, annotations, spans, sources; once a process item, codebook.
    assert n_queries(lambda: judge.open(item)) == 3 + 2 + 1 + 1 + 2 + 1 + ITEM_ONCE + FIRST_LOOK
    judge.post(item, decision="edited", spans=marked(item.text, "of"))
    assert n_queries(lambda: judge.open(item)) == 3 + 2 + 1 + 1 + 2 + 1 + 1 + LATER_LOOK


# Item, its utterance and document; utterances before; sources; codebook.
ITEM_ONCE = 5
# Whether others have answered and the reader has looked before; the first time again under a lock, and the event.
FIRST_LOOK, LATER_LOOK = 7, 2


def n_queries(call: Callable[[], Any]) -> int:
    """Savepoints and settings left out."""
    with CaptureQueriesContext(connection) as captured:
        call()
    statements = [query["sql"].strip() for query in captured.captured_queries]
    return len([sql for sql in statements if not sql.startswith(("SAVEPOINT", "RELEASE SAVEPOINT", "SET "))])
