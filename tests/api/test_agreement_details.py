"""One stage's agreement in detail over HTTP."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.agreement.tables import at, fill
from tests.agreement.worked import WORKED
from tests.conftest import People

ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/agreement/details/"


def test_it_shows_a_stage_to_an_admin(people: People, client_of: ClientOf, url: str) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    body = client_of(people.admin).get(url, {"stage": "opinion"}).json()
    assert (body["stage"], body["scope"], body["round"], body["scale"]) == ("opinion", "all", None, "nominal")
    assert [label["key"] for label in body["labels"]] == ["yes", "no", "ambiguous"]
    assert body["confusion"][0] == {"pair": [2, 3], "n": 4, "counts": [[2, 1, 0], [0, 1, 0], [0, 0, 0]]}
    assert body["label_shares"][0]["counts"] == [3, 2, 0]
    against = body["against_majority"]
    # Majorities of i1 to i4: yes, no, yes, yes; Bob is wrong on i3, i5 has one answer of three.
    assert [row["accuracy"] for row in against["rows"]] == [1.0, 0.75, 1.0]
    assert (against["n_items"], against["minimum"], against["maximum"]) == (4, 0.75, 1.0)
    assert against["collapsed_minimum"] is None
    assert (against["n_circular"], body["leave_one_out"]["minimum"]) == (1, 0.75)
    # Wilson: 4 of 4 have the low end 4 / (4 + z^2), z^2 = 3.8415.
    assert against["rows"][0]["interval"] == pytest.approx([4 / 7.8415, 1], abs=1e-4)
    assert body["label_shares"][0]["n_compared"] == 4
    habit = {"own": 3 / 4, "others": 5 / 8, "standard_error": 1 / 8, "much_more": False}
    assert body["label_shares"][0]["habits"][0] == pytest.approx(habit)
    assert body["much_more_from"] == {"items": 20, "standard_errors": 3, "times": 1.5, "points": 0.1}
    assert body["phase"] == 1


def test_it_says_what_is_wrong_with_the_question(people: People, client_of: ClientOf, url: str) -> None:
    ada = client_of(people.admin)
    assert ada.get(url).json()["errors"] == {"stage": ["Name the stage: ?stage=<key>."]}
    wrong = ada.get(url, {"stage": "nothing"})
    assert wrong.status_code == 400
    assert wrong.json()["errors"] == {"stage": ["No published codebook of this project has a stage 'nothing'."]}
    assert ada.get(url, {"stage": "opinion", "round": 0}).status_code == 400


def test_it_shows_a_stage_without_answers(people: People, client_of: ClientOf, url: str) -> None:
    body = client_of(people.admin).get(url, {"stage": "mp_context", "scope": "majority", "round": 3}).json()
    assert (body["confusion"], body["label_shares"]) == ([], [])
    assert body["against_majority"]["minimum"] is None
