"""A newcomer's way in the browser: from a coding scheme and a spreadsheet to a first labelled text, without JSON."""

from pathlib import Path

import openpyxl
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, opened, picture, signed_in, to_screen
from tests.loop.run import join

pytestmark = pytest.mark.e2e
NAME = "Views on the ferry"
N_TEXTS = 12


def spreadsheet(folder: Path) -> Path:
    book = openpyxl.Workbook()
    book.worksheets[0].title = "Notes"
    book.worksheets[0].append(["These are notes."])
    sheet = book.create_sheet("Answers")
    sheet.append(["No", "What do you think of the ferry?", "Age"])
    for n in range(N_TEXTS):
        sheet.append([n + 1, f"I would keep the ferry, for reason {n + 1}.", 20 + n])
    path = folder / "survey.xlsx"
    book.save(path)
    return path


def test_a_newcomer_sets_up_a_study(browser: Browser, study: Study, tmp_path: Path) -> None:
    project = study.admin.post("projects/", {"name": NAME, "codebook": "none"})["id"]
    join(study.admin, study.annotators[:1], project)
    page = signed_in(browser, study.stack, "admin")
    opened(page, NAME, "Codebook")
    writes_the_codebook(page)
    to_screen(page, "Import")
    imports_the_spreadsheet(page, spreadsheet(tmp_path))
    for width, scheme in ((1366, "light"), (390, "dark")):
        looks_at_the_form(page, width, scheme)


def writes_the_codebook(page: Page) -> None:
    page.get_by_role("radio", name="Stance towards a target").check()
    page.get_by_label("Name of the codebook").fill("Stance on the ferry")
    page.get_by_role("button", name="2. Stance").click()
    page.get_by_label("Label 3", exact=True).fill("Undecided")
    page.get_by_role("button", name="Add a question").click()
    page.get_by_label("Short name").fill("Strength")
    page.get_by_label("The question that people read").fill("How strong is it?")
    page.get_by_label("Answered with").select_option("scale")
    page.get_by_label("Highest point").fill("4")
    page.get_by_role("button", name="Add a condition").click()
    page.get_by_label("Condition 1: the answer to").select_option("stance")
    page.get_by_role("group", name="Answers that open it").get_by_label("Against").check()
    expect(page.get_by_text("Opens when Stance is \u201cIn favour\u201d or \u201cAgainst\u201d.")).to_be_visible()
    picture(page, "codebook-form")
    assert violations(page) == []
    page.get_by_role("button", name="Try it").click()
    # By its keys and by the mouse, as people will.
    page.get_by_role("group", name="Target").get_by_role("button", name="Yes").click()
    page.get_by_role("group", name="Stance").get_by_role("button", name="Against").click()
    page.keyboard.press("3")
    expect(page.get_by_role("group", name="Explicit")).to_be_visible()
    picture(page, "codebook-try")
    page.get_by_role("button", name="Save as a draft").click()
    page.get_by_role("button", name="Publish version 1").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Publish version 1").click()
    expect(page.get_by_role("heading", name="Stance on the ferry")).to_be_visible()
    expect(page.get_by_role("region", name="4. Strength")).to_contain_text("Answered with a point of the scale.")


def imports_the_spreadsheet(page: Page, path: Path) -> None:
    page.locator("input[type=file]").set_input_files(path)
    shown = page.get_by_role("region", name="Preview of the import")
    shown.get_by_label("Sheet").select_option("Answers")
    shown.get_by_label("Text to label").select_option("What do you think of the ferry?")
    shown.get_by_label("Id", exact=True).select_option("No")
    expect(shown.get_by_text("I would keep the ferry, for reason 1.")).to_be_visible()
    picture(page, "import-workbook")
    page.get_by_role("button", name=f"Import {N_TEXTS} items").click()
    expect(page.get_by_text(f"The pool has {N_TEXTS} items", exact=False)).to_be_visible()


def looks_at_the_form(page: Page, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 900})
    to_screen(page, "Codebook")
    page.get_by_role("button", name="Edit as a new draft").click()
    page.get_by_role("button", name="2. Stance").click()
    picture(page, f"codebook-form-{width}-{scheme}")
    fits_width(page)
    assert violations(page) == []
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_text("I would keep the ferry", exact=False).first).to_be_visible()
    picture(page, f"codebook-try-{width}-{scheme}")
    to_screen(page, "Import")
