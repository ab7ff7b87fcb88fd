"""Labelling without a network, over a reload too, and what a second person of the same browser sees."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Study
from tests.e2e.people import DRAFTS, NO, eventually, opened, picture, sign_in, signed_in
from tests.loop.run import round_start, round_wait
from tests.stack import PASSWORD

pytestmark = pytest.mark.e2e
SIZE, OFFLINE = 35, 30
READY = "async () => { await navigator.serviceWorker.ready; }"


def label(page: Page, first: int, last: int) -> None:
    for done in range(first, last):
        expect(page.get_by_test_id("progress")).to_contain_text(f"{done} of {SIZE}")
        expect(page.get_by_test_id("sentence")).to_be_visible()
        page.keyboard.press(NO)
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("progress")).to_contain_text(f"{last} of {SIZE}")


def exported(study: Study) -> list[str]:
    return study.admin.lines(f"projects/{study.id}/export/?kind=annotations&format=jsonl")


def test_it_labels_thirty_items_offline_over_a_reload_and_sends_each_once(browser: Browser, study: Study) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=SIZE)["id"])
    page = signed_in(browser, study.stack, "ann")
    opened(page, study.name)
    label(page, 0, 2)
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")
    page.evaluate(READY)
    page.context.set_offline(True)
    label(page, 2, 20)
    expect(page.get_by_test_id("save-status")).to_contain_text("18 saved on this device")
    page.reload()
    expect(page.get_by_test_id("progress")).to_contain_text(f"20 of {SIZE}")
    label(page, 20, 2 + OFFLINE)
    picture(page, "offline")
    assert len(exported(study)) == 2
    # The session ends meanwhile: the answers wait for the sign-in, and are all there once.
    page.context.clear_cookies()
    page.context.set_offline(False)
    page.get_by_role("button", name="Sign in again").first.click()
    page.get_by_label("User name").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("save-status")).to_have_text("All saved", timeout=120_000)
    expect(page.get_by_test_id("progress")).to_contain_text(f"{2 + OFFLINE} of {SIZE}")
    items = [re.search(r'"item_id": "([^"]+)"', line)[1] for line in exported(study)]
    assert (len(items), len(set(items))) == (2 + OFFLINE, 2 + OFFLINE)


def test_it_shows_a_second_person_nothing_of_the_first(browser: Browser, study: Study) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=SIZE)["id"])
    page = signed_in(browser, study.stack, "ann")
    opened(page, study.name)
    label(page, 0, 1)
    page.keyboard.press("m")
    page.keyboard.type("a thought of Ann's")
    page.evaluate(READY)
    page.keyboard.press("Escape")
    # What is typed is written a moment later; from then on signing out asks.
    eventually(lambda: "a thought of Ann's" in page.evaluate(DRAFTS), "the draft is kept")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("dialog")).to_contain_text("1 text that you typed is not saved")
    page.get_by_role("button", name="Sign out all the same").click()
    expect(page.get_by_label("User name")).to_be_visible()
    page.context.set_offline(True)
    page.goto(f"{study.stack.url}/projects/{study.id}/label")
    # The shell is there, and nobody's items.
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    expect(page.get_by_test_id("sentence")).to_have_count(0)
    page.context.set_offline(False)
    page.goto(f"{study.stack.url}/")
    sign_in(page, "ben")
    opened(page, study.name)
    expect(page.get_by_test_id("progress")).to_contain_text(f"0 of {SIZE}")
    expect(page.get_by_text("a thought of Ann's")).to_have_count(0)
