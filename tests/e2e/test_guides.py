"""The ways that docs/guide describes, walked through the demo. It leaves the pictures of the guides in test-results."""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation_app.demo.paths import REPORTS
from tests.e2e.people import NO, THEN_YES, YES, heard, opened, picture, signed_in
from tests.loop.client import Person
from tests.stack import Stack

pytestmark = pytest.mark.e2e
BOARD = "Monetary Board of Vellmark (demo)"
REPORTS_PROJECT = "Reports on the Monetary Board (demo)"
ANNOTATORS = ("demo-anna", "demo-bruno", "demo-chloe")
# What each annotator marks in the first report; they see the act differently.
PASSAGE = "The Board kept its policy unchanged, the minutes say, so that it could later “move once and by enough.”"
ACTS = ("kept its policy unchanged", "kept its policy unchanged", "kept")


@dataclass(frozen=True)
class Demo:
    """The demo on the stack of these tests, with the passwords of its people."""

    stack: Stack
    browser: Browser
    passwords: dict[str, str]

    def at(self, username: str, project: str, screen: str = "") -> Page:
        """Return a page of this person's own at a screen of a project."""
        page = signed_in(self.browser, self.stack, username, password=self.passwords[username])
        opened(page, project, screen)
        return page

    def person(self, username: str) -> Person:
        return Person(self.stack.url, username, self.passwords[username])


@pytest.fixture(scope="module")
def demo(stack: Stack, browser: Browser) -> Iterator[Demo]:
    """Make the demo as `make up` makes it; its accounts are switched off again afterwards."""
    told = stack.manage("seed_demo")
    stack.manage("seed_demo_rounds")
    yield Demo(stack, browser, dict(re.findall(r"^\s+(demo-\w+)\s+(\S+)", told, re.MULTILINE)))
    stack.manage("seed_demo", "--off")


@pytest.mark.timeout(600)
def test_it_walks_the_annotators_guide_through_stages(demo: Demo) -> None:
    page = signed_in(demo.browser, demo.stack, "demo-anna", password=demo.passwords["demo-anna"])
    expect(page.get_by_role("heading", name=BOARD)).to_be_visible()
    picture(page, "guide-projects")
    opened(page, BOARD)
    expect(page.get_by_test_id("progress")).to_contain_text("0 of 24")
    page.keyboard.press("c")
    page.keyboard.press(YES)
    page.keyboard.press(THEN_YES)
    expect(page.get_by_text("Stance", exact=True).first).to_be_visible()
    picture(page, "guide-label", whole=False)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    picture(page, "guide-keys", whole=False)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("progress")).to_contain_text("1 of 24")
    expect(page.get_by_test_id("save-status")).to_have_text(re.compile("All saved"))


@pytest.mark.timeout(600)
def test_it_walks_the_annotators_guide_through_spans(demo: Demo) -> None:
    page = demo.at("demo-anna", REPORTS_PROJECT)
    text = page.get_by_test_id("span-text")
    expect(text).to_be_focused()
    for _ in range(12):
        page.keyboard.press("Control+Shift+ArrowRight")
    heard(page)
    page.keyboard.press("1")
    expect(page.get_by_text("has no Act, no Actor and no Reference yet").first).to_be_visible()
    picture(page, "guide-spans", whole=False)
    # The sources stand beside the text until `b` hides them.
    page.keyboard.press("b")
    expect(page.get_by_text(re.compile("sources? beside the text"))).to_be_visible()


@pytest.mark.timeout(600)
def test_it_walks_the_guide_of_a_validator(demo: Demo) -> None:
    for username, act in zip(ANNOTATORS, ACTS, strict=True):
        marked(demo.person(username), act)
    page = demo.at("demo-dora", REPORTS_PROJECT)
    expect(page.get_by_role("heading", name="Validate", exact=True)).to_be_visible()
    expect(page.get_by_text("1 ready to validate", exact=False)).to_be_visible()
    page.get_by_role("link", name="report-1").click()
    expect(page.get_by_text("kept its policy unchanged").first).to_be_visible()
    picture(page, "guide-validate", whole=False)


