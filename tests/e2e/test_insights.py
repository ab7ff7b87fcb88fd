"""What rounds tell, in a browser: test set, prototype batch, two rounds, and the figures that come of them."""

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in
from tests.loop.annotators import TASTES, label_all

pytestmark = pytest.mark.e2e
SIZE = 20
PROTOTYPE = 4
N_TEST = 30


@pytest.mark.timeout(300)
def test_it_tells_what_rounds_brought(browser: Browser, study: Study, tmp_path: Path) -> None:
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Rounds")
    held_out_attached(page, tmp_path)
    prototype_opened(page, study)
    batch_labelled(page, study, "Start it")
    expect(page.get_by_role("heading", name="Start round 2")).to_be_visible()
    page.get_by_label("Model", exact=True).select_option("bow-logreg")
    batch_labelled(page, study, "Start round 2")
    budget_set(page)
    opened_insights(page)
    figures_seen(page)
    assert violations(page) == []
    picture(page, "insights")


def held_out_attached(page: Page, folder: Path) -> None:
    """A file with a fault is refused by its line; the mended one, of the same name, is taken."""
    lines = [
        json.dumps({"id": f"t{i}", "text": f"Sentence {i}.", "label": "no" if i % 3 else "yes"}) for i in range(N_TEST)
    ]
    file = folder / "held-out.jsonl"
    file.write_text("\n".join([lines[0], lines[1].replace('"no"', '"perhaps"'), *lines[2:]]))
    page.get_by_role("button", name="Attach a test set").click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Attach it").click()
    expect(page.get_by_role("alert")).to_contain_text('Line 2: label: "perhaps"')
    time.sleep(1.1)  # A browser tells by the second whether a file was changed.
    file.write_text("\n".join(lines))
    page.get_by_role("button", name="Attach it").click()
    expect(page.get_by_text("held-out.jsonl was changed or moved since it was chosen.")).to_be_visible()
    with page.expect_file_chooser() as chosen:
        page.get_by_label("File").click()
    chosen.value.set_files(file)
    page.get_by_role("button", name="Attach it").click()
    expect(page.get_by_text(re.compile(rf"{N_TEST} items labelled at .Opinion. \(no 20, yes 10\)"))).to_be_visible()


def prototype_opened(page: Page, study: Study) -> None:
    page.get_by_role("button", name="Open a prototype batch").click()
    page.get_by_label("Items in the prototype batch").fill(str(PROTOTYPE))
    page.get_by_role("button", name="Open it").click()
    page.get_by_role("button", name="Open the batch").click()
    expect(page.get_by_text(f"Prototype 1: {PROTOTYPE} items, each for 3 people.")).to_be_visible()
    everyone_labels(study)
    page.reload()
    expect(page.get_by_text(re.compile(r"Base rate at .Opinion.: "))).to_be_visible()


def batch_labelled(page: Page, study: Study, start: str) -> None:
    page.get_by_label("Items in the batch").fill(str(SIZE))
    page.get_by_role("button", name=start).click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Start round")).click()
    expect(page.get_by_text("open for annotators").first).to_be_visible(timeout=120_000)
    everyone_labels(study)


def everyone_labels(study: Study) -> None:
    for person, taste in zip(study.annotators, TASTES, strict=True):
        label_all(person, study.id, taste)


def budget_set(page: Page) -> None:
    """The prototype batch costs none of it."""
    page.get_by_role("button", name="Set a budget").click()
    page.get_by_label("Items in all").fill("100")
    page.get_by_role("button", name="Save the budget").click()
    expect(page.get_by_text("items issued, 60 left")).to_be_visible()


def opened_insights(page: Page) -> None:
    page.get_by_role("link", name="Insights", exact=True).click()
    expect(page.get_by_role("heading", name="Insights")).to_be_visible()
    expect(page.locator(".chart svg")).to_have_count(4)


def figures_seen(page: Page) -> None:
    """The test set's and the training set's sizes, all four labels of the prototype batch, a signal's values."""
    curve = page.get_by_role("region", name="Learning curve")
    curve.get_by_text("The numbers").click()
    row = curve.get_by_role("row", name=re.compile("^Round 2"))
    expect(row.get_by_role("cell").nth(3)).to_have_text(str(N_TEST))
    labels = page.get_by_role("region", name="Labels in each batch")
    labels.get_by_text("The numbers").click()
    expect(labels.get_by_role("row", name=re.compile("^Prototype 1"))).to_contain_text(f"{PROTOTYPE} of {PROTOTYPE}")
    expect(page.get_by_text(re.compile("its band: the prototype batch 1"))).to_be_visible()
    signals = page.get_by_role("region", name="Is it time to stop?")
    expect(signals.get_by_text("60 of 100 items left.")).to_be_visible()
    signals.get_by_role("button", name=re.compile("of .Budget.")).click()
    expect(signals.get_by_role("row", name="2 60")).to_be_visible()
