"""An admin who annotates too reads nobody else's answers while their own can still change."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.conftest import People
from tests.factoids.api import FERRY, close, define, factoid, get_list, import_set, list_in, open_phase
from tests.factories import make_member

Clients = Callable[[Membership], APIClient]
WORDS = (
    "You have a list of your own in phase 2, which is open. Until it is closed, other people's answers stay hidden "
    "from you."
)


class TwoLooks:
    """A definition of Ada, who is an admin, and Alice: its first phase is closed and judged."""

    def __init__(self, people: People, client_of: Clients) -> None:
        self.ada, self.alice = map(client_of, (people.admin, people.annotators[0]))
        # Carla administers, and has no list.
        self.carla = client_of(make_member(people.project, "carla", "admin"))
        self.set = import_set(self.ada, people.project, FERRY)
        self.members = [people.admin, people.annotators[0]]
        self.first = open_phase(self.ada, self.set, "definition", self.members)
        self.own, self.others = (list_in(self.first, member) for member in self.members)
        (a,) = define(self.ada, self.own, factoid("F1", "M01-001"))
        (b,) = define(self.alice, self.others, factoid("G1", "M01-001", "M02-001"))
        close(self.ada, self.first)
        chosen = {"first": self.own, "second": self.others}
        made = self.ada.post(f"/api/text-sets/{self.set.uuid}/pairings/", chosen, format="json")
        self.pairing = made.json()["id"]
        judged = {"client_id": self.pairing, "a": a, "b": b, "relation": "equal"}
        answer = self.ada.post(f"/api/factoid-pairings/{self.pairing}/relations/", judged, format="json")
        assert answer.status_code == 201, answer.json()
        self.draft = self.drafted(self.ada, pairing=self.pairing).json()["id"]
        self.copy = self.drafted(self.ada, **{"from": self.draft}).json()["id"]

    def drafted(self, client: APIClient, **start: str):  # type: ignore[no-untyped-def]
        return client.post(f"/api/text-sets/{self.set.uuid}/consensus/", start, format="json")

    def addresses(self) -> list[str]:
        """Return all addresses that show what the other said in the first phase."""
        of_set = f"text-sets/{self.set.uuid}"
        return [
            f"factoid-lists/{self.others}/",
            f"factoid-lists/{self.others}/revisions/",
            f"factoid-lists/{self.others}/scores/",
            f"factoid-lists/{self.others}/stability/",
            f"factoid-lists/{self.draft}/",
            f"factoid-lists/{self.copy}/",
            f"factoid-pairings/{self.pairing}/",
            f"factoid-phases/{self.first['id']}/disagreements/?pairing={self.pairing}",
            f"{of_set}/files/pairing.csv/?pairing={self.pairing}",
            f"{of_set}/files/weights.csv/?list={self.others}",
            f"{of_set}/export/",
        ]


@pytest.fixture
def looks(people: People, client_of: Clients) -> TwoLooks:
    return TwoLooks(people, client_of)


def test_others_answers_stay_hidden_while_a_list_of_one_s_own_is_open(looks: TwoLooks) -> None:
    for path in looks.addresses():
        assert looks.ada.get(f"/api/{path}").status_code == 200, path
    second = open_phase(looks.ada, looks.set, "definition", step="second_look", follows=looks.first["id"])
    for path in looks.addresses():
        refused = looks.ada.get(f"/api/{path}")
        assert (refused.status_code, refused.json()["code"], refused.json()["detail"]) == (409, "answer_first", WORDS)
        assert looks.carla.get(f"/api/{path}").status_code == 200, path
    assert get_list(looks.ada, looks.own)["factoids"][0]["id"] == "F1"
    assert len(get_list(looks.ada, list_in(second, looks.members[0]))["items"]) == 1
    close(looks.ada, second)
    for path in looks.addresses():
        assert looks.ada.get(f"/api/{path}").status_code == 200, path


def test_no_draft_is_made_of_what_is_hidden(looks: TwoLooks) -> None:
    open_phase(looks.ada, looks.set, "definition", step="second_look", follows=looks.first["id"])
    for start in ({"pairing": looks.pairing}, {"from": looks.others}, {"from": looks.draft}):
        refused = looks.drafted(looks.ada, **start)
        assert (refused.status_code, refused.json()["code"]) == (409, "answer_first")
    assert looks.set.lists.filter(phase=None).count() == 2
    assert looks.drafted(looks.carla, **{"from": looks.others}).status_code == 201
    # How far people are, and how far they agree, is no answer.
    assert looks.ada.get(f"/api/text-sets/{looks.set.uuid}/agreement/").status_code == 200
    (head,) = looks.ada.get(f"/api/text-sets/{looks.set.uuid}/pairings/").json()["pairings"]
    assert head["n_judged"] == 1
