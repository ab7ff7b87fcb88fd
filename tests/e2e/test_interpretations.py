"""An interpretation from the browser, with a really small model: start, pause, resume, results, texts and instances."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import serious
from tests.e2e.interpreting import CUTS, HOLDS, MODEL, NAME, SOURCES, interpreting_project, interpreting_stack
from tests.e2e.people import fits_width, opened, picture, signed_in
from tests.interpretation.tiny_generators import tiny_bert as tiny_bert
from tests.stack import Stack

pytestmark = pytest.mark.e2e
LEAD = f"BERT: {MODEL}, Lead, 64 tokens"


@pytest.fixture(scope="module")
def stack(prepared: Path, tiny_bert: Path) -> Iterator[Stack]:
    with interpreting_stack(prepared, tiny_bert) as stack:
        yield stack


@pytest.mark.timeout(900)
def test_it_trains_a_model_and_shows_what_it_learned(browser: Browser, stack: Stack) -> None:
    interpreting_project(stack)
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", viewport={"width": 1280, "height": 860})
    page = signed_in(browser, stack, "admin", context)
    opened(page, NAME, "Interpret")
    expect(page.get_by_role("heading", name="No interpretations yet")).to_be_visible()
    seen(page, "interpretation-none")
    started(page)
    watched(page)
    results_read(page)
    cell_opened(page)
    texts_read(page)


def seen(page: Page, name: str) -> None:
    """The page without faults, wide and light, narrow and dark."""
    page.evaluate("scrollTo(0, 0)")
    assert serious(page) == []
    picture(page, name)
    page.set_viewport_size({"width": 390, "height": 860})
    page.emulate_media(color_scheme="dark")
    assert serious(page) == []
    fits_width(page)
    picture(page, f"{name}-dark-390")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 860})


def started(page: Page) -> None:
    page.get_by_role("link", name="Start an interpretation").click()
    page.get_by_role("button", name="Start the interpretation").click()
    expect(page.get_by_label("Name", exact=True)).to_be_focused()
    page.get_by_label("Name", exact=True).fill("Lead against Oracle")
    first = page.get_by_role("group", name="System 1", exact=True)
    first.get_by_label("Budget in tokens").fill("64")
    first.get_by_label("Epochs at most").fill("8")
    page.get_by_role("button", name="Add a system").click()
    page.get_by_role("group", name="System 2", exact=True).get_by_label("Filter").select_option(label="Oracle")
    expect(page.get_by_role("checkbox", name=re.compile("act"))).to_be_checked()
    page.get_by_label("Beams").fill("2")
    page.get_by_label("Tokens, at least").fill("5")
    page.get_by_label("Tokens, at most").fill("40")
    page.reload()
    expect(page.get_by_text("Restored the settings of an interpretation")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Lead against Oracle")
    split = page.get_by_role("group", name="Sources and targets by split")
    expect(split.get_by_role("row", name=re.compile("^training"))).to_have_text(f"training{SOURCES * 8 // 10}32")
    expect(page.get_by_role("button", name=re.compile(r"^\d+ instances of all evaluations"))).to_be_visible()
    seen(page, "interpretation-start")
    page.get_by_role("button", name="Start the interpretation").click()
    expect(page.get_by_role("heading", name="Lead against Oracle")).to_be_visible()


def watched(page: Page) -> None:
    """Pauses it while the worker still begins, lets it go on, and waits for its end."""
    page.get_by_role("button", name="Pause the interpretation").click()
    expect(page.get_by_role("heading", name="Paused")).to_be_visible(timeout=120_000)
    seen(page, "interpretation-paused")
    page.get_by_role("button", name="Resume the interpretation").click()
    expect(page.get_by_role("img", name=re.compile("^Loss of"))).to_be_visible(timeout=240_000)
    expect(page.get_by_role("link", name="Read the generated texts")).to_be_visible(timeout=300_000)


def results_read(page: Page) -> None:
    accuracy = page.get_by_role("table", name="Accuracy by equivalence classes")
    expect(accuracy.get_by_role("rowheader", name=LEAD)).to_be_visible()
    expect(accuracy.get_by_role("row", name=re.compile("^Chance"))).to_contain_text("50.0 %")
    texts = page.get_by_role("table", name="Generated texts beside their references")
    expect(texts.get_by_role("rowheader", name="References")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("^Loss of")).first.locator("svg")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("link", name="CSV of “accuracy”").first.click()
    table = list(csv.reader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))
    assert any(LEAD in cell for row in table for cell in row)
    seen(page, "interpretation-results")


def cell_opened(page: Page) -> None:
    """By keys: from the first cell, which has no instances, to the one beside it."""
    grid = page.get_by_role("grid", name=re.compile("^Mistakes of"))
    cells = grid.get_by_role("gridcell")
    cells.first.focus()
    page.keyboard.press("ArrowRight")
    opened_cell = grid.locator("[role=gridcell]:focus")
    expect(opened_cell).to_have_attribute("aria-label", re.compile(r"^\d+ of \d+ are mistakes: true Cuts, false 2\. "))
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile("^True: Cuts"))).to_be_visible()
    page.get_by_role("button", name="All").click()
    card = page.get_by_role("article").first
    expect(card).to_contain_text(re.compile("|".join(CUTS)))
    expect(card).to_contain_text(re.compile("|".join(HOLDS)))
    expect(card.get_by_text(re.compile(r"^log p = −\d+\.\d\d"))).to_have_count(2)
    seen(page, "interpretation-instances")
    page.get_by_role("link", name="Lead against Oracle").click()


def texts_read(page: Page) -> None:
    page.get_by_role("link", name="Read the generated texts").click()
    expect(page.get_by_text(re.compile(r"^Text 1 of \d+$"))).to_be_visible()
    reference = page.get_by_role("group", name="Reference 1")
    expect(reference.get_by_role("button", name=re.compile("^Act: "))).to_be_attached()
    page.keyboard.press("s")
    expect(page.get_by_text(re.compile("^Minutes of meeting")).first).to_be_visible()
    title = page.get_by_role("heading", level=2).inner_text()
    page.keyboard.press("j")
    expect(page.get_by_text(re.compile(r"^Text 2 of \d+$"))).to_be_visible()
    expect(page.get_by_role("heading", level=2)).not_to_have_text(title)
    seen(page, "interpretation-texts")
    page.keyboard.press("k")
    expect(page.get_by_role("heading", level=2)).to_have_text(title)
