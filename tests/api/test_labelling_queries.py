"""How many queries labelling costs, and which: pinned, and the same for a batch of any size."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.api import items
from annotation_app.assignment.open_batch import batch_facts_cache
from annotation_app.codebook.definition import pinned_codebook
from annotation_app.models import Membership
from tests.api.labelling import Person, body
from tests.assignment.batches import open_batch
from tests.conftest import People

ClientOf = Callable[[Membership], APIClient]

WHO = ["session", "user", "membership"]
LOCK_PERSON = "membership FOR UPDATE"
LOCK_ROW = "assignment and membership FOR UPDATE, batch FOR SHARE"
STORE = "insert annotation, answers and spans, assignment done"
TAKE = "claim, and what is in hand"
# k of n: who else is idle, what still has a slot, and the locks of the items.
COMPETED = ["counts", "open with slot", "idle claims", "items to claim SKIP LOCKED"]
# Read once a process for a batch, a codebook version and an item.
BATCH_ONCE, CODEBOOK_ONCE = "batch facts", "codebookversion"
ITEMS_ONCE = ["item", "utterance", "utterances before", "itemsource"]

COMMENTS = re.compile(r"^\s*--[^\n]*\n", re.MULTILINE)
OWN_STATEMENTS = {
    # It looks into another table before its own is named.
    'SELECT "annotation_app_item"."id"': "item",
    "SELECT m.id, m.uuid": "membership",
    "SELECT a.id, a.state, a.slot": LOCK_ROW,
    "SELECT b.id, b.number": BATCH_ONCE,
    "SELECT a.annotator_id, i.batch_id,\n    count": "counts",
    "SELECT a.annotator_id, i.batch_id, count": "open with slot",
    "SELECT own.id": "utterances before",
}
# Statements that begin with steps are told apart by a part of them.
PARTS = {"stored_answers AS": STORE, "SELECT i.item_id, rows.*": TAKE, "FROM my_takeable": "items to claim SKIP LOCKED"}


@pytest.fixture(autouse=True)
def forget() -> None:
    """As a process that has just started."""
    batch_facts_cache.clear()
    pinned_codebook.cache_clear()
    items.items_cache.clear()


def queries(call: Callable[[], Any], status: int = 200) -> list[str]:
    """The kinds of the statements that a request runs, transaction control left out."""
    with CaptureQueriesContext(connection) as captured:
        assert call().status_code == status
    statements = [COMMENTS.sub("", query["sql"]).strip() for query in captured.captured_queries]
    return [kind(sql) for sql in statements if not sql.startswith(("SAVEPOINT", "RELEASE SAVEPOINT"))]


def kind(sql: str) -> str:
    for start, name in OWN_STATEMENTS.items():
        if sql.startswith(start):
            return name
    for part, name in PARTS.items():
        if part in sql:
            return name
    match = re.match(r'(INSERT INTO|SELECT .*? FROM) "(?:annotation_app_|django_)?(\w+)"', sql, re.DOTALL)
    assert match, sql
    if "SKIP LOCKED" in sql:
        return "idle claims"
    lock = " FOR UPDATE" if "FOR NO KEY UPDATE" in sql else ""
    return f"insert {match[2]}" if match[1] == "INSERT INTO" else f"{match[2]}{lock}"


@pytest.mark.parametrize("size", [6, 60])
def test_it_pins_the_queries_of_labelling(people: People, client_of: ClientOf, size: int) -> None:
    open_batch(people.project, people.annotators, size=size)
    alice = Person(client_of(people.annotators[0]), str(people.project.uuid))
    first_ever = [*WHO, LOCK_PERSON, "counts", BATCH_ONCE, TAKE, "insert event", *ITEMS_ONCE, CODEBOOK_ONCE]
    assert queries(alice.next) == first_ever
    assert queries(alice.next) == [*WHO, LOCK_PERSON, "counts", TAKE]
    first, second, third = (row["id"] for row in alice.window()["assignments"])
    submit = [*WHO, LOCK_ROW, STORE, "counts", TAKE, "insert event"]
    assert queries(lambda: alice.submit(first), 201) == [*submit, *ITEMS_ONCE]
    # Once somebody was shown the item that comes next, nobody reads it again.
    alice.window(10)
    assert queries(lambda: alice.submit(second), 201) == submit
    sent = body()
    alice.submit(third, sent)
    replay = [*WHO, LOCK_ROW, "annotation", "answer", "counts", TAKE]
    assert queries(lambda: alice.submit(third, sent)) == replay
    revise = [*WHO, LOCK_ROW, "annotation", STORE, "counts", TAKE, "insert event"]
    assert queries(lambda: alice.submit(third, base_revision=1), 201) == revise


@pytest.mark.parametrize("size", [6, 60])
def test_it_pins_the_queries_where_slots_are_competed_for(people: People, client_of: ClientOf, size: int) -> None:
    open_batch(people.project, people.annotators, size=size, k=2)
    alice = Person(client_of(people.annotators[0]), str(people.project.uuid))
    first, *_ = (row["id"] for row in alice.window()["assignments"])
    submit = [*WHO, LOCK_ROW, STORE, *COMPETED, TAKE, "insert event", *ITEMS_ONCE]
    assert queries(lambda: alice.submit(first), 201) == submit
    assert queries(alice.next) == [*WHO, LOCK_PERSON, *COMPETED[:3], TAKE]


@pytest.mark.parametrize("size", [4, 12])
def test_it_pins_the_queries_of_going_back(people: People, client_of: ClientOf, size: int) -> None:
    open_batch(people.project, people.annotators, size=size)
    alice = Person(client_of(people.annotators[0]), str(people.project.uuid))
    for row in alice.window(10)["assignments"][: size - 1]:
        alice.submit(row["id"])
    last = alice.window(1)["assignments"]
    expected = ["session", "user", "membership", "counts", "assignment", "annotation", "answer"]
    assert queries(lambda: alice.client.get(f"{alice.project}/assignments/")) == expected
    one = f"/api/assignments/{last[0]['id']}/"
    assert queries(lambda: alice.client.get(one)) == [*WHO, "assignment"]
