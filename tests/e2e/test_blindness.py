"""Who annotated a batch and settles it, in a browser: looking is asked for, and then their own answer stays."""

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in
from tests.loop.client import Person
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e
SIZE = 3
NO = {"opinion": "no"}
YES = {"opinion": "yes", "mp": "no"}
SEEN = "You have seen the others' answers to this item. Your own answer can no longer be changed."


@pytest.mark.timeout(300)
def test_it_keeps_who_settles_blind(browser: Browser, study: Study) -> None:
    """Ann says yes to everything, Ben and Cleo no; she becomes the adjudicator."""
    round_wait(study.admin, round_start(study.admin, study.id, "random", SIZE)["id"])
    anns, bens, _ = (
        labelled(study, person, YES if person is study.annotators[0] else NO) for person in study.annotators
    )
    becomes_adjudicator(study, "ann")
    page = signed_in(browser, study.stack, "ann")
    opened(page, study.name)
    expect(page.get_by_text(f"{SIZE} items not shown: you could still change your own answer there.")).to_be_visible()
    expect(page.get_by_role("button", name="Any disagreement (0)")).to_be_visible()
    item = anns[0]["item"]["id"]
    page.goto(f"{study.stack.url}/projects/{study.id}/adjudication/{item}?kind=any")
    expect(page.get_by_role("heading", name="Your own answer first")).to_be_visible()
    assert violations(page) == []
    picture(page, "own-answer-first")
    # Having seen the warning costs nothing.
    assert revised(study.annotators[0], anns[0]["id"], 1, YES).status_code == 201
    page.get_by_role("button", name="Mine stays as it is: show the answers").click()
    expect(page.get_by_role("heading", name="The answers")).to_be_visible()
    refused = revised(study.annotators[0], anns[0]["id"], 2, NO)
    assert (refused.status_code, refused.json()["code"], refused.json()["detail"]) == (409, "seen", SEEN)
    read_only(page, study, anns[0]["id"])
    decided_and_overtaken(page, study, item, next(each for each in bens if each["item"]["id"] == item)["id"])
    all_settled(page, study, anns)


def labelled(study: Study, person: Person, answers: dict[str, str]) -> list[dict[str, Any]]:
    window = person.get(f"projects/{study.id}/next/?ahead=10")["assignments"]
    for each in window:
        assert revised(person, each["id"], 0, answers).status_code == 201
    return list(window)


def revised(person: Person, assignment: str, base: int, answers: dict[str, str]) -> Any:
    body = {
        "client_id": str(uuid.uuid4()),
        "base_revision": base,
        "answers": answers,
        "spans": [],
        "comment": "",
        "context_opened": "sentence",
        "active_ms": 4000,
        "wall_ms": 5000,
    }
    return person.send("POST", f"assignments/{assignment}/annotations/", json=body)


def becomes_adjudicator(study: Study, username: str) -> None:
    members = study.admin.get(f"projects/{study.id}/members/")
    member = next(each["id"] for each in members if each["username"] == username)
    study.admin.call("PATCH", f"members/{member}/", json={"role": "adjudicator"})


def read_only(page: Page, study: Study, assignment: str) -> None:
    page.goto(f"{study.stack.url}/projects/{study.id}/label/{assignment}")
    expect(page.get_by_text(f"You answered this one. {SEEN}")).to_be_visible()
    expect(page.get_by_role("button", name="Submit change")).to_have_count(0)
    assert violations(page) == []
    picture(page, "answer-final")


def decided_and_overtaken(page: Page, study: Study, item: str, bens: str) -> None:
    """Decided as yes, against two; then Ben comes over to yes."""
    page.goto(f"{study.stack.url}/projects/{study.id}/adjudication/{item}?kind=any")
    expect(page.get_by_test_id("sentence")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Opinion")).click()
    page.keyboard.press("q")
    page.keyboard.press("m")
    page.keyboard.type("By rule 2.")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^You decided: "))).to_be_visible()
    expect(page.get_by_text(re.compile("^Answers were changed"))).to_have_count(0)
    assert revised(study.annotators[1], bens, 1, YES).status_code == 201
    page.get_by_role("link", name="All disagreements").click()
    page.get_by_role("button", name="Decided, answers newer (1)").click()
    expect(page.get_by_text("an answer is newer than the decision")).to_be_visible()
    assert violations(page) == []
    picture(page, "answers-newer")
    page.get_by_role("group", name="Items").get_by_role("link").click()
    expect(page.get_by_text(re.compile("^Answers were changed or given after this decision"))).to_be_visible()


def all_settled(page: Page, study: Study, anns: list[dict[str, Any]]) -> None:
    page.get_by_role("link", name="All disagreements").click()
    page.get_by_role("button", name=re.compile("^Any disagreement")).click()
    expect(page.get_by_text(f"{SIZE - 1} items not shown")).to_be_visible()
    page.get_by_role("button", name="My answers are final: show them").click()
    assert violations(page) == []
    picture(page, "own-answers-final")
    page.get_by_role("button", name="They are final: show them").click()
    expect(page.get_by_role("button", name=f"Any disagreement ({SIZE})")).to_be_visible()
    for each in anns[1:]:
        assert revised(study.annotators[0], each["id"], 1, NO).json()["code"] == "seen"
    page.context.close()
