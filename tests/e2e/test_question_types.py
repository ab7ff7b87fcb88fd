"""Questions of every type, answered, decided and exported by keys alone, with what the pages then show of them."""

import json
import os
import uuid
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import serious
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in, to_screen
from tests.loop.client import Person
from tests.loop.run import import_file, join, round_start, round_wait

pytestmark = pytest.mark.e2e
N_ITEMS = 2


def labels(names: str) -> list[dict[str, str]]:
    return [{"key": name.lower(), "name": name} for name in names.split()]


CODEBOOK: dict[str, Any] = {
    "name": "Types",
    "stages": [
        {"key": "opinion", "title": "Opinion", "prompt": "Is it an opinion?", "labels": labels("Yes No")},
        {
            "type": "several",
            "key": "feelings",
            "title": "Feelings",
            "prompt": "Which feelings does it show?",
            "labels": labels("Joy Anger Fear"),
            "most": 2,
        },
        {"type": "scale", "key": "strength", "title": "Strength", "prompt": "How strong are they?", "high": 5},
        {
            "type": "number",
            "key": "change",
            "title": "Change",
            "prompt": "By how much did it rise?",
            "min": -10,
            "max": 10,
            "step": 0.5,
            "unit": "percent",
        },
        {
            "type": "text",
            "key": "why",
            "title": "Why",
            "prompt": "Which reason is given?",
            "most_characters": 40,
            "open_when": {"stage": "feelings", "in": ["fear", "anger"]},
        },
    ],
    "learning": {"stage": "opinion"},
}
# What the other two say of every item.
OTHERS = [
    {"opinion": "no", "feelings": '["anger"]', "strength": "2", "change": "1", "why": "inflation"},
    {"opinion": "no", "feelings": '["anger","joy"]', "strength": "5", "change": "-1", "why": "war"},
]


@pytest.mark.timeout(600)
def test_it_answers_every_type_of_question(browser: Browser, study: Study) -> None:
    name = f"{study.name} types"
    project = study.admin.post("projects/", {"name": name, "codebook": "none"})["id"]
    join(study.admin, study.annotators, project)
    version = study.admin.post(f"projects/{project}/codebooks/", {"definition": CODEBOOK})
    study.admin.post(f"codebooks/{version['id']}/publish/", {})
    rows = "id,text\n" + "".join(f"i{n},Prices rose by {n} percent in spring.\n" for n in range(N_ITEMS))
    import_file(study.admin, project, "speech.csv", rows.encode(), format="csv")
    round_wait(study.admin, round_start(study.admin, project, "random", N_ITEMS)["id"])

    page = signed_in(browser, study.stack, "ann")
    opened(page, name)
    answered_by_keys(page)
    page.context.close()
    for person, said in zip(study.annotators[1:], OTHERS, strict=True):
        for each in person.get(f"projects/{project}/next/?ahead=10")["assignments"]:
            submitted(person, each["id"], said)

    admin = signed_in(browser, study.stack, "admin")
    opened(admin, name)
    for screen in ("Codebook", "Agreement", "Report"):
        to_screen(admin, screen)
        expect(admin.get_by_role("heading", name=screen, exact=True)).to_be_visible()
        admin.wait_for_load_state("networkidle")
        assert serious(admin) == []
        picture(admin, f"question-types-{screen.lower()}")
    decided_by_keys(admin)
    admin.context.close()
    lines = [json.loads(each) for each in study.admin.lines(f"projects/{project}/export/?kind=aggregated&format=jsonl")]
    (decided,) = [each["labels"] for each in lines if each["labels"]["change"]["state"] == "adjudicated"]
    assert decided["opinion"]["label"] == "no"
    # Two of three chose anger, and two left each of the others out.
    assert (decided["feelings"]["state"], decided["feelings"]["label"]) == ("adjudicated", ["anger", "joy"])
    assert (decided["change"]["label"], decided["why"]["label"]) == (-0.5, "rising wages")
    given = [each["labels"]["feelings"]["raw"]["annotator 2"] for each in lines]
    assert sorted(given) == [["anger"], ["fear", "joy"]]


def submitted(person: Person, assignment: str, answers: dict[str, str]) -> None:
    body: dict[str, Any] = {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": answers,
        "spans": [],
        "comment": "",
        "context_opened": "sentence",
        "active_ms": 4000,
        "wall_ms": 5000,
    }
    person.post(f"assignments/{assignment}/annotations/", body)


