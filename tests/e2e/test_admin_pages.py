"""Pages of an admin in a browser: members on a phone, the overview's columns, the log."""

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e
PHONE = 390


@pytest.mark.timeout(300)
def test_it_shows_members_without_moving_sideways(browser: Browser, study: Study) -> None:
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Members")
    table = page.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(5)
    page.set_viewport_size({"width": PHONE, "height": 844})
    expect(table.get_by_role("row").nth(1)).to_contain_text("annotator 1")
    assert sideways(page) == []
    for row in table.get_by_role("row").all()[1:]:
        shown = [row.get_by_role("rowheader"), row.get_by_role("combobox"), *row.get_by_role("button").all()]
        assert all(left >= 0 and right <= PHONE for left, right in map(sides, shown))
    assert violations(page) == []
    picture(page, "members-phone")


def sideways(page: Page) -> list[str]:
    """What is wider than its place."""
    found = "[...document.querySelectorAll('html, .table-wrap')].filter(e => e.scrollWidth > e.clientWidth)"
    return list(page.evaluate(f"{found}.map(e => e.className || e.tagName)"))


def sides(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box is not None
    return box["x"], box["x"] + box["width"]


@pytest.mark.timeout(300)
def test_it_leaves_no_column_of_the_overview_empty(browser: Browser, study: Study) -> None:
    """With three people, whose table is shorter than what stands beside it."""
    round_wait(study.admin, round_start(study.admin, study.id, "random", 6)["id"])
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Overview")
    expect(page.get_by_role("heading", name="Workers and queue")).to_be_visible()
    blocks = [block.bounding_box() for block in page.locator(".overview-two > *").all()]
    tall = [(block["x"], block["y"] + block["height"], block["height"]) for block in blocks if block]
    assert len(tall) == 3
    ends = {x: max(end for at, end, _ in tall if at == x) for x, _, _ in tall}
    # If they were further apart, moving the lowest block would bring them closer.
    assert len(ends) == 2
    assert max(ends.values()) - min(ends.values()) < max(height for _, _, height in tall)
    assert violations(page) == []
    picture(page, "overview")


@pytest.mark.timeout(300)
def test_it_tells_who_did_what(browser: Browser, study: Study) -> None:
    """The study was made, its people came in by links and its text was imported, all of it over HTTP before."""
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Log")
    table = page.get_by_role("table")
    expect(table).to_contain_text(f"Created the project “{study.name}”.")
    expect(table.get_by_text("Joined by a link, as annotator.")).to_have_count(3)
    assert violations(page) == []
    picture(page, "log")
    page.emulate_media(color_scheme="dark")
    assert violations(page) == []
    picture(page, "log-dark")
    page.set_viewport_size({"width": PHONE, "height": 844})
    assert sideways(page) == []
    assert violations(page) == []
    picture(page, "log-phone")
    page.get_by_label("What").select_option("Members and invitations")
    expect(table.get_by_text("Created the project")).to_have_count(0)
    expect(table.get_by_role("row")).to_have_count(7)
    with page.expect_download() as download:
        page.get_by_role("link", name="download CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) == 7
    page.get_by_label("What").select_option("Exports and releases")
    expect(table.get_by_role("row")).to_have_count(2)
    expect(table).to_contain_text("Exported this log, with names: 7 lines")
