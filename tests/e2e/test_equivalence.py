"""People sort strings of settled spans into equivalence classes, by keys and by drag, and a senior person reviews."""

import json
import re
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import serious
from tests.e2e.people import eventually, fits_width, picture, signed_in
from tests.e2e.test_validation import annotate
from tests.loop.client import Person
from tests.loop.run import import_file, join, round_start, round_wait
from tests.spans import category, span
from tests.stack import Stack

pytestmark = pytest.mark.e2e

TIMES = ["soon", "anytime soon", "shortly", "next year", "in the coming year", "this month", "later this month"]
CODEBOOK = {
    "name": "What the board will do",
    "span_layer": {
        "categories": [
            category("sentence", color="ochre", at_least=1, comment="none"),
            category("scope", color="orange", within="sentence", comment="none"),
            category("motive", color="green", within="sentence"),
        ]
    },
}


def text_of(number: int, words: str) -> str:
    """A short article in which the board acts at a certain time."""
    return (
        f"News of week {number}.\n\nThe board will cut its rate {words} because trade weakened. Nobody was surprised."
    )


def marks(_: int, text: str) -> list[dict[str, Any]]:
    sentence = re.search(r"The board [^.]+\.", text)
    scope = re.search(r"rate (.+) because", text)
    assert sentence
    assert scope
    return [
        span(text, sentence[0], "sentence"),
        span(text, scope[1], "scope"),
        span(text, "because trade weakened", "motive", "weak trade"),
    ]


@dataclass(frozen=True)
class Desk:
    """A project whose spans are settled, with an evaluation of the times in them."""

    stack: Stack
    project: str
    admin: Person
    evaluation: str

    def classes(self) -> list[tuple[str, list[str]]]:
        found = self.admin.get(f"projects/{self.project}/equivalence/{self.evaluation}/")["classes"]
        return [(each["name"], each["members"]) for each in found]

    def actions(self) -> list[str]:
        path = f"projects/{self.project}/equivalence/{self.evaluation}/revisions/"
        return [each["action"] for each in reversed(self.admin.get(path)["revisions"])]

    def shown(self, browser: Browser, name: str, **window: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 860}, **window})
        page = signed_in(browser, self.stack, name, context)
        page.goto(f"{self.stack.url}/projects/{self.project}/equivalence/{self.evaluation}")
        expect(options(page).first).to_be_visible()
        return page


@pytest.fixture
def desk(stack: Stack, people: tuple[Person, list[Person]], request: pytest.FixtureRequest) -> Desk:
    admin, (ann, *_) = people
    name = request.node.name.removeprefix("test_it_").split("[")[0].replace("_", " ")
    project = admin.post("projects/", {"name": name, "codebook": "none"})["id"]
    version = admin.post(f"projects/{project}/codebooks/", {"definition": CODEBOOK})["id"]
    admin.post(f"codebooks/{version}/publish/")
    join(admin, [ann], project)
    rows = [
        {"id": f"week-{number}", "text": text_of(number, words)}
        for number, words in enumerate([*TIMES, "soon", "next year"])
    ]
    lines = "\n".join(json.dumps(each) for each in rows).encode()
    import_file(admin, project, "news.jsonl", lines, unit="document", min_tokens="1")
    round_wait(admin, round_start(admin, project, "random", query_size=len(rows), stages=[])["id"])
    annotate(ann, 0, project, marks)
    for item in admin.get(f"projects/{project}/validation/?state=all")["items"]:
        accept(admin, project, item["id"])
    # Those who mark see the strings once nobody's marks can change: from the next round on.
    more = json.dumps({"id": "more", "text": text_of(99, "later")}).encode()
    import_file(admin, project, "more.jsonl", more, unit="document", min_tokens="1")
    round_wait(admin, round_start(admin, project, "random", query_size=1, stages=[])["id"])
    made = admin.post(
        f"projects/{project}/equivalence/",
        {"category": "scope", "name": "temporal scope", "part": "words", "client_id": str(uuid.uuid4())},
    )
    return Desk(stack, project, admin, made["id"])


