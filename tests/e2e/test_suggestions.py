"""Suggestions in a browser: an admin turns them on, annotators see them after or before their own answer."""

import json
import uuid
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import NO, THEN_NO, YES, opened, picture, signed_in, to_screen
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e
SIZE = 3


@pytest.mark.timeout(300)
def test_it_suggests_labels(browser: Browser, study: Study) -> None:
    labelled_round(study)
    round_wait(study.admin, round_start(study.admin, study.id, "random", SIZE)["id"])
    predicted(study)
    admin = signed_in(browser, study.stack, study.admin.me["username"])
    opened(admin, study.name, "Rounds")
    turned_on(admin, "After the own first answer")
    compared(browser, study)
    admin.reload()
    turned_on(admin, "Before the answer")
    picture(admin, "suggestions-setting")
    shown_before(browser, study)
    reported(admin, study)


def labelled_round(study: Study) -> None:
    """A first round, so that there are gold labels."""
    round_wait(study.admin, round_start(study.admin, study.id, "random", SIZE)["id"])
    for person in study.annotators:
        for each in person.get(f"projects/{study.id}/next/?ahead=10")["assignments"]:
            person.post(f"assignments/{each['id']}/annotations/", answer())


def answer() -> dict[str, Any]:
    return {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": {"opinion": "no"},
        "spans": [],
        "comment": "",
        "context_opened": "sentence",
        "active_ms": 1000,
        "wall_ms": 1000,
    }


def predicted(study: Study) -> None:
    """A model of one's own said yes of every item that the second round handed out."""
    window = study.annotators[0].get(f"projects/{study.id}/next/?ahead=10")["assignments"]
    assert len(window) == SIZE
    lines = [
        {
            "id": each["item"]["external_id"],
            "stage": "opinion",
            "label": "yes",
            "confidence": 0.9,
            "explanation": "It names what should be done.",
            "model": "our-model",
        }
        for each in window
    ]
    spec = {"name": "Ours", "gold": {"kind": "labels"}, "stages": ["opinion"], "systems": []}
    study.admin.call(
        "POST",
        f"projects/{study.id}/evaluations/",
        data={"spec": json.dumps(spec)},
        files={"predictions": ("ours.jsonl", "".join(json.dumps(line) + "\n" for line in lines))},
    )


def turned_on(page: Page, mode: str) -> None:
    page.get_by_text("Suggestions of a model").click()
    page.get_by_label(mode).check()
    page.get_by_role("button", name="Save suggestions").click()
    expect(page.get_by_text(f"Now: our-model of evaluation 1, {mode.lower()}.")).to_be_visible()
    assert violations(page) == []


def compared(browser: Browser, study: Study) -> None:
    """The annotator answers alone; where the model differs, she looks at it and changes her answer."""
    page = signed_in(browser, study.stack, study.annotators[0].me["username"])
    opened(page, study.name)
    expect(page.get_by_test_id("sentence")).to_be_visible()
    expect(page.get_by_text("our-model")).to_have_count(0)
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Compare item 1").click()
    line = page.get_by_role("button", name="Opinion").filter(has_text="The model our-model says “Yes”, 90 % sure")
    expect(line).to_be_visible()
    expect(page.get_by_text("A model gives another label")).to_have_count(0)
    picture(page, "suggestions-after")
    assert violations(page) == []
    line.click()
    page.keyboard.press(YES)
    page.keyboard.press(THEN_NO)
    submitted(page)


def shown_before(browser: Browser, study: Study) -> None:
    page = signed_in(browser, study.stack, study.annotators[1].me["username"])
    opened(page, study.name)
    expect(page.get_by_text("The model our-model says “Yes”, 90 % sure: It names what should be done.")).to_be_visible()
    picture(page, "suggestions-before")
    page.emulate_media(color_scheme="dark")
    picture(page, "suggestions-before-dark")
    assert violations(page) == []
    page.keyboard.press(NO)
    submitted(page)


def submitted(page: Page) -> None:
    """Submit, and leave once the server has stored it: the top line says "All saved" before that, too."""
    with page.expect_response(lambda answer: "/annotations/" in answer.url and answer.ok):
        page.keyboard.press("Enter")
    page.close()


def reported(page: Page, study: Study) -> None:
    to_screen(page, "Report")
    table = page.get_by_role("region", name="Suggestions")
    expect(table.get_by_role("row").filter(has_text="after the own answer")).to_contain_text("100.0%")
    expect(table.get_by_role("row").filter(has_text="before the answer")).to_contain_text("0.0%")
    lines = [
        json.loads(line) for line in study.admin.lines(f"projects/{study.id}/export/?kind=annotations&format=jsonl")
    ]
    told = [(line["suggestion_mode"], line["suggestion_shown"]) for line in lines if line["round"] == 2]
    assert sorted(told) == [("after", True), ("before", True)]
