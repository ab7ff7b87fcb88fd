"""One's own data as a download: whose it is, how often, and that the log notes it."""

import io
import json
import zipfile
from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Event, Membership
from annotation_app.personal_data.export import OWN_AN_HOUR
from annotation_app.personal_data.holdings import HOLDINGS
from tests.agreement.tables import at, fill
from tests.conftest import People

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_person_downloads_what_is_theirs_so_often(
    people: People, client_of: Callable[[Membership], APIClient]
) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNN", "i2": "YNN"}))
    alice, bob = (client_of(member) for member in people.annotators[:2])
    answer = alice.get("/api/me/data/")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"] == 'attachment; filename="quorum-my-data.zip"'
    with zipfile.ZipFile(io.BytesIO(b"".join(answer))) as archive:
        assert archive.testzip() is None
        assert {name.removesuffix(".json") for name in archive.namelist()} == {each.model for each in HOLDINGS}
        assert [row["username"] for row in json.loads(archive.read("User.json"))] == ["alice"]
        assert [row["label"] for row in json.loads(archive.read("Answer.json"))] == ["yes", "yes"]
        assert "bob" not in "".join(archive.read(name).decode() for name in archive.namelist())
    line = Event.objects.get(verb="person_exported")
    assert (line.actor, line.subject, line.data) == (people.annotators[0].user, str(people.annotators[0].user.uuid), {})
    for _ in range(OWN_AN_HOUR - 1):
        assert alice.get("/api/me/data/").status_code == 200
    refused = alice.get("/api/me/data/")
    assert refused.status_code == 429
    assert "try again in an hour" in refused.json()["detail"]
    assert Event.objects.filter(verb="person_exported").count() == OWN_AN_HOUR
    assert bob.get("/api/me/data/").status_code == 200
