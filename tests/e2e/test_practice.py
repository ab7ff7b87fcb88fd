"""Practice in a browser: an admin writes the key, an annotator learns from it and passes."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import NO, YES, opened, picture, signed_in

pytestmark = pytest.mark.e2e
SIZE = 2


@pytest.mark.timeout(600)
def test_an_admin_writes_a_key_and_an_annotator_passes(browser: Browser, study: Study) -> None:
    admin = signed_in(browser, study.stack, study.admin.me["username"])
    opened(admin, study.name, "Practice")
    made(admin)
    written(admin)
    annotator = signed_in(browser, study.stack, study.annotators[0].me["username"])
    opened(annotator, study.name)
    gone_through(annotator)
    admin.get_by_role("link", name="All practices").click()
    admin.reload()
    expect(admin.get_by_text("passed: 1 of 2 right")).to_be_visible()
    picture(admin, "practice-results")
    assert violations(admin) == []


def made(page: Page) -> None:
    page.get_by_role("button", name="Make a practice").click()
    page.get_by_label("Title").fill("Stance")
    page.get_by_label("Pass mark in percent").fill("50")
    page.get_by_role("button", name="Make it and choose items").click()
    page.get_by_label("Drawn from the pool").check()
    page.get_by_label("How many").fill(str(SIZE))
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("no key yet")).to_have_count(SIZE)


def written(page: Page) -> None:
    page.get_by_role("button", name="Write the key of").first.click()
    for _ in range(SIZE):
        page.get_by_role("group", name="Opinion").get_by_role("button", name="No", exact=False).first.click()
        page.get_by_label("Explanation").fill("Nobody says what should be done.")
        picture(page, "practice-key")
        page.get_by_role("button", name="Save the key").click()
    expect(page.get_by_text("no key yet")).to_have_count(0)
    assert violations(page) == []
    page.get_by_role("button", name="Open the practice").click()
    page.get_by_role("dialog").get_by_role("button", name="Open the practice").click()
    expect(page.get_by_text("; open.")).to_be_visible()


def gone_through(page: Page) -> None:
    page.get_by_role("button", name="Begin the practice").click()
    expect(page.get_by_test_id("sentence")).to_be_visible()
    expect(page.get_by_text("Attempt 1.")).to_be_visible()
    page.keyboard.press(YES)
    page.keyboard.press("s")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Not right: this is the key")).to_be_visible()
    expect(page.get_by_text("Nobody says what should be done.")).to_be_visible()
    picture(page, "practice-wrong")
    assert violations(page) == []
    page.keyboard.press("Enter")
    # The page of the key shows its text too: only the next item has a question.
    expect(page.get_by_role("group", name="Opinion")).to_be_visible()
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Right: this is the key")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 right in attempt 1. You passed.")).to_be_visible()
    picture(page, "practice-passed")
