"""The main job in browsers: import, three annotators blind to each other, the next round, agreement, download."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation_app.demo.paths import CORPUS
from tests.e2e.people import NO, THEN_NO, THEN_YES, YES, answer_all, opened, picture, signed_in
from tests.loop.client import Person
from tests.loop.run import join, zipped
from tests.stack import Stack

pytestmark = pytest.mark.e2e
PROJECT = "Board of Vellmark"
SIZE = 4


@pytest.mark.timeout(600)
def test_it_does_the_main_job_in_the_browser(
    browser: Browser, stack: Stack, people: tuple[Person, list[Person]], tmp_path: Path
) -> None:
    admin_http, annotators_http = people
    admin = signed_in(browser, stack, "admin")
    project_make(admin)
    join(admin_http, annotators_http, project_id(admin))
    corpus_upload(admin, tmp_path)
    first_round(admin)
    label_everything(browser, stack)
    next_round(admin)
    agreement_seen(admin)
    lines = downloaded(admin, tmp_path, "Annotations")
    assert len(lines) == SIZE * 3
    assert len({line["annotator"] for line in lines}) == 3
    aggregated = downloaded(admin, tmp_path, "Aggregated labels")
    assert len(aggregated) == SIZE * 2
    assert {line["labels"]["opinion"]["state"] for line in aggregated if line["round"] == 1} == {"majority"}


def project_make(page: Page) -> None:
    page.get_by_label("Name", exact=True).fill(PROJECT)
    page.get_by_label("Five stages").check()
    page.get_by_role("button", name="Create the project").click()
    expect(page.get_by_role("heading", name=PROJECT)).to_be_visible()


def project_id(page: Page) -> str:
    found = re.search(r"/projects/([0-9a-f-]{36})", page.url)
    assert found, page.url
    return found[1]


def corpus_upload(page: Page, folder: Path) -> None:
    archive = folder / "vellmark.zip"
    archive.write_bytes(zipped(CORPUS))
    page.get_by_role("link", name="Import", exact=True).first.click()
    page.locator("input[type=file]").set_input_files(archive)
    # The preview is in by then, and names what will come.
    page.get_by_role("button", name=re.compile(r"^Import .*\d items")).click(timeout=120_000)
    expect(page.get_by_role("article").get_by_text("692").first).to_be_visible(timeout=180_000)
    picture(page, "import")


def first_round(page: Page) -> None:
    page.get_by_role("link", name="Rounds", exact=True).click()
    page.get_by_label("Items in the batch").fill(str(SIZE))
    page.get_by_role("button", name="Start it").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Start round")).click()
    expect(page.get_by_text("open for annotators").first).to_be_visible(timeout=180_000)


def label_everything(browser: Browser, stack: Stack) -> None:
    """Each in a browser of their own; the first two agree, the third sees no opinion anywhere."""
    for name, keys, end in (
        ("ann", YES + THEN_NO, "You are done with batch 1"),
        ("ben", YES + THEN_NO, "You are done with batch 1"),
        ("cleo", NO, "Batch 1 is complete"),
    ):
        page = signed_in(browser, stack, name)
        opened(page, PROJECT)
        done = first_answered(page) if name == "ann" else 0
        answer_all(page, keys, SIZE, done)
        expect(page.get_by_role("heading", name=end)).to_be_visible()
        picture(page, f"done-{name}")
        page.context.close()


def first_answered(page: Page) -> int:
    """The first sentence, its context opened and one answer changed. The README's picture is taken on the way."""
    expect(page.get_by_test_id("progress")).to_contain_text("0 of")
    for key in ("c", "c", YES, THEN_YES):
        page.keyboard.press(key)
    page.evaluate("window.scrollTo(0, 0)")
    picture(page, "label")
    for key in ("2", THEN_NO, "Enter"):
        page.keyboard.press(key)
    return 1


def next_round(page: Page) -> None:
    page.get_by_role("link", name="Rounds", exact=True).click()
    expect(page.get_by_text("12 of 12").first).to_be_visible()
    page.get_by_label("Maximum entropy").check()
    page.get_by_label("Items in the batch").fill(str(SIZE))
    page.get_by_role("button", name="Start round 2").click()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^Start round")).click()
    row = page.get_by_role("row").filter(has_text="Maximum entropy")
    expect(row).to_contain_text("open for annotators", timeout=180_000)
    picture(page, "rounds")


def agreement_seen(page: Page) -> None:
    """Two of three say yes on all four items: 4 of 12 pairs agree, alpha = 1 - 11 * 8 / (144 - 80) = -3/8."""
    page.get_by_role("link", name="Agreement", exact=True).click()
    row = page.get_by_role("row", name=re.compile("Opinion")).first
    expect(row).to_be_visible()
    expect(page.get_by_text(re.compile("[-−]0\\.375")).first).to_be_visible()
    picture(page, "agreement")


def downloaded(page: Page, folder: Path, title: str) -> list[dict[str, object]]:
    page.get_by_role("link", name="Export", exact=True).click()
    card = page.locator(".card").filter(has=page.get_by_role("heading", name=title))
    with page.expect_download() as waiting:
        card.get_by_role("link", name=re.compile("download jsonl", re.IGNORECASE)).click()
    path = folder / f"{title}.jsonl"
    waiting.value.save_as(path)
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]
