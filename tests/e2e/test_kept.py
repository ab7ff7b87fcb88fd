"""What people type outlives the page: an answer just before it is left, and the text of a codebook."""

import json

import pytest
from playwright.sync_api import Browser, Page, Route, expect

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
    """In this browser, for as long as the server does not take the shared draft."""
    page = signed_in(browser, study.stack, "admin")
    page.context.route("**/codebook-draft/**", not_taken)
    opened(page, study.name, "Codebook")
    page.get_by_role("button", name="Edit as a new draft").click()
    page.get_by_role("button", name="JSON", exact=True).click()
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
    follows_another_tab(page)
    page.set_viewport_size({"width": 375, "height": 720})
    page.emulate_media(color_scheme="dark")
    picture(page, "kept-codebook-phone-dark")


def not_taken(route: Route) -> None:
    if route.request.method == "GET":
        route.continue_()
    else:
        route.abort()


def test_it_asks_before_an_answer_is_dropped_and_drops_that_one_alone(browser: Browser, study: Study) -> None:
    row = round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=4)["id"])
    page = signed_in(browser, study.stack, "ann")
    opened(page, study.name)
    expect(page.get_by_test_id("sentence")).to_be_visible()
    status = page.get_by_test_id("save-status")
    answered(page, "sent")
    expect(status).to_have_text("All saved")
    page.context.set_offline(True)
    texts = [answered(page, f"thought {n}") for n in range(2)]
    study.admin.post(f"batches/{row['batch']['id']}/close/")
    page.context.set_offline(False)
    expect(status).to_have_text("Not sent: 2 need your decision")
    page.get_by_role("button", name="Decide").click()
    undelivered = page.get_by_role("dialog", name="Not sent: your decision")
    first, second = (undelivered.get_by_role("region", name=text) for text in texts)
    expect(first).to_contain_text("thought 0")
    first.get_by_role("button", name="Discard mine").click()
    asking = page.get_by_role("dialog", name="Discard your answer?")
    expect(asking).to_contain_text(texts[0][:40])
    picture(page, "undelivered-discard")
    asking.get_by_role("button", name="Cancel").click()
    expect(first).to_be_visible()
    expect(status).to_have_text("Not sent: 2 need your decision")
    first.get_by_role("button", name="Discard mine").click()
    asking.get_by_role("button", name="Discard mine").click()
    expect(first).to_have_count(0)
    expect(second).to_contain_text("thought 1")
    page.reload()
    expect(status).to_have_text("Not sent: 1 needs your decision")
    study.admin.post(f"batches/{row['batch']['id']}/reopen/")
    page.get_by_role("button", name="Decide").click()
    second.get_by_role("button", name="Try again").click()
    expect(status).to_have_text("All saved")
    lines = study.admin.lines(f"projects/{study.id}/export/?kind=annotations&format=jsonl")
    assert sorted(json.loads(line)["comment"] for line in lines) == ["sent", "thought 1"]


def answered(page: Page, comment: str) -> str:
    """Answers the item at hand, with a comment; gives its text."""
    text = page.get_by_test_id("sentence").inner_text()
    page.keyboard.press("m")
    page.keyboard.type(comment)
    page.keyboard.press("Escape")
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("sentence")).not_to_have_text(text)
    return text


def follows_another_tab(page: Page) -> None:
    """Two tabs with the same form hold one text, which neither loses; each says that the other changed it."""
    here = page.get_by_label("Definition (JSON)")
    tab = page.context.new_page()
    tab.goto(page.url)
    there = tab.get_by_label("Definition (JSON)")
    expect(there).to_have_value("half a thought")
    there.press("ControlOrMeta+End")
    there.press_sequentially(", and a half")
    expect(here).to_have_value("half a thought, and a half")
    expect(page.get_by_text("You changed the text of the codebook in another tab")).to_be_visible()
    page.bring_to_front()
    here.press("ControlOrMeta+End")
    here.press_sequentially(" more")
    expect(page.get_by_text("in another tab")).to_have_count(0)
    expect(there).to_have_value("half a thought, and a half more")
    expect(tab.get_by_text("You changed the text of the codebook in another tab")).to_be_visible()
    picture(page, "kept-two-tabs")
    # Dropped in one, it is still to be seen in the other, and is kept again with the next change.
    tab.bring_to_front()
    tab.get_by_role("button", name="Discard the changes").click()
    tab.get_by_role("dialog").get_by_role("button", name="Discard the changes").click()
    tab.close()
    expect(page.get_by_text("You saved or discarded the text of the codebook in another tab")).to_be_visible()
    expect(here).to_have_value("half a thought, and a half more")
    here.press("ControlOrMeta+End")
    here.press_sequentially("!")
    page.reload()
    expect(here).to_have_value("half a thought, and a half more!")
