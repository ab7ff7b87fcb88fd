"""The second look of a definition: its items follow from the relations that were judged."""

from collections.abc import Callable

from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.conftest import People
from tests.factoids.api import (
    FERRY,
    change,
    close,
    define,
    factoid,
    get_list,
    import_set,
    list_in,
    open_phase,
    send,
    step,
    stored,
)
from tests.factoids.rows import judge, make_pairing

Clients = Callable[[Membership], APIClient]


def test_everyone_gets_their_own_factoid_where_a_related_one_differs(people: People, client_of: Clients) -> None:
    admin, alice, bob = map(client_of, (people.admin, *people.annotators[:2]))
    text_set = import_set(admin, people.project, FERRY)
    phase = open_phase(admin, text_set, "definition", people.annotators[:2])
    ours, theirs = (list_in(phase, member) for member in people.annotators[:2])
    define(alice, ours, factoid("P1", "M01-001"), factoid("P2", "M01-002", "M02-003"), factoid("P3", "M02-002"))
    define(bob, theirs, factoid("Q1", "M01-001", "M02-001"), factoid("Q2", "M01-002"), factoid("Q3", "M01-001"))
    close(admin, phase)
    body = {"kind": "definition", "step": "second_look", "follows": phase["id"]}
    path = f"/api/text-sets/{text_set.uuid}/phases/"
    early = admin.post(path, body, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "nothing_differs")
    pairing = make_pairing(*(text_set.lists.get(uuid=each) for each in (ours, theirs)))
    judge(pairing, ("P1", "Q1", "equal"), ("P2", "Q2", "subsumes"), ("P3", "Q3", "related"))
    # What was judged last counts: P2 was once called unrelated to Q1, and P3 once equal to Q2.
    judge(pairing, ("P2", "Q1", "equal"), ("P2", "Q1", ""), ("P3", "Q2", "equal"), ("P3", "Q2", "unrelated"))
    reopened = admin.post(f"/api/factoid-phases/{phase['id']}/reopen/")
    assert "Relations between their factoids were judged" in reopened.json()["detail"]
    second = admin.post(path, body, format="json").json()

    # P1 = Q1 differ in M02, P2 and Q2 in M02. P3 and Q3 are only related.
    items = {}
    for client, member in ((alice, people.annotators[0]), (bob, people.annotators[1])):
        shown = get_list(client, list_in(second, member))
        names = {each["key"]: each["id"] for each in shown["factoids"]}
        items |= {(names[item["key"]], item["text"]): item["was_there"] for item in shown["items"]}
    assert items == {("P1", "M02"): False, ("P2", "M02"): True, ("Q1", "M02"): True, ("Q2", "M02"): False}

    mine = list_in(second, people.annotators[0])
    shown = get_list(alice, mine)
    keys = {each["id"]: each["key"] for each in shown["factoids"]}
    item = next(item for item in shown["items"] if item["key"] == keys["P1"])
    decided = {"id": item["id"], "is_there": True, "note": ""}
    assert send(alice, mine, step(0, "new", change(factoid("P9")))).json()["errors"] == {
        "changes[0].key": ["The factoids of this list are given: none is added or deleted here."]
    }
    stored(alice, mine, step(0, "decide", change(factoid("P1", "M01-001", "M02-001"), keys["P1"]), item=decided))
    assert get_list(alice, mine)["items"][0]["is_there"] is True
    closed = close(admin, second)
    assert closed["closed_at"] is not None
    refused = admin.post(path, body | {"step": "consensus", "follows": second["id"]}, format="json")
    assert refused.json()["errors"] == {
        "step": ["Lists of a definition come to a consensus by their relations: propose a consensus list."]
    }
