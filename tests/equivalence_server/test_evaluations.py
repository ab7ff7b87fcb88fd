"""Evaluations through the API: created, changed, undone, reviewed, removed."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from annotation_app.models import EquivalenceRevision, Event, Membership
from tests.conftest import People
from tests.equivalence_server.api import Classes, made, says
from tests.equivalence_server.rows import settled_articles

pytestmark = pytest.mark.django_db

Client = Callable[[Membership], APIClient]


@pytest.fixture
def classes(people: People, client_of: Client) -> Classes:
    settled_articles(people)
    return Classes(client_of(people.admin), people.project)


def test_it_creates_an_evaluation_once(classes: Classes, people: People) -> None:
    client_id = str(uuid4())
    first = classes.create(" acts ", client_id=client_id)
    assert {key: first[key] for key in ("category", "name", "part", "revision", "classes", "undo_to")} == {
        "category": "act",
        "name": "acts",
        "part": "words",
        "revision": 1,
        "classes": [],
        "undo_to": None,
    }
    assert first["left_out"] == "it has no class, and an evaluation needs two or more"
    assert classes.create("acts", client_id=client_id)["id"] == first["id"]
    refused = classes.post(status=409, category="act", name="others", part="words", in_depth=False, client_id=client_id)
    assert refused["code"] == "client_id_reused"
    again = classes.post(
        status=400, category="act", name="acts", part="comment", in_depth=False, client_id=str(uuid4())
    )
    assert "choose another name" in again["errors"]["name"][0]
    unknown = classes.post(status=400, category="verb", name="a", part="words", in_depth=False, client_id=str(uuid4()))
    assert "std_sentence, act, actor" in unknown["errors"]["category"][0]
    assert [each["name"] for each in classes.get()["evaluations"]] == ["acts"]
    event = Event.objects.get(verb="equivalence_created")
    assert (event.actor, event.subject, event.data) == (people.admin.user, first["id"], {"name": "acts"})


def test_a_save_knows_a_retry_and_a_change_by_somebody_else(classes: Classes) -> None:
    evaluation = classes.create()
    cut, held = made("lower", "cut rates"), made("", "held rates")
    client_id = str(uuid4())
    saved = classes.save(evaluation, [cut, held], client_id=client_id)
    assert (saved["revision"], saved["undo_to"], says(saved)) == (
        2,
        1,
        [("lower", ["cut rates"]), ("", ["held rates"])],
    )
    assert (saved["n_classes"], saved["n_members"], saved["n_unused"], saved["left_out"]) == (2, 2, 0, "")
    assert classes.save(evaluation, [cut, held], client_id=client_id)["revision"] == 2
    stale = classes.save(evaluation, [cut], 409)
    assert (stale["code"], stale["current"]["revision"], says(stale["current"])) == ("stale", 2, says(saved))
    reused = classes.save(saved, [cut], 409, client_id=client_id)
    assert reused["code"] == "client_id_reused"
    # What a retry says differently would be lost.
    other = classes.save(evaluation, [cut, held | {"name": "hold"}], 409, client_id=client_id)
    assert (other["code"], classes.get(f"{evaluation['id']}/")["revision"]) == ("client_id_reused", 2)


def test_a_create_is_not_repeated_once_its_evaluation_is_removed(classes: Classes) -> None:
    client_id = str(uuid4())
    first = classes.create(client_id=client_id)
    classes.post(f"{first['id']}/remove/")
    refused = classes.post(status=409, category="act", name="acts", part="words", in_depth=False, client_id=client_id)
    assert (refused["code"], "removed since" in refused["detail"]) == ("removed", True)
    assert classes.create()["id"] != first["id"]


def test_a_retry_of_an_undo_or_a_restore_says_the_same(classes: Classes) -> None:
    second = classes.save(classes.create(), [made("", "cut rates")])
    third = classes.save(second, [made("", "held rates")])
    ids = {"client_id": str(uuid4())}
    back = classes.act(third, "undo", **ids)
    assert classes.act(third, "undo", **ids)["revision"] == back["revision"] == 4
    # A restore of the same revision has the same content, and is another change.
    assert classes.act(third, "restore", 409, revision=2, **ids)["code"] == "client_id_reused"
    assert classes.save(third, back["classes"], 409, **ids)["code"] == "client_id_reused"
    ids = {"client_id": str(uuid4())}
    forth = classes.act(back, "restore", revision=3, **ids)
    assert classes.act(back, "restore", revision=3, **ids)["revision"] == forth["revision"] == 5
    assert classes.act(back, "restore", 409, revision=1, **ids)["code"] == "client_id_reused"
    assert classes.act(back, "undo", 409, **ids)["code"] == "client_id_reused"
    assert (classes.get(f"{third['id']}/")["revision"], says(forth)) == (5, says(third))


def test_it_names_the_place_of_what_is_wrong(classes: Classes) -> None:
    evaluation = classes.create()
    wrong = [made("", "cut rates", " "), made("", "held rates", "cut rates ", "held rates")]
    errors = classes.save(evaluation, wrong, 400)["errors"]
    assert errors == {
        "classes[0].members[1]": ["A string is empty: take it out."],
        "classes[1].members[1]": ["“cut rates” is in class 1 too: a string is in one class only."],
        "classes[1].members[2]": ["“held rates” is in this class already: take it out."],
    }
    twice = made("", "cut rates")
    same_key = classes.save(evaluation, [twice, made("", "held rates", key=twice["key"])], 400)
    assert list(same_key["errors"]) == ["classes[1].key"]
    assert list(classes.save(evaluation, [], 400, name=" ")["errors"]) == ["name"]
    assert EquivalenceRevision.objects.count() == 1


def test_undo_goes_back_step_by_step_and_a_restore_forward(classes: Classes) -> None:
    one, two = made("", "cut rates"), made("", "held rates")
    second = classes.save(classes.create(), [one])
    third = classes.save(second, [one, two], name="acts of the bank")
    back = classes.act(third, "undo")
    assert (back["revision"], back["name"], says(back), back["undo_to"]) == (4, "acts", [("", ["cut rates"])], 1)
    first = classes.act(back, "undo")
    assert (says(first), first["undo_to"]) == ([], None)
    assert classes.act(first, "undo", 409)["code"] == "nothing_to_undo"
    redone = classes.act(first, "restore", revision=3)
    assert (redone["name"], says(redone), redone["undo_to"]) == ("acts of the bank", says(third), 5)
    assert says(classes.act(redone, "undo")) == []
    assert list(classes.act(first, "restore", 409, revision=3)) == ["code", "detail", "current"]
    assert (
        "no revision 99"
        in classes.act(classes.get(f"{first['id']}/"), "restore", 400, revision=99)["errors"]["revision"][0]
    )
    shown = classes.get(f"{first['id']}/revisions/")
    assert [(each["number"], each["action"]) for each in shown["revisions"]] == [
        (7, "Undid: Went back to revision 3"),
        (6, "Went back to revision 3"),
        (5, "Undid: Undid: Moved"),
        (4, "Undid: Moved"),
        (3, "Moved"),
        (2, "Moved"),
        (1, "Created the evaluation"),
    ]


def test_a_review_holds_while_the_class_is_as_it_was(classes: Classes, people: People, client_of: Client) -> None:
    one, two = made("lower", "cut rates"), made("", "held rates")
    saved = classes.save(classes.create(), [one, two])
    review = {"class_key": one["key"], "revision": 2, "note": "", "client_id": str(uuid4())}
    shown = classes.post(f"{saved['id']}/reviews/", decision="validated", **review)
    assert [each["review"]["state"] for each in shown["classes"]] == ["validated", "none"]
    assert (shown["classes"][0]["review"]["by"], shown["n_validated"]) == ("Ada", 1)
    assert classes.post(f"{saved['id']}/reviews/", decision="validated", **review)["n_validated"] == 1
    of_another = review | {"class_key": two["key"]}
    refused = classes.post(f"{saved['id']}/reviews/", 409, decision="validated", **of_another)
    assert refused["code"] == "client_id_reused"
    # Another tested part is another claim.
    as_comment = classes.save(shown, [one, two], part="comment")
    assert [each["review"]["state"] for each in as_comment["classes"]] == ["changed", "none"]
    shown = classes.act(as_comment, "undo")
    assert [each["review"]["state"] for each in shown["classes"]] == ["validated", "none"]

    returned = review | {"class_key": two["key"], "client_id": str(uuid4())}
    assert list(classes.post(f"{saved['id']}/reviews/", 400, decision="returned", **returned)["errors"]) == ["note"]
    returned |= {"note": "Add the others."}
    shown = classes.post(f"{saved['id']}/reviews/", decision="returned", **returned)
    assert (shown["classes"][1]["review"]["state"], shown["classes"][1]["review"]["note"]) == (
        "returned",
        "Add the others.",
    )
    # The order of members, and other classes, are no matter; the name is.
    moved = classes.save(shown, [made("", "raised rates"), one, two | {"members": ["held rates", "cut"]}])
    assert [each["review"]["state"] for each in moved["classes"]] == ["none", "validated", "changed"]
    renamed = classes.save(moved, [one | {"name": "loosened"}, two])
    assert [each["review"]["state"] for each in renamed["classes"]] == ["changed", "returned"]
    old = {"class_key": one["key"], "revision": 2, "note": "", "client_id": str(uuid4())}
    stale = classes.post(f"{saved['id']}/reviews/", 409, decision="validated", **old)
    assert (stale["code"], stale["current"]["revision"]) == ("stale", 6)
    taken = old | {"class_key": two["key"], "client_id": str(uuid4())}
    shown = classes.post(f"{saved['id']}/reviews/", decision="taken_back", **taken)
    assert shown["classes"][1]["review"]["state"] == "none"

    plain = Classes(client_of(people.annotators[0]), people.project)
    assert plain.post(f"{saved['id']}/reviews/", 403, decision="validated", **old)
    assert classes.get(f"{saved['id']}/")["classes"][0]["review"]["state"] == "changed"


def test_a_removed_evaluation_can_be_put_back(classes: Classes, people: People, client_of: Client) -> None:
    evaluation = classes.create()
    assert classes.post(f"{evaluation['id']}/remove/")["removed_at"]
    page = classes.get()
    assert ([each["name"] for each in page["evaluations"]], [each["name"] for each in page["removed"]]) == (
        [],
        ["acts"],
    )
    assert classes.save(evaluation, [], 409)["code"] == "removed"
    other = classes.create()
    refused = classes.post(f"{evaluation['id']}/put-back/", 400)
    assert "choose another name" in refused["errors"]["name"][0]
    classes.save(other, [], name="others")
    assert classes.post(f"{evaluation['id']}/put-back/")["removed_at"] is None
    assert [each["name"] for each in classes.get()["evaluations"]] == ["acts", "others"]
    plain = Classes(client_of(people.annotators[0]), people.project)
    plain.post(f"{evaluation['id']}/remove/", 403)
    verbs = [
        "equivalence_created",
        "equivalence_removed",
        "equivalence_created",
        "equivalence_changed",
        "equivalence_put_back",
    ]
    assert list(Event.objects.filter(verb__startswith="equivalence").order_by("pk").values_list("verb", flat=True)) == (
        verbs
    )