def accept(admin: Person, project: str, item: str) -> None:
    """Accept the only annotation of an item as it is."""
    path = f"projects/{project}/validation/{item}/"
    (annotation,) = admin.get(path)["annotations"]
    body = {"client_id": str(uuid.uuid4()), "base_revision": 0, "decision": "accepted", "annotation": annotation["id"]}
    admin.post(path, body)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def saved(page: Page) -> None:
    expect(page.get_by_test_id("classes-saved")).to_have_text("All saved")


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Strings found").get_by_role("option")


def option(page: Page, words: str) -> Locator:
    return options(page).filter(has=page.get_by_text(words, exact=True))


def card(page: Page, title: str) -> Locator:
    return page.get_by_role("region", name=title, exact=True)


@pytest.mark.timeout(900)
def test_it_groups_strings_by_keys_and_by_drag(browser: Browser, desk: Desk) -> None:
    page = desk.shown(browser, "ann")
    expect(options(page)).to_have_count(7)
    # A new class from the first string, then a second one; "anytime soon" joins the first by its number.
    option(page, "soon").click()
    press(page, "n")
    expect(card(page, "class 1")).to_contain_text("soon")
    option(page, "next year").click()
    press(page, "n")
    option(page, "anytime soon").click()
    press(page, "1")
    saved(page)
    assert desk.classes() == [("", ["soon", "anytime soon"]), ("", ["next year"])]
    # Two strings by Ctrl, dragged to a class and to the place for new ones.
    option(page, "in the coming year").drag_to(card(page, "class 2"))
    expect(card(page, "class 2")).to_contain_text("in the coming year")
    option(page, "this month").click()
    option(page, "later this month").click(modifiers=["ControlOrMeta"])
    option(page, "this month").drag_to(page.get_by_text("Drop strings here for a new class"))
    expect(card(page, "class 3")).to_contain_text("later this month")
    # A name, an undo and a redo.
    press(page, "r")
    page.get_by_role("textbox", name="Name").fill("this month")
    page.keyboard.press("Enter")
    expect(card(page, "this month")).to_be_visible()
    press(page, "ControlOrMeta+z", "ControlOrMeta+z")
    expect(page.locator(".class-card")).to_have_count(2)
    press(page, "ControlOrMeta+Shift+z", "ControlOrMeta+Shift+z")
    expect(card(page, "this month")).to_contain_text("later this month")
    saved(page)
    assert desk.classes()[2] == ("this month", ["this month", "later this month"])
    # What is not in a class yet is found by the filter, and its places open.
    page.get_by_role("button", name=re.compile("In no class 1")).click()
    option(page, "shortly").click()
    expect(page.get_by_role("heading", name=re.compile("shortly.*1 place"))).to_be_visible()
    picture(page, "equivalence-grouping", whole=False)
    press(page, "1", "Backspace")
    # The card's own button names the string in hand, so that its list is looked at.
    expect(card(page, "class 1").get_by_role("listitem")).to_have_count(2)
    saved(page)
    assert "Put “shortly” into class 1" in desk.actions()
    page.get_by_role("button", name=re.compile("^All 7")).click()
    option(page, "soon").click()
    page.get_by_role("button", name="Alike by words").click()
    picture(page, "equivalence-alike", whole=False)
    assert serious(page) == []
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("button", name="Restore revision 1", exact=True)).to_be_visible()
    picture(page, "equivalence-history")


@pytest.mark.timeout(900)
def test_it_takes_what_a_second_browser_did_and_works_without_a_network(browser: Browser, desk: Desk) -> None:
    page, other = desk.shown(browser, "ann"), desk.shown(browser, "admin")
    option(page, "soon").click()
    press(page, "n")
    saved(page)
    expect(card(other, "class 1")).to_be_visible()
    # Offline the work goes on, and is sent once there is a network.
    page.context.set_offline(True)
    option(page, "anytime soon").click()
    press(page, "1")
    option(page, "shortly").click()
    press(page, "1")
    expect(page.get_by_test_id("classes-saved")).to_contain_text("2 changes not saved yet")
    option(other, "shortly").click()
    press(other, "n")
    saved(other)
    page.context.set_offline(False)
    notice = page.get_by_role("alert", name="Changed elsewhere")
    expect(notice).to_contain_text("New: class 2.")
    expect(notice).to_contain_text("Put “anytime soon” into class 1")
    expect(notice).to_contain_text("no longer fit")
    picture(page, "equivalence-stale", whole=False)
    saved(page)
    assert desk.classes() == [("", ["soon", "anytime soon"]), ("", ["shortly"])]
    notice.get_by_role("button", name="I have seen it").click()
    expect(notice).to_have_count(0)


