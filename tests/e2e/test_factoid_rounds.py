"""Factoids from the admin's side: a set imported, phases led, pairs judged by key, a list published, texts scored."""

import csv
import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation_app.demo.paths import FACTOIDS
from tests.e2e.axe import serious
from tests.e2e.people import fits_width, opened, picture, signed_in
from tests.loop.client import Person
from tests.loop.run import join
from tests.stack import Stack

pytestmark = pytest.mark.e2e
SET = "The Marta"
KEYS = {"equal": "1", "subsumes": "2", "subsumed": "3", "related": "4", "unrelated": "5"}
RELATIONS = {
    (each["a"], each["b"]): each["relation"]
    for each in json.loads((FACTOIDS / "relations.json").read_text(encoding="utf-8"))
}


@pytest.mark.timeout(900)
def test_it_leads_two_people_to_one_list(browser: Browser, stack: Stack, people: tuple[Person, list[Person]]) -> None:
    admin, annotators = people
    project = str(admin.post("projects/", {"name": "Ferry texts", "codebook": "none"})["id"])
    join(admin, annotators[:2], project)
    context = browser.new_context(
        bypass_csp=True, reduced_motion="reduce", accept_downloads=True, viewport={"width": 1280, "height": 860}
    )
    page = signed_in(browser, stack, "admin", context)
    opened(page, "Ferry texts", "Factoids")
    set_imported(page)
    definition_opened(page)
    lists_made(page, admin, project)
    phase_closed(page, 1)
    pairs_judged(page)
    agreement_read(page)
    second_look_done(page, annotators[:2], project)
    list_published(page)
    scores_read(page)
    annotator_sees_nothing_of_others(browser, stack)


def seen(page: Page, name: str) -> None:
    """The page without faults: wide and light, on a tablet, narrow and dark."""
    page.evaluate("scrollTo(0, 0)")
    assert serious(page) == []
    picture(page, name)
    page.set_viewport_size({"width": 768, "height": 1024})
    fits_width(page)
    picture(page, f"{name}-768")
    page.set_viewport_size({"width": 390, "height": 860})
    page.emulate_media(color_scheme="dark")
    assert serious(page) == []
    fits_width(page)
    picture(page, f"{name}-dark-390")
    page.set_viewport_size({"width": 1280, "height": 860})
    picture(page, f"{name}-dark")
    page.emulate_media(color_scheme="light")


def set_imported(page: Page) -> None:
    expect(page.get_by_role("heading", name="No text sets yet")).to_be_visible()
    seen(page, "factoids-none")
    page.get_by_label("Name of the set").fill(SET)
    # A sentence id twice and a line that is no JSON: both are named, and nothing is stored.
    wrong = b'{"id": "H01", "sentences": [{"id": "x", "text": "A."}, {"id": "x", "text": "B."}]}\n{"id":\n'
    page.get_by_label("Choose files").set_input_files({"name": "wrong.jsonl", "mimeType": "", "buffer": wrong})
    page.get_by_role("button", name="Import the set").click()
    expect(page.get_by_text(re.compile("line 2", re.IGNORECASE))).to_be_visible()
    picture(page, "factoids-faults")
    page.get_by_label("Choose other files").set_input_files(FACTOIDS / "texts.jsonl")
    page.get_by_role("button", name="Import the set").click()
    expect(page.get_by_role("heading", name=SET)).to_be_visible()
    expect(page.get_by_text("6 texts")).to_be_visible()


def definition_opened(page: Page) -> None:
    page.get_by_role("button", name=f"Open a new phase of {SET}").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Mark a given list")).to_be_disabled()
    for name in ("Ann", "Ben"):
        dialog.get_by_label(name, exact=True).check()
    assert serious(page) == []
    picture(page, "factoids-open-phase")
    dialog.get_by_role("button", name="Open the phase").click()
    expect(page.get_by_role("heading", name="Phase 1: definition, independent")).to_be_visible()


