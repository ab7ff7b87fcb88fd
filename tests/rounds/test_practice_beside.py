"""A practice beside what else is done with people, items and batches."""

from annotation_app.models import PracticeAttempt
from tests.conftest import People
from tests.rounds.practices import Admin, ClientOf


def test_an_attempt_is_not_closed_as_a_batch_and_says_so(people: People, admin: Admin, client_of: ClientOf) -> None:
    practice, alice = admin.opened(), people.annotators[0]
    client_of(alice).post(f"/api/practices/{practice}/attempts/")
    batch = PracticeAttempt.objects.get().batch
    for act, body in (("close", {}), ("take-off", {"person": str(alice.uuid)})):
        refused = admin.client.post(f"/api/batches/{batch.uuid}/{act}/", body, "json")
        assert (refused.status_code, refused.json()["code"]) == (409, "wrong_kind")
        assert refused.json()["detail"].startswith("This is practice: ")
