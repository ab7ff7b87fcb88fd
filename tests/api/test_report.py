"""The report over HTTP."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Membership
from tests.agreement.tables import Said, at, fill
from tests.conftest import People

ClientOf = Callable[[Membership], APIClient]
WORKED = {"i1": "YYY", "i2": "NNN", "i3": "AAN", "i4": "YNA", "i5": "YYN"}


@pytest.fixture
def url(people: People) -> str:
    return f"/api/projects/{people.project.uuid}/report/"


def test_it_gives_tables_with_their_files(people: People, client_of: ClientOf, url: str) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    body = client_of(people.admin).get(url, {"example": ["i5", "i1"]}).json()
    sections = {section["key"]: section for section in body["sections"]}
    assert list(sections) == [
        "yield", "labels", "humans", "agreement", "time", "context", "position", "examples", "artifacts"
    ]  # fmt: skip
    (labels,) = sections["labels"]["tables"]
    plain = {"why": "", "repeats": False, "interval": "", "basis": ""}
    assert labels["rows"][2][:3] == [{"text": "Opinion"} | plain, {"text": "Yes"} | plain, {"text": "2"} | plain]
    assert labels["rows"][2][3]["interval"].startswith("[")
    assert labels["rows"][2][3]["basis"] == "n = 5"
    assert labels["csv"].splitlines()[3].startswith("Opinion,opinion,Yes,yes,2,")
    assert labels["latex"].startswith("% Needs")
    assert body["annotators"] == body["compared"] == [2, 3, 4]
    assert [shown["id"] for shown in body["chosen"]] == ["i5", "i1"]
    assert body["chosen"][0]["labels"][0] == {"stage": "Opinion", "label": "Yes"}
    (placed, *_) = sections["position"]["figures"]
    assert placed["missing"].startswith("Every document")


def test_it_gives_one_file(people: People, client_of: ClientOf, url: str) -> None:
    response = client_of(people.admin).get(url, {"file": "1"})
    assert response["Content-Disposition"] == 'attachment; filename="board-report.html"'
    assert response.content.startswith(b"<!doctype html>")
    assert client_of(people.annotators[0]).get(url, {"file": "1"}).status_code == 403
    assert client_of(people.outsider).get(url, {"file": "1"}).status_code == 404


@pytest.mark.parametrize(
    ("kind", "media_type", "start"),
    [("svg", "image/svg+xml", b"<?xml"), ("png", "image/png", b"\x89PNG"), ("pdf", "application/pdf", b"%PDF")],
)
def test_it_gives_each_figure_for_paper(
    people: People, client_of: ClientOf, url: str, kind: str, media_type: str, start: bytes
) -> None:
    said = {"opinion": "yes", "mp": "yes", "mp_context": "utterance", "stance_nli": "entailment"}
    fill(people.project, people.annotators, {"i1": [Said(said | {"stance_nli_context": "sentence"})] * 3})
    response = client_of(people.admin).get(f"{url}figures/figure_4_mp_context.{kind}/")
    assert (response.status_code, response["Content-Type"]) == (200, media_type)
    assert response["Content-Disposition"] == f'attachment; filename="figure_4_mp_context.{kind}"'
    assert response.content.startswith(start)


def test_it_gives_no_figure_that_is_not_drawn(people: People, client_of: ClientOf, url: str) -> None:
    for name in ("figure_3.svg", "figure_9.svg", "figure_4_mp_context.gif", "figure_4_mp_context"):
        assert client_of(people.admin).get(f"{url}figures/{name}/").status_code == 404


def test_it_shows_the_pairs_that_are_asked_for(people: People, client_of: ClientOf, url: str) -> None:
    fill(people.project, people.annotators, at("opinion", WORKED))
    client = client_of(people.admin)
    body = client.get(url, {"annotator": [4, 2]}).json()
    (_, table, *_) = next(section["tables"] for section in body["sections"] if section["key"] == "agreement")
    assert [column["title"] for column in table["columns"]] == ["Batch", "Items", "All", "2 and 4", "C 2, 4"]
    assert table["notes"][0].startswith("Pairs among annotators 2, 4, as they were chosen")
    refused = client.get(url, {"annotator": 9})
    assert (refused.status_code, refused.json()["errors"]) == (
        400,
        {"annotator": ["Nobody with the number 9 answered in the rounds."]},
    )


def test_it_names_examples_that_are_not_there(people: People, client_of: ClientOf, url: str) -> None:
    response = client_of(people.admin).get(url, {"example": "i9"})
    assert response.status_code == 400
    assert response.json()["errors"] == {"example": ["No round has given out 'i9': name items by their id."]}