def marked(person: Person, act: str) -> None:
    """Mark the first report over HTTP, as the span screen does."""
    project = next(each for each in person.get("projects/") if each["name"] == REPORTS_PROJECT)
    window = person.get(f"projects/{project['id']}/next/?ahead=10")["assignments"]
    assignment = next(each for each in window if PASSAGE in each["item"]["text"])
    text = assignment["item"]["text"]
    source = assignment["item"]["sources"][0]["id"]
    spans = [
        span(text, PASSAGE, "std_sentence"),
        span(text, "The Board", "actor", start=text.index(PASSAGE)),
        span(text, act, "act", comment="Did not change rates", start=text.index(ACTS[0])),
        span(text, "the minutes", "reference", source=source, start=text.index("the minutes say")),
        span(text, "“move once and by enough.”", "motive"),
    ]
    body: dict[str, Any] = {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": {},
        "spans": sorted(spans, key=lambda each: (each["start"], -each["end"])),
        "comment": "",
        "context_opened": "sentence",
        "active_ms": 60_000,
        "wall_ms": 90_000,
    }
    person.post(f"assignments/{assignment['id']}/annotations/", body)


def span(
    text: str, quote: str, category: str, *, comment: str = "", source: str | None = None, start: int | None = None
) -> dict[str, Any]:
    begin = text.index(quote) if start is None else start
    return {
        "start": begin,
        "end": begin + len(quote),
        "quote": quote,
        "category": category,
        "comment": comment,
        "source": source,
    }


@pytest.mark.timeout(600)
def test_it_walks_the_admins_guide(demo: Demo) -> None:
    page = demo.at("demo-admin", BOARD, "Overview")
    expect(page.get_by_role("heading", name="Workers and queue")).to_be_visible()
    picture(page, "guide-overview", whole=False)
    for screen, seen in (
        ("Members", "Who belongs to the project"),
        ("Codebook", "Does the speaker give an opinion here?"),
        ("Rounds", "items with two answers or more"),
        ("Insights", "Is it time to stop?"),
        ("Agreement", "By stage and round"),
        ("Export", "every item given out"),
        ("Release", "Not finished yet."),
        ("Disagreements", "To decide ("),
    ):
        page.get_by_role("link", name=screen, exact=True).first.click()
        expect(page.get_by_role("main").get_by_text(seen).first).to_be_visible()
        picture(page, f"guide-{screen.lower()}", whole=False)
    page.get_by_role("link", name="Begin with the first").click()
    expect(page.get_by_test_id("sentence")).to_be_visible()
    picture(page, "guide-disagreement", whole=False)
    page.get_by_role("link", name="Import", exact=True).first.click()
    page.locator("input[type=file]").set_input_files(REPORTS)
    expect(page.get_by_role("button", name=re.compile(r"^Import .*\d items"))).to_be_visible(timeout=120_000)
    picture(page, "guide-import", whole=False)


@pytest.mark.timeout(600)
def test_it_takes_the_reports_figures_away(demo: Demo) -> None:
    page = demo.at("demo-admin", BOARD, "Report")
    figure = page.get_by_role("article", name=re.compile(r"^Labels of each annotator")).first
    for kind, start in (("SVG", b"<?xml"), ("PNG", b"\x89PNG"), ("PDF", b"%PDF")):
        saved = download(page, figure.get_by_role("link", name=re.compile(f"^{kind}")))
        assert saved.suffix == f".{kind.lower()}"
        assert saved.read_bytes().startswith(start)
    picture(page, "report")
    file = demo.browser.new_page()
    file.goto(download(page, page.get_by_role("link", name=re.compile("one file"))).absolute().as_uri())
    expect(file.get_by_role("heading", name=f"Report: {BOARD}")).to_be_visible()
    drawn = file.locator("figure img")
    assert drawn.count() >= 3
    assert drawn.evaluate_all("images => images.every((each) => each.complete && each.naturalWidth > 0)")
    picture(file, "report-file")


def download(page: Page, link: Locator) -> Path:
    """Press a link, and leave its file in test-results."""
    with page.expect_download() as waiting:
        link.click()
    saved = Path("test-results", waiting.value.suggested_filename)
    waiting.value.save_as(saved)
    return saved
