"""What people type outlives the page: an answer just before it is left, and the text of a codebook."""

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import Study
from tests.e2e.people import NO, opened, picture, signed_in
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e


def test_it_keeps_an_answer_given_just_before_the_page_is_left(browser: Browser, study: Study) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=3)["id"])
    page = signed_in(browser, study.stack, "ann")
    opened(page, study.name)
    expect(page.get_by_test_id("sentence")).to_be_visible()
    typed = ""
    for wait in (0, 60, 100, 200):
        page.keyboard.press("m")
        page.keyboard.press("ControlOrMeta+End")
        typed += f"w{wait} "
        page.keyboard.type(f"w{wait} ", delay=0)
        page.wait_for_timeout(wait)
        page.reload()
        expect(page.get_by_test_id("sentence")).to_be_visible()
        expect(page.get_by_label("Comment")).to_have_value(typed)
    # An answer, and the tab closed at once.
    page.keyboard.press(NO)
    address, other = page.url, page.context.new_page()
    page.close(run_before_unload=True)
    other.goto(address)
    expect(other.locator(".stage-line").first).to_be_visible()
    # By the back button, from the page that the browser kept or from a new one.
    other.keyboard.press("m")
    other.keyboard.press("ControlOrMeta+End")
    other.keyboard.type("and more")
    other.goto("about:blank")
    other.go_back()
    expect(other.get_by_label("Comment")).to_have_value(f"{typed}and more")
    expect(other.locator(".stage-line").first).to_be_visible()


def test_it_keeps_the_text_of_a_codebook(browser: Browser, study: Study) -> None:
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Codebook")
    page.get_by_role("button", name="Edit as a new draft").click()
    area = page.get_by_label("Definition (JSON)")
    area.fill("half a thought")
    page.get_by_role("link", name="Rounds", exact=True).click()
    expect(page.get_by_role("heading", name="Rounds", exact=True)).to_be_visible()
    page.go_back()
    expect(area).to_have_value("half a thought")
    page.reload()
    expect(area).to_have_value("half a thought")
    address = page.url
    page.close()
    page = browser.contexts[-1].new_page()
    page.goto(address)
    expect(page.get_by_label("Definition (JSON)")).to_have_value("half a thought")
    expect(page.get_by_text("Restored the text of the codebook")).to_be_visible()
    picture(page, "kept-codebook")
    page.set_viewport_size({"width": 375, "height": 720})
    page.emulate_media(color_scheme="dark")
    picture(page, "kept-codebook-phone-dark")
