"""What waits for those who settle, counted for the list of projects."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.models import Assignment, Item, Membership, Round
from annotation_app.rounds.second_look import second_look_close
from tests.aggregation.decided import decide, withdraw
from tests.agreement.tables import at, fill, revise
from tests.conftest import People
from tests.factories import make_member
from tests.rounds.second_looks import PAIR, look_again, of_round, opened
from tests.validation.board import Board

ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def pair(people: People) -> Round:
    """Alice and Bob on four items. Three are to decide: two ties, and a yes that opened a question nobody answered."""
    return of_round(people, fill(people.project, people.annotators[:2], at("opinion", PAIR)))


def counts(client: APIClient, people: People) -> tuple[int, int, int]:
    found = client.get(f"/api/projects/{people.project.uuid}/waiting/").json()
    return found["to_validate"], found["to_decide"], found["to_agree"]


def test_it_counts_items_to_validate(people: People, client_of: ClientOf) -> None:
    board = Board(people)
    client = client_of(board.judge)
    assert counts(client, people) == (0, 0, 0)
    for item in board.items:
        board.annotate_all(item)
    assert counts(client, people) == (2, 0, 0)
    board.decide(board.items[0], "rejected", reason="torn")
    assert counts(client, people) == (1, 0, 0)


def test_it_counts_disagreements_and_what_a_second_look_left(people: People, pair: Round, client_of: ClientOf) -> None:
    judge = client_of(make_member(people.project, "judith", "adjudicator"))
    admin = client_of(people.admin)
    assert counts(judge, people) == counts(admin, people) == (0, 3, 0)
    opened(people, pair)
    look_again(people.annotators[1], {"bob-yes": {"opinion": "no"}})
    assert counts(admin, people) == (0, 3, 0)
    second_look_close(row=pair, actor=people.admin.user)
    assert counts(admin, people) == (0, 3, 2)
    assert counts(judge, people) == (0, 3, 0)
    decide(people.admin, Item.objects.get(external_id="alice-yes"), {"opinion": "no"})
    assert counts(admin, people) == (0, 2, 1)


def test_it_leaves_out_what_the_list_hides_from_the_reader(people: People, pair: Round, client_of: ClientOf) -> None:
    """Own answers that can still be changed: the number of ties would tell how the others answered."""
    bob = people.annotators[1]
    Membership.objects.filter(pk=bob.pk).update(role="admin")
    client, project = client_of(bob), f"/api/projects/{people.project.uuid}"
    assert counts(client, people) == (0, 0, 0)
    assert client.get(f"{project}/overview/").json()["waiting"]["disagreements"] == 0
    item = client_of(people.admin).get(f"{project}/adjudication/").json()["items"][0]["id"]
    assert client.get(f"{project}/adjudication/{item}/?own=locked").status_code == 200
    assert counts(client, people) == (0, 1, 0)
    assert client.get(f"{project}/overview/").json()["waiting"]["disagreements"] == 1


def test_it_follows_answers_and_decisions_as_the_lists_do(people: People, pair: Round, client_of: ClientOf) -> None:
    """The look is over once Alice and Bob have both taken it, and may be revised until it is closed."""
    client = client_of(people.admin)
    alice, bob, _ = people.annotators

    def both() -> list[tuple[int, int]]:
        lists = f"/api/projects/{people.project.uuid}/adjudication/"
        first, second = (client.get(lists, {"phase": phase}).json()["counts"]["open"] for phase in (1, 2))
        found = counts(client, people)[1:]
        return [found, (first, second)]

    assert both() == [(3, 0)] * 2
    look = opened(people, pair)
    look_again(alice, {"alice-yes": {"opinion": "no"}, "bob-yes": {"opinion": "no"}})
    assert both() == [(3, 0)] * 2
    look_again(bob, {"alice-yes": {"opinion": "no"}, "bob-yes": {"opinion": "ambiguous"}})
    # Left are Bob's other label, and the yes of both that opened a question which nobody answered.
    assert both() == [(3, 2)] * 2
    row = Assignment.objects.get(batch_item__batch=look, annotator=bob, batch_item__item__external_id="bob-yes")
    revise(look, [(row, {"opinion": "no"})], revision=2)
    assert both() == [(3, 1)] * 2
    second_look_close(row=pair, actor=people.admin.user)
    item = Item.objects.get(external_id="both-yes")
    decide(people.admin, item, {"opinion": "no"})
    assert both() == [(2, 0)] * 2
    withdraw(people.admin, item)
    assert both() == [(3, 1)] * 2


def test_it_counts_in_a_constant_number_of_queries(people: People, pair: Round, client_of: ClientOf) -> None:
    client = client_of(people.admin)

    def queries(items: int, number: int) -> int:
        table = at("opinion", {f"{number}.{n}": "YNA" for n in range(items)})
        fill(people.project, people.annotators, table, number=number)
        with CaptureQueriesContext(connection) as captured:
            assert counts(client, people)[1] >= items
        return len(captured)

    queries(1, 2)
    assert queries(1, 3) == queries(30, 4)
