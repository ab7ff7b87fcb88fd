"""Answers to the datasheet: saved by revision, refused where somebody else was faster; the API around them."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import DatasheetAnswer, Event, Membership
from annotation_app.releases.datasheet import StaleAnswer, datasheet_answer, datasheet_read
from tests.assignment.batches import at_once
from tests.conftest import People

Client = Callable[[Membership], APIClient]


def answer(people: People, text: str, base: int = 0, question: str = "purpose") -> None:
    datasheet_answer(project=people.project, question=question, text=text, base_revision=base, actor=people.admin.user)


def put(client: APIClient, people: People, body: dict[str, Any], question: str = "purpose") -> Any:
    path = f"/api/projects/{people.project.uuid}/datasheet/{question}/"
    return client.put(path, json.dumps(body), content_type="application/json")


def test_an_answer_is_kept_with_who_and_when(people: People) -> None:
    sheet = datasheet_read(project=people.project)
    answer(people, "To see *who* leans where. ")
    answered = datasheet_read(project=people.project)
    (purpose,) = [question for question in answered.questions if question.key == "purpose"]
    assert (purpose.answer, purpose.revision, purpose.answered_by) == ("To see *who* leans where. ", 1, "Ada")
    assert answered.answer("purpose") == "To see *who* leans where."
    assert (sheet.n_open - answered.n_open, sheet.n_questions) == (1, answered.n_questions)
    (event,) = Event.objects.filter(verb="datasheet_answered")
    assert (event.subject, event.data["revision"], event.actor) == ("purpose", 1, people.admin.user)


def test_a_blank_answer_is_open_again(people: People) -> None:
    before = datasheet_read(project=people.project).n_open
    answer(people, "Something.")
    answer(people, " \n", base=1)
    assert datasheet_read(project=people.project).n_open == before
    assert DatasheetAnswer.objects.get().revision == 2


def test_of_two_tabs_the_second_is_refused(people: People) -> None:
    answer(people, "First.")
    answer(people, "From the first tab.", base=1)
    with pytest.raises(StaleAnswer, match="at revision 2"):
        answer(people, "From the second tab.", base=1)
    assert DatasheetAnswer.objects.get().text == "From the first tab."


@pytest.mark.django_db(transaction=True)
def test_of_first_answers_at_once_one_is_kept(people: People) -> None:
    def tab(text: str) -> str:
        try:
            answer(people, text)
        except StaleAnswer:
            return "stale"
        return text

    outcomes = at_once([lambda n=n: tab(f"Tab {n}") for n in range(4)])
    (kept,) = [each for each in outcomes if each != "stale"]
    row = DatasheetAnswer.objects.get()
    assert (row.text, row.revision) == (kept, 1)


def test_the_api_shows_and_saves(people: People, client_of: Client) -> None:
    client = client_of(people.admin)
    body = client.get(f"/api/projects/{people.project.uuid}/datasheet/").json()
    assert [section["key"] for section in body["sections"]][:3] == ["card", "motivation", "composition"]
    questions = {each["key"]: each for section in body["sections"] for each in section["questions"]}
    assert questions["counts"] | {"help": ""} == {
        "key": "counts",
        "text": "How many records are there, of each kind?",
        "help": "",
        "needs_answer": False,
        "computed": "No text is imported yet.",
        "answer": "",
        "revision": 0,
        "answered_by": None,
        "answered_at": None,
    }
    assert body["n_questions"] == len(questions)
    assert body["n_open"] == sum(each["needs_answer"] for each in questions.values())
    saved = put(client, people, {"text": "Sentences.", "base_revision": 0}, "counts").json()
    assert (saved["answer"], saved["revision"], saved["answered_by"]) == ("Sentences.", 1, "Ada")
    assert saved["computed"] == "No text is imported yet."


def test_the_api_answers_a_stale_revision_with_what_counts_now(people: People, client_of: Client) -> None:
    client = client_of(people.admin)
    put(client, people, {"text": "Mine.", "base_revision": 0})
    refused = put(client, people, {"text": "Also mine.", "base_revision": 0})
    assert refused.status_code == 409
    assert refused.json()["code"] == "stale_revision"
    assert (refused.json()["current"]["answer"], refused.json()["current"]["revision"]) == ("Mine.", 1)


@pytest.mark.parametrize(
    ("question", "body", "status", "field"),
    [
        ("purpose", {"text": "x" * 50_001, "base_revision": 0}, 400, "text"),
        ("purpose", {"text": "half \ud800", "base_revision": 0}, 400, "text"),
        ("purpose", {"text": "nul \x00", "base_revision": 0}, 400, "text"),
        ("purpose", {"text": "No base."}, 400, "base_revision"),
        ("purpose", {"text": "Below nought.", "base_revision": -1}, 400, "base_revision"),
        ("nothing", {"text": "To what?", "base_revision": 0}, 404, None),
    ],
)
def test_the_api_refuses_what_it_cannot_keep(
    people: People, client_of: Client, question: str, body: dict[str, Any], status: int, field: str | None
) -> None:
    refused = put(client_of(people.admin), people, body, question)
    assert refused.status_code == status
    assert field is None or field in refused.json()["errors"]
    assert not DatasheetAnswer.objects.exists()


def test_an_answer_stays_in_its_project(people: People) -> None:
    answer(people, "Of this one.")
    assert datasheet_read(project=people.outsider.project).answer("purpose") == ""
