"""The labelling screen, as a person at a keyboard meets it."""

import re
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import serious
from tests.e2e.conftest import Study
from tests.e2e.people import NO, THEN_NO, THEN_YES, YES, heard, opened, picture, signed_in
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e
SIZE = 5


@pytest.fixture
def label_page(browser: Browser, study: Study) -> Page:
    """Ann at the first of five sentences of an open batch."""
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=SIZE)["id"])
    page = signed_in(browser, study.stack, "ann")
    opened(page, study.name)
    expect(page.get_by_test_id("progress")).to_contain_text(f"0 of {SIZE}")
    return page


def exported(study: Study) -> list[str]:
    return study.admin.lines(f"projects/{study.id}/export/?kind=annotations&format=jsonl")


def test_it_opens_closes_and_brings_back_stages(label_page: Page, study: Study) -> None:
    page = label_page
    page.keyboard.press(YES)
    page.keyboard.press(THEN_YES)
    page.keyboard.press("z")
    expect(page.get_by_text("Stance", exact=True).first).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press(NO)
    expect(page.get_by_text(re.compile("Cleared", re.IGNORECASE)).first).to_be_visible()
    expect(page.get_by_text("Stance", exact=True)).to_have_count(0)
    page.keyboard.press("1")
    page.keyboard.press(YES)
    expect(page.get_by_text(re.compile("back|restored", re.IGNORECASE)).first).to_be_visible()
    expect(page.get_by_text("Stance", exact=True).first).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("progress")).to_contain_text(f"1 of {SIZE}")
    expect(page.get_by_test_id("save-status")).to_have_text(re.compile("All saved"))
    (line,) = exported(study)
    assert '"opinion": "no"' in line
    assert '"mp"' not in line


def test_it_takes_no_keys_while_typing(label_page: Page, study: Study) -> None:
    page = label_page
    page.keyboard.press("m")
    page.keyboard.type("we question the quiet answer? x")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Escape")
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("progress")).to_contain_text(f"1 of {SIZE}")
    expect(page.get_by_test_id("save-status")).to_have_text(re.compile("All saved"))
    (line,) = exported(study)
    assert "we question the quiet answer? x" in line


def test_it_keeps_answers_through_an_outage_and_a_reload(label_page: Page, study: Study) -> None:
    page = label_page
    page.route("**/annotations/**", lambda route: route.abort())
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("save-status")).to_contain_text("1 saved on this device")
    page.keyboard.press(NO)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("save-status")).to_contain_text("2 saved on this device")
    picture(page, "not-saved")
    page.reload()
    expect(page.get_by_test_id("save-status")).to_contain_text("2 saved on this device")
    assert exported(study) == []
    page.unroute("**/annotations/**")
    expect(page.get_by_test_id("save-status")).to_have_text(re.compile("All saved"), timeout=120_000)
    assert len(exported(study)) == 2
    page.reload()
    expect(page.get_by_test_id("progress")).to_contain_text(f"2 of {SIZE}")


def test_it_shows_the_same_item_in_two_tabs_and_stores_it_once(label_page: Page, study: Study) -> None:
    page = label_page
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_test_id("progress")).to_contain_text(f"0 of {SIZE}")
    shown = [tab.locator("mark, .target").first.inner_text() for tab in (page, other)]
    assert shown[0] == shown[1]
    for tab in (page, other):
        tab.bring_to_front()
        tab.keyboard.press(NO)
        tab.keyboard.press("Enter")
    for tab in (page, other):
        expect(tab.get_by_test_id("progress")).not_to_contain_text(f"0 of {SIZE}")
        # A tab that loads anew has read what is still to be sent: only then does its status speak for both.
        tab.reload()
        expect(tab.get_by_test_id("progress")).to_be_visible()
        expect(tab.get_by_test_id("save-status")).not_to_contain_text("being sent")
    # What the second tab sent may still be on its way.
    counts = f"{len(exported(study))} of {SIZE}"
    until = time.monotonic() + 30
    while not all(counts in tab.get_by_test_id("progress").inner_text() for tab in (page, other)):
        seen = [tab.get_by_test_id(part).inner_text() for tab in (page, other) for part in ("progress", "save-status")]
        assert time.monotonic() < until, (counts, seen)
        counts = f"{len(exported(study))} of {SIZE}"
    lines = exported(study)
    items = {re.search(r'"item_id": "([^"]+)"', line)[1] for line in lines}
    assert len(items) == len(lines) > 0


def test_it_goes_back_to_revise(label_page: Page, study: Study) -> None:
    page = label_page
    for done in range(2):
        expect(page.get_by_test_id("progress")).to_contain_text(f"{done} of {SIZE}")
        page.keyboard.press(NO)
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("progress")).to_contain_text(f"2 of {SIZE}")
    expect(page.get_by_test_id("save-status")).to_have_text(re.compile("All saved"))
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="Your earlier answer")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press(YES)
    page.keyboard.press(THEN_NO)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Label this item")).to_be_visible()
    expect(page.get_by_test_id("save-status")).to_have_text(re.compile("All saved"))
    lines = exported(study)
    assert len(lines) == 2
    assert sum('"opinion": "yes"' in line for line in lines) == 1
    assert sum('"revision": 2' in line for line in lines) == 1


def test_it_keeps_the_sentence_where_the_eye_left_it(label_page: Page) -> None:
    page = label_page
    seen = [place(page)]
    for _ in range(3):
        page.keyboard.press("c")
        heard(page)
        seen.append(place(page))
    picture(page, "context")
    assert max(seen) - min(seen) < 3, seen


def place(page: Page) -> float:
    """Where the marked sentence begins, in pixels from the window's top."""
    top: float = page.locator("main mark").evaluate("element => element.getClientRects()[0].top")
    return top


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_has_no_serious_accessibility_fault(browser: Browser, study: Study, scheme: str, width: int) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=SIZE)["id"])
    context = browser.new_context(
        viewport={"width": width, "height": 860}, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce"
    )
    page = signed_in(browser, study.stack, "ann", context)
    faults = serious(page)
    opened(page, study.name)
    expect(page.get_by_test_id("progress")).to_contain_text(f"0 of {SIZE}")
    for key in (YES, THEN_YES, "c", "c"):
        page.keyboard.press(key)
    faults += serious(page)
    picture(page, f"label-{scheme}-{width}")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    faults += serious(page)
    assert faults == []
