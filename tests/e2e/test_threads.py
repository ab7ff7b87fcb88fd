"""A question about an item, in a browser: asked without a network, answered, replied to, and published to everybody."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, opened, picture, signed_in, to_screen
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e
QUESTION, ANSWER = "Is irony an opinion?", "Yes: label what is meant."


@pytest.mark.timeout(300)
def test_it_answers_what_somebody_asked(browser: Browser, study: Study) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=3)["id"])
    ann = signed_in(browser, study.stack, "ann")
    opened(ann, study.name)
    asked_without_a_network(ann)
    admin = signed_in(browser, study.stack, "admin")
    expect(bell(admin)).to_have_accessible_name(re.compile("unread"))
    bell(admin).click()
    assert violations(admin) == []
    picture(admin, "notices")
    admin.get_by_role("dialog").get_by_role("link", name="1 flag waits for your answer").last.click()
    expect(admin.get_by_text(QUESTION)).to_be_visible()
    admin.get_by_label("Answer", exact=True).fill(ANSWER)
    admin.get_by_role("button", name="Send the answer").click()
    expect(admin.get_by_text("No comment matches.")).to_be_visible()
    answer_read(ann)
    admin.get_by_label("State").select_option("waiting")
    admin.reload()
    expect(admin.get_by_text("Always?")).to_be_visible()
    assert violations(admin) == []
    picture(admin, "flags-queue")
    admin.get_by_role("button", name="Publish a note instead").click()
    admin.get_by_label("Note", exact=True).fill("Irony counts as an opinion.")
    admin.get_by_role("button", name="Publish the note").click()
    expect(admin.get_by_text("No comment matches.")).to_be_visible()
    note_read(browser, study)
    to_screen(admin, "Codebook")
    admin.get_by_role("button", name="Withdraw the note").click()
    admin.get_by_role("dialog").get_by_role("button", name="Withdraw the note").click()
    expect(admin.get_by_text(re.compile("withdrawn"))).to_be_visible()


def bell(page: Page) -> Locator:
    return page.get_by_role("button", name=re.compile("^Notices"))


def asked_without_a_network(page: Page) -> None:
    expect(page.get_by_test_id("sentence")).to_be_visible()
    page.context.set_offline(True)
    page.keyboard.press("Shift+X")
    page.get_by_label("Your question or note (optional)").fill(QUESTION)
    page.get_by_role("button", name="Flag the item").click()
    expect(page.get_by_text("Saved on this device, sent when the server answers.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("No answer yet.")).to_be_visible()
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")


def answer_read(page: Page) -> None:
    """It is told in the bar, stands beside the item and under Flags, and is replied to."""
    page.reload()
    expect(page.get_by_text(ANSWER)).to_be_visible()
    picture(page, "flag-beside-item")
    to_screen(page, "Flags")
    expect(page.get_by_text(ANSWER)).to_be_visible()
    page.get_by_label("Reply to the admins").fill("Always?")
    page.get_by_role("button", name="Send the reply").click()
    expect(page.get_by_text("Always?")).to_be_visible()
    assert violations(page) == []
    picture(page, "own-flags")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 844})
    fits_width(page)
    picture(page, "own-flags-phone")


def note_read(browser: Browser, study: Study) -> None:
    """Everybody who labels reads it in the help, and nobody is told who asked."""
    page = signed_in(browser, study.stack, "ben")
    opened(page, study.name)
    expect(page.get_by_test_id("sentence")).to_be_visible()
    page.keyboard.press("Shift+H")
    note = page.get_by_role("dialog").get_by_role("region", name="Notes of the admins")
    expect(note).to_contain_text("Irony counts as an opinion.")
    expect(page.get_by_text(QUESTION)).to_have_count(0)
    assert "Ann" not in note.inner_text()