def lists_made(page: Page, admin: Person, project: str) -> None:
    """Ann's list is imported on the page, Ben's over HTTP."""
    page.get_by_role("button", name="Import a list into phase 1").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Whose list it is").select_option("Ann")
    dialog.get_by_label("Choose a file").set_input_files(FACTOIDS / "list_a.json")
    dialog.get_by_role("button", name="Import the list").click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("row", name=re.compile("Ann"))).to_contain_text("9 factoids in 6 texts")
    (text_set,) = admin.get(f"projects/{project}/text-sets/")["sets"]
    phase = text_set["phases"][0]
    ben = next(person["member"] for person in phase["people"] if person["name"] == "Ben")
    with (FACTOIDS / "list_b.json").open("rb") as file:
        form = {"phase": phase["id"], "member": ben}
        admin.call("POST", f"text-sets/{text_set['id']}/lists/", data=form, files={"file": file})
    page.reload()
    expect(page.get_by_role("row", name=re.compile("Ben"))).to_contain_text("12 factoids in 6 texts")
    seen(page, "factoids-set")


def phase_closed(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Close and freeze phase {number} of {SET}").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Nobody can change these lists afterwards")).to_be_visible()
    dialog.get_by_role("button", name="Close and freeze").click()
    expect(dialog).to_be_hidden()


def pairs_judged(page: Page) -> None:
    page.get_by_role("button", name=f"Pair two lists of {SET}").click()
    page.get_by_role("dialog").get_by_role("button", name="Pair them").click()
    pair = page.get_by_role("region", name="Pair at hand")
    expect(page.get_by_text("0 of 15 pairs judged")).to_be_visible()
    # The threshold is .8, and so is the F of P5 and F1.2: nothing is less certain.
    expect(pair.locator(".two-descriptions b")).to_have_text(["P5", "F1.2"])
    seen(page, "factoids-pairing")
    for done in range(15):
        expect(page.get_by_text(f"{done} of 15 pairs judged")).to_be_visible()
        a, b = pair.locator(".two-descriptions b").all_text_contents()
        page.keyboard.press(KEYS[RELATIONS.get((a, b), "unrelated")])
    expect(page.get_by_text("15 of 15 pairs judged")).to_be_visible()
    page.keyboard.press("u")
    expect(page.get_by_text("14 of 15 pairs judged")).to_be_visible()
    a, b = pair.locator(".two-descriptions b").all_text_contents()
    page.keyboard.press(KEYS[RELATIONS.get((a, b), "unrelated")])
    by_hand(page)
    # Figure 4 of these judgements, counted by hand from relations.json and the links of docs/methods/factoids.md.
    table = page.get_by_role("table", name="Judged pairs by relation and link")
    cells = [row.locator("td").all_text_contents() for row in table.get_by_role("row").all()[1:]]
    expect(page.get_by_text("Every link is judged.")).to_be_visible()
    assert cells == [
        ["3", "0", "0", "0"],
        ["0", "0", "0", "1"],
        ["3", "0", "0", "0"],
        ["0", "1", "0", "0"],
        ["1", "5", "2", "0"],
    ]
    rates = page.get_by_role("table", name="Rates").locator("td:nth-child(2)")
    expect(rates).to_have_text(["1.000", "0.000", "0.750", "0.143", "0.875"])
    seen(page, "factoids-judged")


def by_hand(page: Page) -> None:
    """P4 subsumes F1.4, though the machine linked each to another one."""
    page.get_by_role("button", name="By hand").click()
    listed = page.get_by_role("region", name="Pairs", exact=True)
    listed.get_by_label("A · Ann").select_option(label="P4 it happened on Tuesday")
    listed.get_by_label("B · Ben").select_option(label="F1.4 On Tuesday night")
    page.get_by_role("button", name=re.compile("A subsumes B")).click()
    expect(page.get_by_text("16 of 16 pairs judged")).to_be_visible()
    expect(page.get_by_role("table", name="Judged pairs by relation and link").locator("tr").nth(2)).to_contain_text(
        re.compile("0.*1$")
    )


