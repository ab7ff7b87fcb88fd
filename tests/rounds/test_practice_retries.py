"""A practice that two admins write, or whose answers were lost on their way: nothing is done twice or overwritten."""

import uuid

from annotation_app.models import Event, Practice, PracticeAddition
from tests.conftest import People
from tests.labels import NO, YES
from tests.rounds.practices import NAMES, Admin, ClientOf, answer, window


def test_a_retry_makes_no_second_practice(people: People, admin: Admin) -> None:
    sent = {"client_id": str(uuid.uuid4())}
    first, again = admin.make(**sent), admin.make(**sent)
    assert (first.status_code, again.json()) == (201, first.json())
    assert Practice.objects.count() == Event.objects.filter(verb="practice_created").count() == 1
    assert admin.make(**sent, title="Another").json()["code"] == "client_id_reused"


def test_a_retry_draws_no_more_items(people: People, admin: Admin) -> None:
    practice = admin.make().json()["practice"]["id"]
    sent = {"source": "pool", "size": 3, "random_state": 1, "client_id": str(uuid.uuid4())}
    first, again = admin.add(practice, **sent), admin.add(practice, **sent)
    assert first.json()["added"] == again.json()["added"] == 3
    assert len(again.json()["items"]) == 3
    assert admin.add(practice, **{**sent, "size": 4}).json()["code"] == "client_id_reused"
    assert admin.add(practice, **{**sent, "client_id": str(uuid.uuid4())}).json()["added"] == 3
    assert admin.client.delete(f"/api/practices/{practice}/").status_code == 204
    assert not PracticeAddition.objects.exists()


def test_a_key_that_somebody_wrote_meanwhile_is_not_written_over(people: People, admin: Admin) -> None:
    practice = admin.make().json()["practice"]["id"]
    item = admin.add(practice, source="ids", ids=NAMES[:1]).json()["items"][0]
    assert (item["version"], item["explanations"]) == (0, {})
    url = f"/api/practices/{practice}/items/{item['item']['id']}/"

    def write(base: int | None, **key: object) -> tuple[int, dict[str, object]]:
        body = {"answers": NO, "explanation": "", **key, "base_version": base}
        told = admin.client.put(url, body, "json")
        return told.status_code, told.json()["items"][0] if told.status_code == 200 else told.json()

    status, mine = write(0)
    assert (status, mine["version"]) == (200, 1)
    # The answer was lost, and it is sent again.
    assert write(0) == (200, mine)
    status, refused = write(0, answers=YES)
    assert (status, refused["code"]) == (409, "stale")
    assert write(1, answers=YES)[1]["version"] == 2
    assert write(0)[0] == 409
    assert write(None)[1]["version"] == 3, "a program that names no version writes over it"


def test_each_question_has_an_explanation_of_its_own(people: People, admin: Admin, client_of: ClientOf) -> None:
    practice = admin.make().json()["practice"]["id"]
    item = admin.add(practice, source="ids", ids=NAMES[:1]).json()["items"][0]["item"]["id"]
    url = f"/api/practices/{practice}/items/{item}/"
    body = {"answers": NO, "explanation": "All in all.", "explanations": {"opinion": " It reports. ", "mp": "Why?"}}
    wrong = admin.client.put(url, body, "json")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["explanations.mp"])
    body["explanations"] = {"opinion": " It reports. "}
    assert admin.client.put(url, body, "json").json()["items"][0]["explanations"] == {"opinion": "It reports."}
    assert admin.open(practice).status_code == 200
    client = client_of(people.annotators[0])
    client.post(f"/api/practices/{practice}/attempts/")
    first = window(client, people)["assignments"][0]
    answer(client, first["id"], YES)
    key = client.get(f"/api/assignments/{first['id']}/").json()["key"]
    assert (key["explanation"], key["explanations"]) == ("All in all.", {"opinion": "It reports."})
