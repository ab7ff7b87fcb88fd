"""Check items in a browser: an admin mixes them into a batch, and sees who answered as the key does."""

import uuid
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in, to_screen
from tests.loop.client import Person

pytestmark = pytest.mark.e2e


@pytest.mark.timeout(600)
def test_it_mixes_check_items_into_a_batch(browser: Browser, study: Study) -> None:
    practice = known_answers(study)
    page = signed_in(browser, study.stack, study.admin.me["username"])
    opened(page, study.name, "Rounds")
    page.get_by_role("button", name="Open a prototype batch").click()
    form = page.get_by_role("form", name="Open a prototype batch")
    form.get_by_label("Items in the prototype batch").fill("20")
    form.get_by_label("Mix in items with known answers").check()
    form.get_by_role("button", name="Open it").click()
    expect(form.get_by_text("Choose the practice that they come from.")).to_be_visible()
    form.get_by_label("Practice that they come from").select_option(practice)
    form.get_by_label("Check items in percent of the items").fill("10")
    expect(form.get_by_text("2 check items beside the others")).to_be_visible()
    looked_at(page, "check-items-form")
    form.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("dialog").get_by_text("On top of them 2 check items are mixed in.")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Open the batch").click()
    expect(page.get_by_text("Prototype 1: 20 items")).to_be_visible()
    # Everybody answers all 22, as all keys do.
    for person in study.annotators:
        assert answer_all(person, study.id) == 22
    page.reload()
    page.get_by_role("button", name="2 check items").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("2 of 2: 100.0 % [34, 100]")).to_have_count(len(study.annotators))
    looked_at(page, "check-items-results")
    dialog.get_by_role("button", name="Close").last.click()
    to_screen(page, "Annotators")
    page.get_by_label("Batches").select_option("all")
    expect(page.get_by_text("2 of 2: 100.0 % [34, 100]").first).to_be_visible()
    looked_at(page, "check-items-annotators")


def known_answers(study: Study) -> str:
    """A practice of three items with the key no, which is not opened."""
    body = {"title": "Known sentences", "pass_mark": 80, "attempts": 1, "is_required": False}
    practice = str(study.admin.post(f"projects/{study.id}/practices/", body)["practice"]["id"])
    added = study.admin.post(f"practices/{practice}/items/", {"source": "pool", "size": 3, "random_state": 1})
    for each in added["items"]:
        key = {"answers": {"opinion": "no"}, "explanation": ""}
        study.admin.call("PUT", f"practices/{practice}/items/{each['item']['id']}/", json=key)
    return practice


def answer_all(person: Person, project: str) -> int:
    done = 0
    while assignments := person.get(f"projects/{project}/next/?ahead=3")["assignments"]:
        body: dict[str, Any] = {
            "client_id": str(uuid.uuid4()),
            "base_revision": 0,
            "answers": {"opinion": "no"},
            "context_opened": "sentence",
            "active_ms": 1000,
            "wall_ms": 1000,
        }
        person.post(f"assignments/{assignments[0]['id']}/annotations/", body)
        done += 1
    return done


def looked_at(page: Page, name: str) -> None:
    """Without faults of accessibility, and nothing wider than a phone's window."""
    picture(page, name)
    assert violations(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator("main")).to_be_visible()
    picture(page, f"{name}-390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 860})
