"""An evaluation from the browser: baselines and a real language model against people, then its errors by key."""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation_app.demo.paths import CORPUS
from tests.e2e.axe import serious
from tests.e2e.people import fits_width, opened, picture, signed_in
from tests.loop.client import Person
from tests.loop.run import import_corpus, join, people_sign_in, round_run
from tests.stack import PASSWORD, Stack, passable_folder, running_stack

pytestmark = pytest.mark.e2e
PROJECT = "Models against people"
# Short, as the small model reads about a thousand letters.
PROMPT = "Does the speaker give an opinion? Choose one of {labels}: {sentence}"


@pytest.fixture(scope="module")
def stack(prepared: Path, model_server: str, tiny_causal: Path) -> Iterator[Stack]:
    """A stack whose operator names the model of a real server."""
    with passable_folder() as folder:
        models = folder / "models.toml"
        models.write_text(
            f'[models.small]\ntitle = "Small model"\nkind = "openai"\nmodel = "{tiny_causal}"\n'
            f'base_url = "{model_server}/v1"\nstructured = "prompt"\nmax_tokens = 60\nprice_in = 0.5\nprice_out = 2\n'
        )
        models.chmod(0o644)
        with running_stack(prepared, QUORUM_LANGUAGE_MODELS=str(models)) as stack:
            yield stack


@pytest.fixture(scope="module")
def project(stack: Stack) -> str:
    """A project in which three people labelled a batch."""
    admin, annotators = people_sign_in(stack)
    project = str(admin.post("projects/", {"name": PROJECT})["id"])
    join(admin, annotators, project)
    import_corpus(admin, project, CORPUS, say=lambda line: None)
    round_run(admin, annotators, project, "random", 40, "", say=lambda line: None)
    return project


@pytest.mark.timeout(600)
def test_it_compares_models_with_people(browser: Browser, stack: Stack, project: str) -> None:
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", viewport={"width": 1280, "height": 860})
    page = signed_in(browser, stack, "admin", context)
    opened(page, PROJECT, "Evaluate")
    expect(page.get_by_role("heading", name="No evaluations yet")).to_be_visible()
    seen(page, "evaluation-none")
    prompt_written(page, stack, project)
    started(page)
    results_read(page)
    errors_named(page)


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


def prompt_written(page: Page, stack: Stack, project: str) -> None:
    page.get_by_role("link", name="Edit the prompts").click()
    area = page.get_by_label("Prompt", exact=True)
    area.fill("Say {sentense}.")
    page.get_by_role("button", name="Line 1, column 5").click()
    expect(area).to_be_focused()
    area.fill(PROMPT.removesuffix("{sentence}"))
    page.get_by_role("button", name="Save the prompt").click()
    question = page.get_by_role("dialog", name="Save the prompt as it is?")
    expect(question).to_contain_text("{sentence} is missing: the model is not shown what it is to label.")
    picture(page, "evaluation-prompt-warning", whole=False)
    question.get_by_role("button", name="Cancel").click()
    area.press("End")
    page.get_by_role("button", name="Insert {sentence}").click()
    expect(area).to_have_value(PROMPT)
    shown = page.get_by_role("group", name="The prompt as it is sent")
    expect(shown).to_contain_text('Choose one of ["yes", "no"]:')
    first = shown.inner_text()
    page.get_by_role("button", name="Next item").click()
    expect(shown).not_to_have_text(first)
    seen(page, "evaluation-prompts")
    # Another admin saves before her.
    other = {"stage": "opinion", "template": "Of {labels}? {sentence}", "base_number": 0}
    Person(stack.url, "admin", PASSWORD).post(f"projects/{project}/prompts/", other)
    page.get_by_role("button", name="Save the prompt").click()
    expect(page.get_by_text("A newer version was saved meanwhile.")).to_be_visible()
    expect(area).to_have_value(PROMPT)
    picture(page, "evaluation-prompt-stale")
    page.get_by_role("button", name="Save my text after version 1").click()
    expect(page.get_by_role("heading", name="Opinion: version 2")).to_be_visible()
    page.get_by_role("link", name="All evaluations").click()