@pytest.mark.timeout(900)
def test_it_reviews_classes_and_carries_a_file_there_and_back(browser: Browser, desk: Desk, tmp_path: Path) -> None:
    page = desk.shown(browser, "ann")
    for words, key in (("soon", "n"), ("anytime soon", "1"), ("next year", "n"), ("in the coming year", "2")):
        option(page, words).click()
        press(page, key)
    saved(page)
    senior = desk.shown(browser, "admin")
    press(senior, "j", "v")
    expect(card(senior, "class 1")).to_contain_text("validated")
    press(senior, "j", "x")
    senior.get_by_label("Note").fill("Is “next year” not later?")
    senior.get_by_role("button", name="Return the class").click()
    saved(senior)
    page.reload()
    expect(card(page, "class 2")).to_contain_text("Is “next year” not later?")
    expect(card(page, "class 1").get_by_text("validated", exact=False)).to_be_visible()
    option(page, "shortly").click()
    press(page, "1")
    expect(card(page, "class 1")).to_contain_text("changed since")
    saved(page)
    picture(page, "equivalence-review", whole=False)
    # The file goes out, and in again without a change; one with faults is shown, and changes nothing.
    url = f"{desk.stack.url}/projects/{desk.project}/equivalence"
    senior.goto(url)
    with senior.expect_download() as downloading:
        senior.get_by_role("link", name="Export as JSON").click()
    path = tmp_path / "classes.json"
    downloading.value.save_as(path)
    (written,) = json.loads(path.read_text(encoding="utf-8"))
    assert written["equivalence_classes"] == [["soon", "anytime soon", "shortly"], ["next year", "in the coming year"]]
    senior.get_by_role("button", name="Import a file").click()
    senior.locator("input[type=file]").set_input_files(path)
    expect(senior.get_by_text("The file changes nothing")).to_be_visible()
    # The browser hears of no change where a file of the same name is chosen without a press.
    wrong, other = tmp_path / "wrong.json", tmp_path / "times.json"
    wrong.write_text(json.dumps([{**written, "equivalence_classes": [["soon"], ["soon"]]}]), encoding="utf-8")
    senior.locator("input[type=file]").set_input_files(wrong)
    expect(senior.get_by_text("Nothing is imported.")).to_be_visible()
    picture(senior, "equivalence-faults")
    times = {**written, "evaluation": "times", "equivalence_classes": [["soon"], ["never"]]}
    other.write_text(json.dumps([times]), encoding="utf-8")
    senior.locator("input[type=file]").set_input_files(other)
    senior.get_by_role("button", name="Import 1 evaluation").click()
    expect(senior.get_by_role("link", name="times")).to_be_visible()
    picture(senior, "equivalence-list")
    assert serious(senior) == []
    senior.get_by_role("link", name="Instances").click()
    expect(senior.get_by_role("heading", name="Instances", level=1)).to_be_visible()
    expect(senior.get_by_role("heading", name=re.compile(r"\d+ instances?"))).to_be_visible()
    picture(senior, "equivalence-instances")


@pytest.mark.timeout(900)
def test_it_works_with_a_thumb(browser: Browser, desk: Desk) -> None:
    phone = {"viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}
    page = desk.shown(browser, "ann", **phone, color_scheme="dark")
    option(page, "soon").tap()
    option(page, "shortly").tap()
    page.get_by_role("button", name="New class").tap()
    option(page, "anytime soon").tap()
    page.get_by_role("button", name=re.compile("Put it here.*“anytime soon” into class 1")).tap()
    saved(page)
    eventually(lambda: desk.classes() == [("", ["soon", "shortly", "anytime soon"])], "the class has three strings")
    picture(page, "equivalence-phone")
    fits_width(page)
    assert serious(page) == []
