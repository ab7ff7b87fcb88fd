"""A definition phase by its routes: everyone makes a list of their own."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Event, FactoidRevision, Membership, Role
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
    set_done,
    step,
    stored,
)
from tests.factories import make_member

Clients = Callable[[Membership], APIClient]


class Work:
    """A definition phase of Alice and Bob on two texts."""

    def __init__(self, people: People, client_of: Clients) -> None:
        self.people = people
        self.admin, self.alice, self.bob = map(client_of, (people.admin, *people.annotators[:2]))
        self.set = import_set(self.admin, people.project, FERRY)
        self.phase = open_phase(self.admin, self.set, "definition", people.annotators[:2])
        self.mine, self.theirs = (list_in(self.phase, member) for member in people.annotators[:2])


@pytest.fixture
def work(people: People, client_of: Clients) -> Work:
    return Work(people, client_of)


def test_a_list_holds_the_texts_of_the_set_and_what_was_linked(work: Work) -> None:
    (key,) = define(work.alice, work.mine, factoid("F1", "M02-001", "M01-001", description="a ferry sank"))
    shown = get_list(work.alice, work.mine)
    assert [text["id"] for text in shown["texts"]] == ["M01", "M02"]
    assert shown["texts"][0]["sentences"][1] == {"id": "M01-002", "text": "Two died."}
    # In the order of the set, whatever the order in which they were linked.
    linked = ["M01-001", "M02-001"]
    assert shown["factoids"] == [
        {"key": key, "id": "F1", "description": "a ferry sank", "sentences": linked, "absent": []}
    ]
    assert {name: shown[name] for name in ("kind", "step", "state", "revision", "owner", "may_edit", "items")} == {
        "kind": "definition",
        "step": "independent",
        "state": "open",
        "revision": 1,
        "owner": None,
        "may_edit": True,
        "items": [],
    }


def test_factoids_stand_in_natural_order_of_their_ids(work: Work) -> None:
    define(work.alice, work.mine, factoid("F10"), factoid("F9"), factoid("F9.21"), factoid("F9.3"))
    assert [each["id"] for each in get_list(work.alice, work.mine)["factoids"]] == ["F9", "F9.3", "F9.21", "F10"]


def test_a_split_a_merge_and_a_renumbering_are_one_step_each(work: Work) -> None:
    (key,) = define(work.alice, work.mine, factoid("F1", "M01-001", "M01-002", "M02-003"))
    second = str(uuid4())
    parts = change(factoid("F1", "M01-001"), key), change(factoid("F2", "M01-002", "M02-003"), second)
    answer = stored(work.alice, work.mine, step(1, "split", *parts))
    assert answer["revision"] == 2
    assert [each["id"] for each in answer["factoids"]] == ["F1", "F2"]
    # Two factoids change their ids with each other.
    swap = change(factoid("F2", "M01-001"), key), change(factoid("F1", "M01-002", "M02-003"), second)
    stored(work.alice, work.mine, step(2, "renumber", *swap))
    both = change(factoid("F2", "M01-001", "M01-002", "M02-003"), key), change(None, second)
    assert stored(work.alice, work.mine, step(3, "merge", *both))["factoids"] == [
        {"key": key, **factoid("F2", "M01-001", "M01-002", "M02-003")}
    ]
    assert [each["id"] for each in get_list(work.alice, work.mine)["factoids"]] == ["F2"]
    revisions = work.alice.get(f"/api/factoid-lists/{work.mine}/revisions/").json()
    assert [row["kind"] for row in revisions["revisions"]] == ["merge", "renumber", "split", "new"]
    assert revisions["revisions"][0]["changes"][1]["before"] == factoid("F1", "M01-002", "M02-003")
    assert (revisions["page"], revisions["n_pages"]) == (1, 1)


def test_a_step_from_an_older_revision_is_refused_with_the_latest(work: Work) -> None:
    define(work.alice, work.mine, factoid("F1"))
    answer = send(work.alice, work.mine, step(0, "new", change(factoid("F2"))))
    assert answer.status_code == 409
    assert (answer.json()["code"], answer.json()["latest"]) == ("stale", {"revision": 1})
    assert [each["id"] for each in get_list(work.alice, work.mine)["factoids"]] == ["F1"]


def test_a_step_that_is_sent_again_is_stored_once(work: Work) -> None:
    body = step(0, "new", change(factoid("F1", "M01-001")))
    first, again = (send(work.alice, work.mine, body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    other = send(work.alice, work.mine, body | {"kind": "split"})
    assert (other.status_code, other.json()["code"]) == (409, "client_id_reused")
    close(work.admin, work.phase)
    assert send(work.alice, work.mine, body).json() == first.json()
    assert FactoidRevision.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ([], "changes", "Name what changes: at least one factoid."),
        (
            [change(factoid("F2", "M09-001"))],
            "changes[0].after.sentences",
            "M09-001 is no sentence of this list's texts.",
        ),
        (
            [change(factoid("F2", "M01-001", "M01-001"))],
            "changes[0].after.sentences",
            "M01-001 stands twice: send it once.",
        ),
        (
            [change(factoid("F1"))],
            "changes[0].after.id",
            "F1 is the id of another factoid of this list: choose another.",
        ),
        (
            [change(factoid("F2")), change(factoid("F2"))],
            "changes[1].after.id",
            "F2 is the id of another factoid of this list: choose another.",
        ),
        ([change(factoid(" "))], "changes[0].after.id", "Give the factoid an id."),
        ([change(factoid("F" * 101))], "changes[0].after.id", "Has 101 characters; at most 100 are kept."),
        ([change(None)], "changes[0].key", "There is no such factoid in this list."),
        (
            [change(factoid("F2", absent=["M01"]))],
            "changes[0].after.absent",
            "Only an annotation of a given list says where a factoid is not: send an empty list.",
        ),
    ],
)
def test_a_wrong_step_is_refused_at_its_place(work: Work, changes: list[object], path: str, message: str) -> None:
    define(work.alice, work.mine, factoid("F1", "M01-001"))
    answer = send(work.alice, work.mine, step(1, "new", *changes))
    assert (answer.status_code, answer.json()["errors"]) == (400, {path: [message]})
    assert get_list(work.alice, work.mine)["revision"] == 1


def test_a_factoid_stands_once_in_a_step(work: Work) -> None:
    key = str(uuid4())
    answer = send(work.alice, work.mine, step(0, "new", change(factoid("F1"), key), change(factoid("F2"), key)))
    said = "This factoid stands twice in one step: send its last form only."
    assert answer.json()["errors"] == {"changes[1].key": [said]}


def test_a_sentence_of_another_set_is_unknown(work: Work) -> None:
    import_set(work.admin, work.people.project, {"K01": ["One."], "K02": ["Two."]}, "Kuwait")
    answer = send(work.alice, work.mine, step(0, "new", change(factoid("F1", "K01-001"))))
    assert answer.json()["errors"] == {"changes[0].after.sentences": ["K01-001 is no sentence of this list's texts."]}


def test_nobody_sees_anothers_list_while_the_phase_is_open(work: Work, client_of: Clients) -> None:
    judge = client_of(make_member(work.people.project, "judge", Role.ADJUDICATOR))
    for other in (work.bob, work.admin, judge, client_of(work.people.outsider)):
        for path in ("", "revisions/"):
            assert other.get(f"/api/factoid-lists/{work.mine}/{path}").status_code == 404
        assert send(other, work.mine, step(0, "new", change(factoid("F1")))).status_code == 404
        assert set_done(other, work.mine).status_code == 404


def test_a_closed_phase_is_read_by_those_who_resolve_and_changed_by_nobody(work: Work, client_of: Clients) -> None:
    judge = client_of(make_member(work.people.project, "judge", Role.ADJUDICATOR))
    define(work.alice, work.mine, factoid("F1"))
    close(work.admin, work.phase)
    for reader in (judge, work.admin):
        shown = get_list(reader, work.mine)
        owner = {"id": str(work.people.annotators[0].uuid), "name": "Alice"}
        assert (shown["owner"], shown["state"], shown["may_edit"]) == (owner, "closed", False)
        assert send(reader, work.mine, step(1, "new", change(factoid("F2")))).status_code == 404
    assert (get_list(work.alice, work.mine)["owner"], get_list(work.alice, work.mine)["may_edit"]) == (None, False)
    assert work.bob.get(f"/api/factoid-lists/{work.mine}/").status_code == 404
    for answer in (
        send(work.alice, work.mine, step(1, "new", change(factoid("F2")))),
        set_done(work.alice, work.mine),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "closed")


def test_a_reopened_phase_goes_on(work: Work) -> None:
    close(work.admin, work.phase)
    assert work.admin.post(f"/api/factoid-phases/{work.phase['id']}/reopen/").json()["closed_at"] is None
    define(work.alice, work.mine, factoid("F1"))


def test_an_archived_project_takes_no_steps(work: Work) -> None:
    first = step(0, "new", change(factoid("F1")))
    answered = stored(work.alice, work.mine, first)
    assert work.admin.post(f"/api/projects/{work.people.project.uuid}/archive/").status_code == 200
    answer = send(work.alice, work.mine, step(1, "new", change(factoid("F2"))))
    assert (answer.status_code, answer.json()["code"]) == (409, "closed")
    # The answer to a step that was stored may have been lost.
    retry = send(work.alice, work.mine, first)
    assert (retry.status_code, retry.json()) == (200, answered)
    done = set_done(work.alice, work.mine)
    assert (done.status_code, done.json()["code"]) == (409, "closed")
    assert get_list(work.alice, work.mine)["may_edit"] is False


def test_done_is_said_and_taken_back(work: Work) -> None:
    head = set_done(work.alice, work.mine).json()
    assert head["done_at"] is not None
    assert set_done(work.alice, work.mine).json()["done_at"] == head["done_at"]
    assert set_done(work.alice, work.mine, done=False).json()["done_at"] is None


def test_a_step_from_another_tab_is_kept_and_takes_done_back(work: Work) -> None:
    first = step(0, "new", change(factoid("F1")))
    stored(work.alice, work.mine, first)
    set_done(work.alice, work.mine)
    # A retry of what was stored before changes nothing.
    assert send(work.alice, work.mine, first).status_code == 200
    assert get_list(work.alice, work.mine)["done_at"] is not None
    stored(work.alice, work.mine, step(1, "new", change(factoid("F2"))))
    shown = get_list(work.alice, work.mine)
    assert ([each["id"] for each in shown["factoids"]], shown["done_at"]) == (["F1", "F2"], None)


def test_nobody_is_done_in_a_reopened_phase(work: Work) -> None:
    for client, own in ((work.alice, work.mine), (work.bob, work.theirs)):
        assert set_done(client, own).status_code == 200
    close(work.admin, work.phase)
    reopened = work.admin.post(f"/api/factoid-phases/{work.phase['id']}/reopen/").json()
    assert [person["done_at"] for person in reopened["people"]] == [None, None]


def test_everyone_is_told_of_their_own_list_and_admins_of_all(work: Work) -> None:
    define(work.alice, work.mine, factoid("F1", "M01-001"), factoid("F2"))
    path = f"/api/projects/{work.people.project.uuid}/text-sets/"
    seen = work.alice.get(path).json()
    assert seen["sets"] == []
    assert seen["mine"] == [
        {
            "list": work.mine,
            "set": "Ferry",
            "kind": "definition",
            "step": "independent",
            "phase_number": 1,
            "n_texts": 2,
            "n_factoids": 2,
            "n_answers": 1,
            "n_items": 0,
            "n_items_open": 0,
            "done_at": None,
        }
    ]
    (row,) = work.admin.get(path).json()["sets"]
    assert (row["name"], row["n_texts"], row["n_sentences"]) == ("Ferry", 2, 5)
    alice, bob = row["phases"][0]["people"]
    assert (alice["name"], alice["n_factoids"], alice["n_texts_done"]) == ("Alice", 2, 1)
    assert (bob["name"], bob["n_factoids"], bob["n_texts_done"], bob["last_at"]) == ("Bob", 0, 0, None)


def test_more_people_get_a_list(work: Work) -> None:
    charlie = work.people.annotators[2]
    path = f"/api/factoid-phases/{work.phase['id']}/members/"
    body = {"members": [str(charlie.uuid)]}
    assert len(work.admin.post(path, body, format="json").json()["people"]) == 3
    twice = work.admin.post(path, body, format="json")
    assert twice.json()["errors"] == {"members": ["Charlie has a list in this phase already."]}
    close(work.admin, work.phase)
    late = work.admin.post(path, body, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "closed")


def test_a_phase_is_for_active_members_who_annotate(work: Work) -> None:
    judge = make_member(work.people.project, "judge", Role.ADJUDICATOR)
    for member in (judge, work.people.outsider):
        body = {"kind": "definition", "members": [str(member.uuid)]}
        answer = work.admin.post(f"/api/text-sets/{work.set.uuid}/phases/", body, format="json")
        assert answer.status_code == 400
        assert list(answer.json()["errors"]) == ["members"]


def test_the_log_says_what_admins_did(work: Work) -> None:
    close(work.admin, work.phase)
    lines = work.admin.get(f"/api/projects/{work.people.project.uuid}/events/").json()["lines"]
    assert [line["sentence"] for line in lines[:3]] == [
        "Closed phase 1 of “Ferry”.",
        "Opened phase 1 of “Ferry”: definition, independent, 2 lists.",
        "Imported the text set “Ferry”: 2 texts.",
    ]
    assert Event.objects.filter(actor=work.people.admin.user).count() >= 3
