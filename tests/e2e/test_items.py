"""An admin finds items, shares the list, leaves some out, gives others out, and reads what happened to one."""

import re
import uuid

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, heard, opened, picture, signed_in
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e


def test_an_admin_searches_acts_and_reads_an_items_history(browser: Browser, study: Study) -> None:
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Items")
    page.get_by_label("Words of the text, or an id").fill("inflation")
    page.keyboard.press("Enter")
    found = page.get_by_role("region", name="Found")
    page.get_by_label("Which").select_option("In the pool, given to nobody yet")
    expect(page).to_have_url(re.compile("q=inflation.*state=pool"))
    # The page may count anew between two looks at it.
    counted = found.get_by_role("status").filter(has_text=re.compile(r"^[\d,]+ items found\.$"))
    before = int(str(counted.text_content()).split()[0].replace(",", ""))
    assert violations(page) == []
    picture(page, "items")
    # A link leads to the same list.
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    expect(page.get_by_label("Words of the text, or an id")).to_have_value("inflation")
    boxes = found.get_by_role("checkbox")
    for place in (0, 1):
        boxes.nth(place).check()
    first = str(boxes.nth(0).get_attribute("aria-label")).removeprefix("Tick item ")
    found.get_by_role("button", name="Leave out", exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_have_text(re.compile("2 of 2 can be left out"))
    dialog.get_by_label("Why").fill("Asked for a test")
    assert violations(page) == []
    picture(page, "items-leave-out")
    dialog.get_by_role("button", name="Leave them out").click()
    expect(dialog).to_be_hidden()
    expect(found.get_by_role("status")).to_have_text(f"{before - 2} items found.")
    found.get_by_role("button", name="Open a batch").click()
    expect(dialog.get_by_role("status")).to_have_text(re.compile(f"{before - 2} of {before - 2} are in the pool"))
    dialog.get_by_label("Ann", exact=True).check()
    dialog.get_by_role("button", name="Open the batch").click()
    expect(dialog).to_be_hidden()
    heard(page)
    page.get_by_label("Which").select_option("Left out by an admin")
    found.get_by_role("link", name=first).click()
    expect(page.get_by_role("heading", name=f"Item {first}")).to_be_visible()
    expect(page.get_by_text("Left it out of the pool, as one of 2 items.")).to_be_visible()
    assert violations(page) == []
    picture(page, "item-history")
    page.set_viewport_size({"width": 390, "height": 800})
    for scheme, address, there in (
        ("dark", page.url, page.get_by_role("heading", name=f"Item {first}")),
        ("light", shared.replace("state=pool", "state=given"), found.get_by_role("checkbox").first),
    ):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(address)
        expect(there).to_be_visible()
        fits_width(page)
        assert violations(page) == []
        picture(page, f"items-390-{scheme}")


def test_an_annotator_searches_their_own_answers(browser: Browser, study: Study) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", query_size=3)["id"])
    ann = study.annotators[0]
    [first, *_] = ann.get(f"projects/{study.id}/next/?ahead=1")["assignments"]
    body = {"client_id": str(uuid.uuid4()), "base_revision": 0, "answers": {}, "skip_reason": "A heading"}
    times = {"context_opened": "sentence", "active_ms": 1000, "wall_ms": 1000}
    ann.post(f"assignments/{first['id']}/annotations/", body | times)
    page = signed_in(browser, study.stack, "ann")
    word = max(first["item"]["text"].split(), key=len).strip(".,;:")
    page.goto(f"{study.stack.url}/projects/{study.id}/answers?q={word}")
    line = page.get_by_role("link").filter(has_text="skipped")
    expect(line).to_contain_text("round 1")
    assert violations(page) == []
    picture(page, "own-answers-found")
    page.get_by_label("Search in all your batches").fill(f"-{word}")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing that you have done matches.")).to_be_visible()


def test_an_admin_divides_a_batch_by_shares_and_adds_a_person_to_it(browser: Browser, study: Study) -> None:
    page = signed_in(browser, study.stack, "admin")
    page.goto(f"{study.stack.url}/projects/{study.id}/items?state=pool")
    boxes = page.get_by_role("region", name="Found").get_by_role("checkbox")
    for place in range(4):
        boxes.nth(place).check()
    page.get_by_role("button", name="Open a batch").click()
    dialog = page.get_by_role("dialog")
    people = dialog.get_by_role("group", name="Who annotates it").get_by_role("checkbox")
    for place in range(2):
        people.nth(place).check()
    dialog.get_by_label("Annotators per item").fill("1")
    dialog.get_by_label("By shares").check()
    parts = dialog.get_by_label(re.compile("^Parts of "))
    parts.nth(0).fill("3")
    expect(dialog.get_by_text("75.0 % of all answers")).to_be_visible()
    assert violations(page) == []
    picture(page, "batch-shares")
    page.set_viewport_size({"width": 390, "height": 800})
    fits_width(page)
    picture(page, "batch-shares-390")
    page.set_viewport_size({"width": 1280, "height": 860})
    dialog.get_by_role("button", name="Open the batch").click()
    expect(dialog).to_be_hidden()
    page.goto(f"{study.stack.url}/projects/{study.id}/rounds")
    card = page.get_by_role("region", name="Batches of chosen items")
    expect(card.get_by_text("0 of 3", exact=True).first).to_be_visible()
    expect(card.get_by_text("0 of 1", exact=True).first).to_be_visible()
    card.get_by_role("button", name="Who works on it").first.click()
    dialog.get_by_label("Priority").select_option("1: first")
    dialog.get_by_label("Add a person").select_option("Ben: 4 items")
    expect(dialog.get_by_text("for an answer that")).to_be_visible()
    assert violations(page) == []
    picture(page, "batch-people")
    dialog.get_by_role("button", name="Add", exact=True).click()
    expect(dialog.get_by_role("button", name="Take off: Ben")).to_be_visible()
    expect(dialog.get_by_label("Priority")).to_have_value("1")
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme="dark")
    fits_width(page)
    assert violations(page) == []
    picture(page, "batch-people-390")
