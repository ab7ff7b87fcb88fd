"""A project begun from a template, its codebook written by two admins at once, and the project copied."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, opened, picture, signed_in, to_screen

pytestmark = pytest.mark.e2e
LOOKS = ((1280, "light"), (1280, "dark"), (390, "light"))


def looked_at(page: Page, name: str) -> None:
    """Accessible and pictured, in light and dark, wide and as on a phone."""
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 860})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert violations(page) == []
        fits_width(page)
        picture(page, f"{name}-{width}-{scheme}")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.emulate_media(color_scheme="light")


@pytest.mark.timeout(400)
def test_it_begins_is_written_by_two_admins_and_is_copied(browser: Browser, study: Study) -> None:
    ann = next(each for each in study.admin.get(f"projects/{study.id}/members/") if each["username"] == "ann")
    study.admin.call("PATCH", f"members/{ann['id']}/", json={"role": "admin"})
    page = signed_in(browser, study.stack, "admin")
    project_begun(page)
    page.goto(f"{study.stack.url}/")
    opened(page, study.name, "Codebook")
    two_admins(page, signed_in(browser, study.stack, "ann"), study)
    to_screen(page, "Settings")
    project_copied(page)


def project_begun(page: Page) -> None:
    form = page.get_by_role("form", name="New project")
    form.get_by_label("Name", exact=True).fill("Topics of letters")
    form.get_by_label("Topics").check()
    looked_at(page, "project-new")
    form.get_by_role("button", name="Create the project").click()
    to_screen(page, "Codebook")
    expect(page.get_by_text("Version 1, published: new batches take it.")).to_be_visible()


def two_admins(page: Page, other: Page, study: Study) -> None:
    page.get_by_role("button", name="Edit as a new draft").click()
    name = page.get_by_label("Name of the codebook")
    name.fill("Written by the first")
    expect(page.get_by_text("All admins of the project can go on with this draft.")).to_be_visible()
    opened(other, study.name, "Codebook")
    other.get_by_role("button", name="Go on with the unsaved text").click()
    theirs = other.get_by_label("Name of the codebook")
    expect(theirs).to_have_value("Written by the first")
    page.context.set_offline(True)
    name.fill("Written on a train")
    theirs.fill("Written by the second")
    expect(other.get_by_text("All admins of the project can go on with this draft. Ann")).to_be_visible()
    page.context.set_offline(False)
    alert = page.get_by_role("alert").filter(has_text="changed the draft meanwhile")
    expect(alert).to_be_visible()
    alert.get_by_text(re.compile("Read the text of")).click()
    expect(alert.get_by_role("textbox")).to_have_value(re.compile("Written by the second"))
    expect(name).to_have_value("Written on a train")
    looked_at(page, "codebook-two-admins")
    alert.get_by_role("button", name="Put my text in its place").click()
    # Her page takes it over, and can bring hers back.
    expect(theirs).to_have_value("Written on a train")
    expect(other.get_by_role("button", name="Bring my text back")).to_be_visible()
    page.get_by_role("button", name="Save as a draft").click()
    expect(page.get_by_role("heading", name="Written on a train")).to_be_visible()
    compared = page.get_by_role("region", name="Compare two versions")
    expect(compared.get_by_text("Written on a train")).to_be_visible()
    looked_at(page, "codebook-compare")


def project_copied(page: Page) -> None:
    expect(page.get_by_label("Transfer it to")).to_be_visible()
    looked_at(page, "project-settings")
    form = page.get_by_role("form", name="Copy")
    form.get_by_label("Name of the copy").fill("The next study")
    form.get_by_label("the texts").check()
    form.get_by_role("button", name="Copy the project").click()
    expect(page.get_by_role("heading", name="The next study")).to_be_visible()
    to_screen(page, "Items")
    # All of the demo's text: 692 items of the pool, and those that are too short or too long for it.
    expect(page.get_by_role("region", name="Found").get_by_role("status")).to_have_text("784 items found.")
