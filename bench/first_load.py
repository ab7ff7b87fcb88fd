"""Count the bytes of a page at its first and second visit: `python -m bench.first_load`, after `make frontend`.

It starts servers of its own with the demo, and opens each page in a real, headless Chromium. The first visit has an
empty cache, and the second has the browser's cache of the first. Both are signed in beforehand, except for the sign-in
page. `wire` counts what the server sent, with headers and compressed. `bodies` counts the bodies after decompression.
The service worker is blocked, because what it stores for work without a network comes after the page and delays nobody.
"""

from collections import Counter
from typing import Any

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

from tests.e2e.browser import FLAGS, chromium_find
from tests.stack import Stack, running_stack

PROJECT = "Monetary Board of Vellmark"
PAGES = (
    ("sign-in", "", ""),
    ("label", "demo-anna", "Start"),
    ("overview", "demo-admin", ""),
    ("insights", "demo-admin", "Insights"),
)


def main() -> None:
    with running_stack() as stack, sync_playwright() as playwright:
        passwords = dict(line.split()[:2] for line in stack.manage("seed_demo").splitlines()[1:])
        stack.manage("seed_demo_rounds")
        browser = playwright.chromium.launch(executable_path=chromium_find(), args=FLAGS)
        print(f"{'page':<10}{'visit':<8}{'requests':>9}{'wire':>11}{'bodies':>11}")
        for title, person, link in PAGES:
            state, address = page_find(browser, stack, person, passwords.get(person, ""), link)
            page = browser.new_context(storage_state=state, service_workers="block").new_page()
            for visit in ("first", "second"):
                count = visit_count(page, address)
                print(f"{title:<10}{visit:<8}{count['requests']:>9,}{count['wire']:>11,}{count['bodies']:>11,}")


def page_find(browser: Browser, stack: Stack, person: str, password: str, link: str) -> tuple[StorageState | None, str]:
    """Sign in and go to the page. Return the cookies and the page's address."""
    if not person:
        return None, stack.url
    page = browser.new_page()
    page.goto(stack.url)
    page.get_by_label("User name").fill(person)
    page.get_by_label("Password").fill(password)
    page.keyboard.press("Enter")
    row = page.get_by_role("listitem").filter(has_text=PROJECT)
    row.get_by_role("link", name="Start" if link == "Start" else PROJECT).first.click()
    if link not in ("", "Start"):
        page.get_by_role("link", name=link, exact=True).click()
    page.wait_for_load_state("networkidle")
    return page.context.storage_state(), page.url


def visit_count(page: Page, address: str) -> Counter[str]:
    """Open the address, and count requests and bytes until the network is idle."""
    count: Counter[str] = Counter()

    def finished(event: dict[str, Any]) -> None:
        count["requests"] += event["encodedDataLength"] > 0
        count["wire"] += int(event["encodedDataLength"])

    def received(event: dict[str, Any]) -> None:
        count["bodies"] += event["dataLength"]

    session = page.context.new_cdp_session(page)
    session.on("Network.loadingFinished", finished)
    session.on("Network.dataReceived", received)
    session.send("Network.enable")
    page.goto(address)
    page.wait_for_load_state("networkidle")
    session.detach()
    return count


if __name__ == "__main__":
    main()