def line(page: Page, title: str) -> Any:
    return page.locator(".stage-line").filter(has_text=title)


def answered_by_keys(page: Page) -> None:
    expect(page.get_by_role("group", name="Feelings").get_by_role("checkbox")).to_have_count(3)
    looks(page, "begun")
    assert serious(page) == []
    page.keyboard.press("q")
    for key in ("a", "s", "d", "s"):
        page.keyboard.press(key)
    expect(page.get_by_role("checkbox", name="Joy")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Anger")).not_to_be_checked()
    expect(page.get_by_role("group", name="Why")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(line(page, "Feelings")).to_contain_text("Joy, Fear")
    # Fear is one of the labels that open it.
    expect(page.get_by_role("group", name="Why")).to_be_visible()
    page.keyboard.press("4")
    expect(line(page, "Strength")).to_contain_text("4")
    page.keyboard.press("e")
    box = page.get_by_role("group", name="Change").get_by_role("textbox")
    expect(box).to_be_focused()
    # In a box a letter is a letter: x skips nothing, and what is no number is named beside the box.
    page.keyboard.type("x")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="Write a number")).to_be_visible()
    looks(page, "fault")
    assert serious(page) == []
    page.keyboard.press("Backspace")
    page.keyboard.type("2.25")
    page.keyboard.press("ArrowUp")
    expect(box).to_have_value("2.5")
    page.keyboard.press("Escape")
    expect(box).not_to_be_focused()
    # Out of the box, Enter confirms what stands in it before it submits anything.
    page.keyboard.press("Enter")
    expect(line(page, "Change")).to_contain_text("2.5 percent")
    page.keyboard.press("f")
    page.keyboard.type("  inflation ")
    page.keyboard.press("Enter")
    expect(line(page, "Why")).to_contain_text("inflation")
    # A set that is opened again is as it was, and Enter leaves it so.
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("progress")).to_contain_text(f"1 of {N_ITEMS}")
    for key in ("w", "s", "Enter", "2", "e"):
        page.keyboard.press(key)
    expect(line(page, "Strength")).to_contain_text("2")
    page.keyboard.type("3.0")
    page.keyboard.press("Enter")
    expect(line(page, "Change")).to_contain_text("3 percent")
    page.keyboard.press("f")
    page.keyboard.type("inflation")
    page.keyboard.press("Enter")
    looks(page, "done")
    page.keyboard.press("Enter")
    expect(page.get_by_text(f"{N_ITEMS} of {N_ITEMS}").first).to_be_visible()


def decided_by_keys(page: Page) -> None:
    to_screen(page, "Disagreements")
    expect(page.get_by_role("button", name=f"To decide ({N_ITEMS})")).to_be_visible()
    page.get_by_test_id("sentence").or_(page.get_by_role("link", name="Prices rose").first).first.click()
    change = page.get_by_role("group", name="Change")
    expect(change).to_be_visible()
    assert serious(page) == []
    looks(page, "case")
    # The majority of the sets stands folded; it is opened and completed.
    page.locator(".stage-line").filter(has_text="Feelings").click()
    for name in ("Joy", "Anger"):
        box = page.get_by_role("checkbox", name=name)
        box.focus()
        if not box.is_checked():
            page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(line(page, "Feelings")).to_contain_text("Joy, Anger")
    change.get_by_role("textbox").focus()
    page.keyboard.type("-0.5")
    page.keyboard.press("Enter")
    expect(line(page, "Change")).to_contain_text("-0.5 percent")
    why = page.get_by_role("group", name="Why").get_by_role("textbox").or_(line(page, "Why"))
    why.first.click()
    page.get_by_role("group", name="Why").get_by_role("textbox").fill("rising wages")
    page.keyboard.press("Enter")
    expect(line(page, "Why")).to_contain_text("rising wages")
    page.keyboard.press("m")
    page.keyboard.type("By the guidelines.")
    page.keyboard.press("Enter")
    stored = "Stored. Feelings: Joy, Anger. Change: -0.5 percent. Why: rising wages."
    expect(page.get_by_text(stored)).to_be_attached()


def looks(page: Page, name: str) -> None:
    """Pictures for a person's eye, where E2E_LOOKS names a folder: wide and narrow, light and dark."""
    folder = os.environ.get("E2E_LOOKS")
    if not folder:
        return
    size = page.viewport_size
    for width in (1366, 390):
        page.set_viewport_size({"width": width, "height": 860})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=True)
    page.emulate_media(color_scheme="light")
    if size:
        page.set_viewport_size(size)
