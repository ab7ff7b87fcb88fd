"""A simulation from the browser: two files in, curves and a report out."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.core.run_dirs import sentences
from tests.e2e.axe import serious
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, opened, picture, signed_in

pytestmark = pytest.mark.e2e


def texts(folder: Path, name: str, first: int, last: int) -> Path:
    """Every third line is marked as one that was added; the last one has no label."""
    lines: list[dict[str, Any]] = [
        {"id": item.id, "text": item.text, "label": item.label, "added": number % 3 == 0}
        for number, item in enumerate(sentences(last)[first:])
    ]
    lines.append({"id": f"{name}-last", "text": "Not answered.", "label": "NA"})
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def start(page: Page, folder: Path) -> None:
    page.get_by_label("Name", exact=True).fill("Density or chance")
    page.get_by_label("Two files of mine").check()
    page.get_by_label("To learn from").set_input_files(texts(folder, "learn.jsonl", 0, 80))
    page.get_by_label("To test on").set_input_files(texts(folder, "test.jsonl", 80, 120))
    second = page.get_by_role("group", name="Strategy 2")
    second.get_by_label("Strategy", exact=True).select_option(label="N-gram density")
    second.locator("summary").click()
    second.get_by_label("j", exact=True).fill("2")
    expect(second.get_by_label("Its name in the results")).to_have_attribute("placeholder", "ngram-density-j2")
    page.get_by_label("Bag-of-words logistic regression").check()
    page.get_by_role("button", name="Take the usual marks").click()
    page.get_by_text("What the results compare").click()
    page.get_by_role("button", name="Add a part").click()
    page.get_by_label("Name of the part").fill("real")
    page.get_by_label("Field of the lines").fill("added")
    page.get_by_label("Its value").fill("false")
    page.get_by_label("Primary comparison").select_option(label="ngram-density-j2 − random")
    page.get_by_label("Measured on").select_option("real")
    page.get_by_label("at the second").check()
    page.get_by_label("String test: phrases").fill("strongly believe")
    page.get_by_label("Label of a text that holds one").fill("yes")
    page.get_by_label("Label of every other text").fill("no")
    page.get_by_label("Seeds").fill("1, 2, 3")
    page.get_by_label("Items in a batch").fill("10")
    page.get_by_label("Batches", exact=True).fill("3")
    expect(page.get_by_text("7 runs, 19 trainings in all.")).to_be_visible()
    picture(page, "simulation-form")
    page.get_by_role("button", name="Start the simulation").click()


@pytest.mark.timeout(300)
def test_it_compares_strategies_from_two_files(browser: Browser, study: Study, tmp_path: Path) -> None:
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", viewport={"width": 1280, "height": 860})
    page = signed_in(browser, study.stack, "admin", context)
    opened(page, study.name, "Simulations")
    start(page, tmp_path)
    expect(page.get_by_text(re.compile("Now: |as soon as the model worker is free")).first).to_be_visible()
    expect(page.get_by_role("heading", name="Done", exact=True)).to_be_visible(timeout=240_000)
    expect(page.get_by_text("19 of 19 trainings")).to_be_visible()
    expect(page.get_by_text("train.jsonl: 1 line holds a mark for missing (NA: 1)", exact=False)).to_be_visible()
    expect(page.get_by_text("named before the run: ngram-density-j2 − random, by area, on real")).to_be_visible()
    levels = page.get_by_role("group", name="To compare with: test macro-F1")
    # The phrase stands in every text with the label yes.
    expect(levels.get_by_role("row", name="string test, without learning 1.000 1.000")).to_be_visible()
    expect(page.get_by_role("group", name="Paired differences: real").get_by_text("primary")).to_be_visible()
    table = page.get_by_role("group", name="Results of each strategy", exact=True)
    expect(table.get_by_role("rowheader", name="ngram-density-j2")).to_be_visible()
    # The drawing comes by itself, later than the numbers.
    expect(page.get_by_role("img", name="Test macro-F1 over labels", exact=True).locator("svg")).to_be_visible()
    faults = serious(page)
    picture(page, "simulation")
    page.set_viewport_size({"width": 375, "height": 860})
    page.emulate_media(color_scheme="dark")
    faults += serious(page)
    picture(page, "simulation-dark-375")
    assert faults == []
    fits_width(page)
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Report (HTML)").click()
    report = tmp_path / "report.html"
    waiting.value.save_as(report)
    assert "<h1>Simulation density-or-chance</h1>" in report.read_text(encoding="utf-8")
