"""Columns beside the text: ticked by an admin, then seen by who labels."""

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e


def test_it_shows_ticked_columns_beside_the_text(browser: Browser, study: Study) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=3)["id"])
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Settings")
    form = page.get_by_role("form", name="Columns beside the text")
    expect(form.get_by_label("date")).not_to_be_checked()
    picture(page, "settings-columns")
    assert violations(page) == []
    form.get_by_label("date").check()
    form.get_by_role("button", name="Save the columns").click()
    expect(form.get_by_text("Saved.")).to_be_visible()
    page.context.close()
    for width, scheme in ((1280, "light"), (375, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
        page = signed_in(browser, study.stack, "ann", context)
        opened(page, study.name)
        beside = page.get_by_role("region", name="Text").locator("dl")
        expect(beside).to_have_text(re.compile(r"^date2016-\d\d-\d\d$"))
        assert violations(page) == []
        picture(page, f"label-columns-{width}-{scheme}")
        page.context.close()
