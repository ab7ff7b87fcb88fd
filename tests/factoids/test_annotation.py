"""Annotation by its routes: a given list is marked, looked at a second time, and brought to a consensus."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import FactoidItem, Membership, Role
from tests.conftest import People
from tests.factoids.api import (
    Json,
    change,
    close,
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
from tests.factoids.rows import add_text, publish_list
from tests.factories import make_member

Clients = Callable[[Membership], APIClient]
TEXTS = {"M01": ["A ferry sank.", "Two died."], "M02": ["A ferry went down.", "Two are dead."]}


class Annotation:
    """A phase in which Alice and Bob mark a list of F1 and F2 in two texts."""

    def __init__(self, people: People, client_of: Clients) -> None:
        self.people = people
        self.admin, self.alice, self.bob = map(client_of, (people.admin, *people.annotators[:2]))
        self.judge = client_of(make_member(people.project, "judge", Role.ADJUDICATOR))
        self.set = import_set(self.admin, people.project, TEXTS)
        self.given = publish_list(self.set, {"F1": ["M01-001"], "F2": ["M01-002"]})
        self.keys = {each.external_id: str(each.key) for each in self.given.factoids.all()}
        self.phase = self.opened("independent", given=str(self.given.uuid), members=people.annotators[:2])

    def opened(self, step: str, **given: Any) -> Json:
        return open_phase(self.admin, self.set, "annotation", step=step, **given)

    def list_of(self, phase: Json, client: APIClient) -> str:
        return list_in(phase, self.people.annotators[[self.alice, self.bob].index(client)])

    def marked(self, name: str, *sentences: str, absent: tuple[str, ...] = ()) -> Json:
        text = factoid(name, *sentences, absent=absent, description=f"what {name} says")
        return change(text, self.keys[name])

    def mark(self, client: APIClient, *changes: Json) -> None:
        list_id = self.list_of(self.phase, client)
        stored(client, list_id, step(get_list(client, list_id)["revision"], "link", *changes))

    def differ(self) -> None:
        """Alice and Bob differ on F1 in M02, and on F2 in M01. F1 in M01 is linked to different sentences."""
        self.mark(self.alice, self.marked("F1", "M01-001", "M02-001"), self.marked("F2", absent=("M01", "M02")))
        self.mark(self.bob, self.marked("F1", "M01-002", absent=("M02",)), self.marked("F2", "M01-002"))
        close(self.admin, self.phase)


@pytest.fixture
def annotation(people: People, client_of: Clients) -> Annotation:
    return Annotation(people, client_of)


def items_of(shown: Json) -> dict[tuple[str, str], Json]:
    """The items of a list by (id of the factoid, text)."""
    names = {each["key"]: each["id"] for each in shown["factoids"]}
    return {(names[item["key"]], item["text"]): item for item in shown["items"]}


def test_the_list_is_given_without_its_links(annotation: Annotation) -> None:
    shown = get_list(annotation.alice, annotation.list_of(annotation.phase, annotation.alice))
    assert [(each["id"], each["key"], each["sentences"]) for each in shown["factoids"]] == [
        ("F1", annotation.keys["F1"], []),
        ("F2", annotation.keys["F2"], []),
    ]
    assert annotation.phase["given_version"] == 1


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        (lambda a: [change(factoid("F3"))], "changes[0].key"),
        (lambda a: [change(None, a.keys["F1"])], "changes[0].key"),
        (lambda a: [change(factoid("F9", description="what F1 says"), a.keys["F1"])], "changes[0].after.id"),
        (lambda a: [change(factoid("F1", description="else"), a.keys["F1"])], "changes[0].after.description"),
        (lambda a: [a.marked("F1", "M01-001", absent=("M01",))], "changes[0].after.absent"),
        (lambda a: [a.marked("F1", absent=("M09",))], "changes[0].after.absent"),
        (lambda a: [a.marked("F1", absent=("M01", "M01"))], "changes[0].after.absent"),
    ],
)
def test_only_links_and_absences_change(
    annotation: Annotation, changes: Callable[[Annotation], list[Json]], path: str
) -> None:
    list_id = annotation.list_of(annotation.phase, annotation.alice)
    answer = send(annotation.alice, list_id, step(0, "link", *changes(annotation)))
    assert (answer.status_code, list(answer.json()["errors"])) == (400, [path])


def test_it_is_done_once_every_factoid_is_answered_in_every_text(annotation: Annotation) -> None:
    list_id = annotation.list_of(annotation.phase, annotation.alice)
    annotation.mark(annotation.alice, annotation.marked("F1", "M01-001", "M01-002", absent=("M02",)))
    refused = set_done(annotation.alice, list_id)
    assert (refused.status_code, refused.json()["code"]) == (409, "unfinished")
    assert refused.json()["detail"].startswith("2 answers missing")
    annotation.mark(annotation.alice, annotation.marked("F2", "M02-002"))
    (row,) = annotation.admin.get(f"/api/projects/{annotation.people.project.uuid}/text-sets/").json()["sets"]
    # M02 is answered for both factoids, M01 for one.
    assert row["phases"][0]["people"][0]["n_texts_done"] == 1
    (own,) = annotation.alice.get(f"/api/projects/{annotation.people.project.uuid}/text-sets/").json()["mine"]
    assert (own["n_answers"], own["n_factoids"], own["n_texts"]) == (3, 2, 2)
    annotation.mark(annotation.alice, annotation.marked("F2", "M02-002", absent=("M01",)))
    assert set_done(annotation.alice, list_id).json()["done_at"] is not None


def test_the_second_look_asks_everyone_what_differs(annotation: Annotation) -> None:
    annotation.differ()
    phase = annotation.opened("second_look", follows=annotation.phase["id"])
    assert phase["follows"] == annotation.phase["id"]
    own = get_list(annotation.alice, annotation.list_of(phase, annotation.alice))
    assert {name: (item["was_there"], item["is_there"]) for name, item in items_of(own).items()} == {
        ("F1", "M02"): (True, None),
        ("F2", "M01"): (False, None),
    }
    assert [each["sentences"] for each in own["factoids"]] == [["M01-001", "M02-001"], []]
    assert [each["absent"] for each in own["factoids"]] == [[], ["M01", "M02"]]
    assert all(item["answers"] == [] for item in own["items"])
    other = get_list(annotation.bob, annotation.list_of(phase, annotation.bob))
    assert {name: item["was_there"] for name, item in items_of(other).items()} == {
        ("F1", "M02"): False,
        ("F2", "M01"): True,
    }
    assert other["factoids"][0]["key"] == own["factoids"][0]["key"]


def test_an_item_is_confirmed_corrected_and_opened_again(annotation: Annotation) -> None:
    annotation.differ()
    phase = annotation.opened("second_look", follows=annotation.phase["id"])
    list_id = annotation.list_of(phase, annotation.alice)
    items = items_of(get_list(annotation.alice, list_id))
    kept = {"id": items["F1", "M02"]["id"], "is_there": True, "note": "It says went down."}
    stored(annotation.alice, list_id, step(0, "decide", item=kept))
    new = {"id": items["F2", "M01"]["id"], "is_there": True, "note": ""}
    corrected = annotation.marked("F2", "M01-002", absent=("M02",))
    stored(annotation.alice, list_id, step(1, "decide", corrected, item=new))
    items = items_of(get_list(annotation.alice, list_id))
    assert [item["is_there"] for item in items.values()] == [True, True]
    assert items["F1", "M02"]["note"] == "It says went down."
    assert set_done(annotation.alice, list_id).status_code == 200
    back = {"id": items["F2", "M01"]["id"], "is_there": None, "note": ""}
    stored(annotation.alice, list_id, step(2, "undo", annotation.marked("F2", absent=("M01", "M02")), item=back))
    assert get_list(annotation.alice, list_id)["done_at"] is None
    again = items_of(get_list(annotation.alice, list_id))["F2", "M01"]
    assert (again["is_there"], again["decided_at"]) == (None, None)
    assert set_done(annotation.alice, list_id).json()["detail"].startswith("1 item to decide")


def test_an_answer_and_its_links_never_differ(annotation: Annotation) -> None:
    annotation.differ()
    phase = annotation.opened("second_look", follows=annotation.phase["id"])
    list_id = annotation.list_of(phase, annotation.alice)
    items = items_of(get_list(annotation.alice, list_id))
    there, gone = ({"id": items["F2", "M01"]["id"], "is_there": said, "note": ""} for said in (True, False))
    link, other = (
        annotation.marked("F2", "M01-002", absent=("M02",)),
        annotation.marked("F2", "M02-001", absent=("M01",)),
    )
    for body, path in (
        (step(0, "decide", item=there), "item.is_there"),
        (step(0, "decide", link, item=gone), "item.is_there"),
        (step(0, "link", link), "changes[0].after"),
        (step(0, "decide", other, item=gone), "changes[0].after"),
        (step(0, "decide", item={**there, "id": annotation.phase["id"]}), "item.id"),
    ):
        answer = send(annotation.alice, list_id, body)
        assert (answer.status_code, list(answer.json()["errors"])) == (400, [path])
    assert FactoidItem.objects.filter(is_there__isnull=False).count() == 0


def test_a_consensus_has_what_all_agree_on_and_the_rest_as_items(annotation: Annotation) -> None:
    annotation.differ()
    phase = annotation.opened("consensus", follows=annotation.phase["id"])
    (person,) = phase["people"]
    assert (person["member"], person["name"], person["n_items"], person["n_items_open"]) == (None, "", 2, 2)
    shown = get_list(annotation.judge, person["list"])
    # Both see F1 in M01, each in another sentence. Nobody sees F2 in M02.
    assert [each["sentences"] for each in shown["factoids"]] == [["M01-001", "M01-002"], []]
    assert [each["absent"] for each in shown["factoids"]] == [[], ["M02"]]
    assert (shown["owner"], shown["may_edit"], shown["kind"], shown["step"]) == (None, True, "annotation", "consensus")
    item = items_of(shown)["F1", "M02"]
    assert (item["was_there"], item["is_there"]) == (None, None)
    assert item["answers"] == [
        {"name": "Alice", "is_there": True, "sentences": ["M02-001"]},
        {"name": "Bob", "is_there": False, "sentences": []},
    ]
    assert annotation.alice.get(f"/api/factoid-lists/{person['list']}/").status_code == 404
    mine = annotation.judge.get(f"/api/projects/{annotation.people.project.uuid}/text-sets/").json()
    assert [(each["list"], each["n_items_open"]) for each in mine["mine"]] == [(person["list"], 2)]
    assert [(each["name"], each["phases"]) for each in mine["sets"]] == [("Ferry", [])]


def test_a_consensus_is_closed_once_every_item_is_decided(annotation: Annotation) -> None:
    annotation.differ()
    phase = annotation.opened("consensus", follows=annotation.phase["id"])
    list_id = phase["people"][0]["list"]
    refused = annotation.admin.post(f"/api/factoid-phases/{phase['id']}/close/")
    assert (refused.status_code, refused.json()["code"]) == (409, "unfinished")
    items = items_of(get_list(annotation.judge, list_id))
    first = {"id": items["F1", "M02"]["id"], "is_there": True, "note": "Alice is right."}
    stored(
        annotation.judge,
        list_id,
        step(0, "decide", annotation.marked("F1", "M01-001", "M01-002", "M02-001"), item=first),
    )
    second = {"id": items["F2", "M01"]["id"], "is_there": False, "note": ""}
    stored(annotation.admin, list_id, step(1, "decide", annotation.marked("F2", absent=("M01", "M02")), item=second))
    other = annotation.marked("F1", "M01-001", "M01-002", absent=("M02",))
    stored(annotation.admin, list_id, step(2, "decide", other, item={**first, "is_there": False, "note": ""}))
    close(annotation.admin, phase)
    # The judge's note is overwritten in the item, and stays in the log, which names nobody.
    newest, _, oldest = annotation.judge.get(f"/api/factoid-lists/{list_id}/revisions/").json()["revisions"]
    theirs = {"is_there": True, "note": "Alice is right."}
    assert oldest["item"] == {"id": first["id"], "before": {"is_there": None, "note": ""}, "after": theirs}
    assert newest["item"] == {"id": first["id"], "before": theirs, "after": {"is_there": False, "note": ""}}
    assert set(newest) == {"revision", "kind", "changes", "item", "created_at"}
    assert get_list(annotation.judge, list_id)["state"] == "closed"


def test_what_is_corrected_in_the_second_look_needs_no_consensus(annotation: Annotation) -> None:
    annotation.differ()
    add_text(annotation.set, "S1", ["A system wrote this."], is_system=True)
    phase = annotation.opened("second_look", follows=annotation.phase["id"])
    list_id = annotation.list_of(phase, annotation.alice)
    shown = get_list(annotation.alice, list_id)
    # The system's text came after the first phase, and nobody has marked it.
    assert [text["id"] for text in shown["texts"]] == ["M01", "M02"]
    item = {"id": items_of(shown)["F2", "M01"]["id"], "is_there": True, "note": ""}
    stored(annotation.alice, list_id, step(0, "decide", annotation.marked("F2", "M01-002", absent=("M02",)), item=item))
    close(annotation.admin, phase)
    last = annotation.opened("consensus", follows=phase["id"])
    shown = get_list(annotation.judge, last["people"][0]["list"])
    assert list(items_of(shown)) == [("F1", "M02")]
    assert [each["sentences"] for each in shown["factoids"]] == [["M01-001", "M01-002"], ["M01-002"]]
    assert [text["id"] for text in shown["texts"]] == ["M01", "M02"]


def test_phases_go_on_from_closed_ones_of_their_kind_once(annotation: Annotation) -> None:
    body = {"kind": "annotation", "step": "second_look", "follows": annotation.phase["id"]}

    def refused(more: Json) -> Any:
        return annotation.admin.post(f"/api/text-sets/{annotation.set.uuid}/phases/", body | more, format="json")

    assert refused({}).json()["code"] == "phase_open"
    annotation.differ()
    assert list(refused({"kind": "definition"}).json()["errors"]) == ["kind"]
    assert list(refused({"follows": None}).json()["errors"]) == ["follows"]
    assert list(refused({"members": [str(annotation.people.annotators[2].uuid)]}).json()["errors"]) == ["members"]
    assert refused({}).status_code == 201
    assert refused({"step": "consensus"}).json()["code"] == "followed"
    used = annotation.admin.post(f"/api/factoid-phases/{annotation.phase['id']}/reopen/")
    assert (used.status_code, used.json()["code"]) == (409, "used")
    assert "Phase 2 goes on from them" in used.json()["detail"]


def test_there_is_no_second_look_where_nothing_differs(annotation: Annotation) -> None:
    close(annotation.admin, annotation.phase)
    body = {"kind": "annotation", "step": "second_look", "follows": annotation.phase["id"]}
    answer = annotation.admin.post(f"/api/text-sets/{annotation.set.uuid}/phases/", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_differs")
    assert annotation.set.phases.count() == 1


def test_an_annotation_needs_a_published_list_of_the_set(annotation: Annotation) -> None:
    path = f"/api/text-sets/{annotation.set.uuid}/phases/"
    members = [str(annotation.people.annotators[0].uuid)]
    for given in (None, annotation.list_of(annotation.phase, annotation.alice)):
        body = {"kind": "annotation", "members": members, "given": given}
        assert list(annotation.admin.post(path, body, format="json").json()["errors"]) == ["given"]
