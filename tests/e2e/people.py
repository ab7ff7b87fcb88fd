"""What people do in the browser, in their words."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.stack import PASSWORD, Stack

# First keys of the first question: yes, no, cannot tell.
YES, NO, UNSURE = "q", "w", "e"
# The same of the demo codebook's second question.
THEN_YES, THEN_NO = "a", "s"
PATIENCE = 60.0
# How many times slower the browser computes, to look for tests that hurry.
SLOWDOWN = float(os.environ.get("E2E_SLOWDOWN", "1"))
HEARD = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"""
# What the labelling screen keeps of what is not submitted.
DRAFTS = """() => new Promise((resolve, reject) => {
  const opening = indexedDB.open("quorum");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const all = opening.result.transaction("drafts").objectStore("drafts").getAll();
    all.onsuccess = () => {
      opening.result.close();
      resolve(JSON.stringify(all.result));
    };
  };
})"""


def signed_in(
    browser: Browser, stack: Stack, username: str, context: BrowserContext | None = None, password: str = PASSWORD
) -> Page:
    """A browser context of this person's own, on the project list."""
    page = (context or browser.new_context(viewport={"width": 1280, "height": 860})).new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.goto(f"{stack.url}/")
    sign_in(page, username, password)
    return page


def sign_in(page: Page, username: str, password: str = PASSWORD) -> None:
    page.get_by_label("User name").fill(username)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()


def opened(page: Page, project: str, screen: str = "") -> None:
    page.get_by_role("link", name=project).first.click()
    if screen:
        to_screen(page, screen)


def to_screen(page: Page, screen: str) -> None:
    """Follow the link in the navigation, which a small window has behind a button."""
    link, menu = page.get_by_role("link", name=screen, exact=True).first, page.get_by_role("button", name="Menu")
    expect(link.or_(menu).first).to_be_visible()
    if menu.is_visible():
        menu.click()
    link.click()


def answer_all(page: Page, keys: str, total: int, first: int = 0) -> None:
    """Labels everything from the keyboard; `keys` is typed for each item, then Enter."""
    for done in range(first, total):
        expect(page.get_by_test_id("progress")).to_contain_text(f"{done} of {total}")
        # Where the loaded items are used up, the page waits for the server, and takes no keys.
        expect(page.get_by_test_id("sentence")).to_be_visible()
        for key in keys:
            page.keyboard.press(key)
        page.keyboard.press("Enter")


def fits_width(page: Page) -> None:
    """Nothing stands beyond the window's right edge. A page that is still on its way to a new width is waited for."""
    wide = "[...document.querySelectorAll('body *')].filter(each => each.getBoundingClientRect().right > innerWidth)"
    try:
        page.wait_for_function("document.documentElement.scrollWidth <= innerWidth", polling=100)
    except PlaywrightTimeout:
        found = page.evaluate(f"[innerWidth, {wide}.map(each => each.outerHTML.slice(0, 120))]")
        raise AssertionError(f"Beyond the right edge of {page.url}: {found}") from None


def heard(page: Page) -> None:
    """The page has heard of a selection or a scroll that was made: it does so in a task of its own, not at once."""
    page.evaluate(HEARD)


def eventually(check: Callable[[], bool], what: str) -> None:
    """Waits for what no element of a page shows."""
    until = time.monotonic() + PATIENCE
    while not check():
        assert time.monotonic() < until, f"not within {PATIENCE:.0f} s: {what}"
        time.sleep(0.1)


def picture(page: Page, name: str, *, whole: bool = True) -> None:
    """A screenshot for a person to look at: of the whole page, or of what the window shows."""
    # The library of the charts comes later than the page.
    for chart in page.locator(".chart").all():
        expect(chart.locator("svg :is(path, text)").first).to_be_attached()
    folder = Path("test-results")
    folder.mkdir(exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", full_page=whole)
