"""The agreement table over HTTP."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.agreement.statistics import BY_KEY
from annotation_app.models import Membership
from tests.agreement.tables import at, fill
from tests.agreement.worked import WORKED
from tests.conftest import People

ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/agreement/"


def test_it_shows_the_table_to_an_admin(people: People, client_of: ClientOf, url: str) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    body = client_of(people.admin).get(url).json()
    assert body["scope"] == "all"
    everyone, first_pair = body["rows"][:2]
    worked = {
        "stage": "opinion",
        "round": None,
        "pair": None,
        "n_items": 5,
        "n_units": 4,
        "n_circular": 0,
        "percent_agreement": pytest.approx(0.8),
        "item_agreement": pytest.approx(5 / 6),
        "fleiss_kappa": pytest.approx(11 / 20),
        "fleiss_kappa_general": pytest.approx(11 / 20),
        "general_items": 3,
        "general_answers": 3,
        "fleiss_items": 3,
        "alpha_nominal": pytest.approx(9 / 14),
        "alpha_ordinal": None,
        "cohen_kappa": None,
        "ac1": pytest.approx(151 / 226),
    }
    assert {key: everyone[key] for key in worked} == worked
    # Every statistic has a value with its interval, or a reason.
    assert set(everyone) == worked.keys() | BY_KEY.keys() | {"ci", "reason"}
    with_value = {key for key in BY_KEY if everyone[key] is not None}
    assert (set(everyone["ci"]), set(everyone["reason"])) == (with_value, BY_KEY.keys() - with_value)
    assert everyone["reason"]["alpha_ordinal"] == "the labels of this stage have no order"
    assert everyone["reason"]["cohen_kappa"] == "defined for two people: see the pairs"
    low, high = everyone["ci"]["percent_agreement"]
    assert 0 <= low < 0.8 < high <= 1
    assert first_pair["pair"] == [2, 3]
    assert first_pair["cohen_kappa"] == pytest.approx(1 / 2)
    assert body["annotators"] == [
        {"number": 2, "display_name": "Alice"},
        {"number": 3, "display_name": "Bob"},
        {"number": 4, "display_name": "Charlie"},
    ]
    assert [stage["key"] for stage in body["stages"]][:2] == ["opinion", "mp"]
    later = [row for row in body["rows"] if row["stage"] == "mp"]
    assert [row["alpha_nominal"] for row in later] == [None]
    assert later[0]["reason"]["alpha_nominal"] == "no answers"


def test_it_narrows_to_items_with_a_majority(people: People, client_of: ClientOf, url: str) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    body = client_of(people.admin).get(url, {"scope": "majority"}).json()
    assert (body["scope"], body["rows"][0]["n_items"]) == ("majority", 4)


def test_it_shows_an_empty_project(people: People, client_of: ClientOf, url: str) -> None:
    rows = client_of(people.admin).get(url).json()["rows"]
    assert [row["reason"]["fleiss_kappa"] for row in rows] == ["no answers"] * 5


def test_it_names_the_scopes_there_are(people: People, client_of: ClientOf, url: str) -> None:
    response = client_of(people.admin).get(url, {"scope": "some"})
    assert response.status_code == 400
    assert response.json()["errors"] == {"scope": ["Choose all or majority."]}


def test_it_is_for_admins_of_the_project(people: People, client_of: ClientOf, url: str) -> None:
    assert client_of(people.annotators[0]).get(url).status_code == 403
    assert client_of(people.outsider).get(url).status_code == 404
    assert APIClient().get(url).status_code == 401


def test_it_narrows_to_a_stage_a_round_and_a_pair(people: People, client_of: ClientOf, url: str) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    ada = client_of(people.admin)

    def shown(**asked: object) -> list[tuple[object, ...]]:
        return [(row["stage"], row["round"], row["pair"]) for row in ada.get(url, asked).json()["rows"]]

    assert shown(of="everyone", stage="opinion") == [("opinion", None, None), ("opinion", 1, None)]
    assert shown(of="pairs", stage="opinion", round=0) == [
        ("opinion", None, [a, b]) for a, b in ((2, 3), (2, 4), (3, 4))
    ]
    # A pair's numbers in either order.
    assert shown(of="pairs", pair="4,2", round=1) == [("opinion", 1, [2, 4])]


def test_it_says_which_views_there_are(people: People, client_of: ClientOf, url: str) -> None:
    ada = client_of(people.admin)

    def errors(**asked: object) -> dict[str, list[str]]:
        response = ada.get(url, asked)
        assert response.status_code == 400
        return dict(response.json()["errors"])

    assert errors(of="some") == {"of": ["Choose all, everyone or pairs."]}
    assert errors(pair="2") == {"pair": ["Name two annotators by their numbers, such as 2,3."]}
    assert errors(stage="mood") == {"stage": ["No published codebook of this project has a stage 'mood'."]}
    assert errors(pair="2,2") == {"pair": ["Name two annotators that are not the same, such as 2,3."]}
    assert errors(pair="2,99") == {"pair": ["Nobody in this project has the number 99."]}
    assert errors(pair="98,99") == {"pair": ["Nobody in this project has the number 98 or 99."]}