def agreement_read(page: Page) -> None:
    page.get_by_role("main").get_by_role("link", name="Factoids").click()
    page.get_by_role("link", name=re.compile("Agreement and scores")).click()
    table = page.get_by_role("table", name="Agreement of definition")
    row = table.get_by_role("row").nth(1)
    for figure in ("0.86", "[0.69, 1.00]", "42", "0.929", "0.503"):
        expect(row).to_contain_text(figure)
    row.get_by_role("button", name=re.compile("See the disagreements")).click()
    expect(
        page.get_by_role("table", name="").locator(".answers").or_(page.locator(".differing .answers"))
    ).to_have_count(3)
    seen(page, "factoids-agreement")


def second_look_done(page: Page, annotators: list[Person], project: str) -> None:
    page.get_by_role("main").get_by_role("link", name="Factoids").click()
    page.get_by_role("button", name=f"Open the second look of phase 1 of {SET}").click()
    page.get_by_role("dialog").get_by_role("button", name="Open the second look").click()
    expect(page.get_by_role("heading", name="Phase 2: definition, second look")).to_be_visible()
    for person in annotators:
        confirm_all(person, project)
    page.reload()
    phase = page.get_by_role("region", name=re.compile("Phase 2: definition, second look"))
    expect(phase.get_by_text("3 of 3 items")).to_have_count(2)
    picture(page, "factoids-second-look")
    phase_closed(page, 2)


def confirm_all(person: Person, project: str) -> None:
    """Stands by every answer of one's own."""
    (mine,) = person.get(f"projects/{project}/text-sets/")["mine"]
    found: dict[str, Any] = person.get(f"factoid-lists/{mine['list']}/")
    for place, item in enumerate(found["items"]):
        decision = {"id": item["id"], "is_there": item["was_there"], "note": ""}
        body = {"client_id": f"00000000-0000-4000-8000-{place:012d}", "kind": "decide", "changes": [], "item": decision}
        person.post(f"factoid-lists/{mine['list']}/revisions/", {**body, "base_revision": found["revision"] + place})
    person.post(f"factoid-lists/{mine['list']}/done/", {"done": True})


def list_published(page: Page) -> None:
    page.get_by_role("link", name="Ann and Ben").first.click()
    page.get_by_role("button", name="Propose a consensus list").click()
    page.get_by_role("dialog").get_by_role("button", name="Propose the list").click()
    page.wait_for_url(re.compile("/factoids/lists/"))
    # Nine of A and twelve of B, of which three pairs are equal.
    page.get_by_role("button", name=f"Publish the draft of {SET}").click()
    page.get_by_role("button", name="Publish the version").click()
    expect(page.get_by_text("This list is published as version 1.")).to_be_visible()
    page.get_by_role("link", name="Factoids", exact=True).first.click()
    expect(page.get_by_role("row", name=re.compile("Version 1"))).to_contain_text("18")
    seen(page, "factoids-published")


def scores_read(page: Page) -> None:
    page.get_by_role("link", name=re.compile("Agreement and scores")).click()
    weights = page.get_by_role("table", name="Weights of factoids")
    expect(weights.locator("tbody tr")).to_have_count(18)
    # All six texts say that a ferry ran aground.
    expect(weights.get_by_role("row").nth(1)).to_contain_text("P1a ferry ran aground1.000")
    expect(page.get_by_role("table", name="Scores of texts").locator("tbody tr")).to_have_count(6)
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV of “Weights”").click()
    with download.value.path().open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 18
    seen(page, "factoids-scores")
    page.get_by_role("main").get_by_role("link", name="Factoids").click()
    with page.expect_download() as export:
        page.get_by_role("link", name=re.compile("Export as ZIP")).click()
    assert export.value.suggested_filename.endswith(".zip")


def annotator_sees_nothing_of_others(browser: Browser, stack: Stack) -> None:
    page = signed_in(browser, stack, "ann")
    opened(page, "Ferry texts")
    expect(page.get_by_role("heading", name="My work")).to_be_visible()
    expect(page.get_by_text("Nothing is given to you at the moment")).to_be_visible()
    picture(page, "factoids-annotator")
