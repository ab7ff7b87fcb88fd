"""Agreement on spans over HTTP."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotation_app.api.span_agreement import SpanAgreementOut
from annotation_app.models import Membership
from tests.agreement.span_tables import fill_spans, marked, span_codebook
from tests.conftest import People

ClientOf = Callable[[Membership], APIClient]

TEXT = "The board raised interest rates"
MADE = marked(TEXT, a=["act: raised interest rates"], b=["act: raised interest"], c=["motive: The"])


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/span-agreement/"


@pytest.fixture
def team(people: People) -> dict[str, Membership]:
    span_codebook(people.project)
    return dict(zip("abc", people.annotators, strict=True))


def test_it_shows_the_table_to_an_admin(
    people: People, team: dict[str, Membership], client_of: ClientOf, url: str
) -> None:
    fill_spans(people.project, team, [MADE])
    body = client_of(people.admin).get(url).json()
    assert body["iou"] == 0.5
    assert body["categories"] == [
        {"key": "act", "name": "Act", "color": "blue"},
        {"key": "actor", "name": "Actor", "color": "orange"},
        {"key": "motive", "name": "Motive", "color": "green"},
    ]
    assert [person["display_name"] for person in body["annotators"]] == ["Alice", "Bob", "Charlie"]
    together, pair = body["rows"][:2]
    assert (together["category"], together["round"], together["pair"], together["n_pairs"]) == ("act", None, None, 3)
    assert (pair["category"], pair["round"], pair["pair"]) == ("act", None, [2, 3])
    assert (pair["n_items"], pair["n_a"], pair["n_b"], pair["alpha_length"]) == (1, 1, 1, 31)
    assert pair["figures"]["token_kappa"] == {
        "value": pytest.approx(8 / 13),
        "n": 5,
        "reason": None,
        "pairs": None,
    }
    assert pair["figures"]["comment_equal"] == {
        "value": None,
        "n": 0,
        "reason": "no spans that match exactly",
        "pairs": None,
    }
    # Kappa 8/13 for the first two; 0 where only one of a pair marked anything.
    assert together["figures"]["token_kappa"] == {
        "value": pytest.approx(8 / 39),
        "n": 15,
        "reason": None,
        "pairs": 3,
    }


def test_the_answer_is_what_the_schema_declares(
    people: People, team: dict[str, Membership], client_of: ClientOf, url: str
) -> None:
    fill_spans(people.project, team, [MADE])
    body = client_of(people.admin).get(url).json()
    for row in body["rows"]:
        assert SpanAgreementOut().fields["rows"].child.to_representation(row) == row
    assert set(body) == set(SpanAgreementOut().fields)


def test_a_staged_project_has_no_rows(people: People, client_of: ClientOf, url: str) -> None:
    body = client_of(people.admin).get(url).json()
    assert (body["rows"], body["categories"]) == ([], [])


def test_the_number_of_queries_does_not_grow(
    people: People, team: dict[str, Membership], client_of: ClientOf, url: str
) -> None:
    client = client_of(people.admin)
    fill_spans(people.project, team, [MADE])
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    fill_spans(people.project, team, [MADE, MADE, MADE], number=2)
    with CaptureQueriesContext(connection) as many:
        client.get(url)
    # Session, person, membership, codebooks, annotators; two statements in a savepoint, after two of settings.
    assert len(few) == len(many) == 12