def started(page: Page) -> None:
    page.get_by_role("link", name="Start an evaluation").click()
    page.get_by_label("Name", exact=True).fill("Small model against people")
    stages = page.get_by_role("group", name="Stages")
    for box in stages.get_by_role("checkbox", checked=True).all()[::-1]:
        box.uncheck()
    stages.get_by_label("Opinion", exact=True).check()
    page.get_by_label("Annotators", exact=True).check()
    page.get_by_label("Bag-of-words logistic regression").check()
    page.get_by_label("Small model", exact=True).click()
    dialog = page.get_by_role("dialog", name=re.compile(r"^Send texts to 127\.0\.0\.1:\d+\?$"))
    picture(page, "evaluation-approval", whole=False)
    dialog.get_by_role("button", name="Approve sending texts to").click()
    expect(page.get_by_label("Small model", exact=True)).to_be_checked()
    expect(page.get_by_text("was approved by", exact=False)).to_be_visible()
    expect(page.get_by_text(re.compile(r"In all \d+ requests, about 0\.\d+ USD\."))).to_be_visible()
    page.get_by_role("button", name="Try it on five items").click()
    expect(page.get_by_text("The trial is done.")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("group", name="Raw answer")).to_have_count(5)
    expect(page.get_by_role("group", name="Raw answer").first).to_contain_text('"confidence": 0.9')
    seen(page, "evaluation-start")
    page.get_by_role("button", name="Start the evaluation").click()
    expect(page.get_by_role("heading", name="Small model against people")).to_be_visible()


def results_read(page: Page) -> None:
    table = page.get_by_role("table", name="Accuracy")
    expect(table).to_be_visible(timeout=240_000)
    expect(table.get_by_role("rowheader", name="Small model")).to_be_visible()
    expect(table.get_by_role("rowheader", name="People, lowest to highest")).to_be_visible()
    seen(page, "evaluation-all-stages")
    page.get_by_label("Small model", exact=True).check()
    expect(page.get_by_text("Stored.")).to_be_visible()
    page.get_by_role("group", name="Stage").get_by_role("button", name="Opinion").click()
    page.get_by_label("System in detail").select_option(label="Small model")
    expect(page.get_by_role("img", name="Reliability of the stated confidence").locator("svg")).to_be_visible()
    confusion = page.get_by_role("group", name="Confusion of labels")
    # The model says yes to everything.
    expect(confusion.get_by_role("row", name=re.compile("^All "))).to_have_text(re.compile(r"^All(\d+)0\1$"))
    seen(page, "evaluation-stage")
    page.get_by_role("link", name="Work through its errors").click()


def errors_named(page: Page) -> None:
    rows = page.get_by_role("region", name=re.compile(r"\d+ errors")).get_by_role("listitem")
    expect(rows.first.get_by_role("button")).to_have_attribute("aria-current", "true")
    page.keyboard.press("n")
    page.get_by_role("textbox", name="Cause").fill("Thanks or procedure")
    page.keyboard.press("Enter")
    expect(rows.first).to_contain_text("Thanks or procedure")
    expect(rows.nth(1).get_by_role("button")).to_be_focused()
    page.keyboard.press("1")
    expect(rows.nth(1)).to_contain_text("Thanks or procedure")
    page.keyboard.press("u")
    expect(rows.nth(1)).not_to_contain_text("Thanks or procedure")
    expect(rows.nth(1).get_by_role("button")).to_be_focused()
    page.keyboard.press("j")
    expect(rows.nth(2).get_by_role("button")).to_be_focused()
    page.keyboard.press("k")
    expect(page.get_by_role("button", name=re.compile("^Thanks or procedure 1"))).to_be_visible()
    seen(page, "evaluation-errors")
    page.reload()
    expect(rows.first).to_contain_text("Thanks or procedure")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Download as CSV").click()
    table = list(csv.reader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))
    assert any("Thanks or procedure" in cell for row in table for cell in row)


@pytest.mark.timeout(300)
def test_it_takes_in_predictions_from_elsewhere(browser: Browser, stack: Stack, project: str, tmp_path: Path) -> None:
    given = Person(stack.url, "admin", PASSWORD).get(f"projects/{project}/items/?state=given")["items"]
    line = {"stage": "opinion", "label": "no", "confidence": 0.7, "model": "elsewhere"}
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(json.dumps({"id": item["item_id"], **line}) + "\n" for item in given))
    page = signed_in(browser, stack, "admin")
    opened(page, PROJECT, "Evaluate")
    page.get_by_role("link", name="Start an evaluation").click()
    page.get_by_label("Name", exact=True).fill("From elsewhere")
    stages = page.get_by_role("group", name="Stages")
    for box in stages.get_by_role("checkbox", checked=True).all()[::-1]:
        box.uncheck()
    stages.get_by_label("Opinion", exact=True).check()
    page.get_by_text("Take in predictions that were made elsewhere").click()
    page.get_by_label("Predictions (JSONL)").set_input_files(file)
    page.get_by_role("button", name="Start the evaluation").click()
    table = page.get_by_role("table", name="Accuracy")
    expect(table.get_by_role("rowheader", name="elsewhere")).to_be_visible(timeout=120_000)
    picture(page, "evaluation-elsewhere")
