"""A release from the browser: the datasheet is answered, a release made, downloaded, and checked from outside."""

import hashlib
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, opened, picture, sign_in, signed_in
from tests.loop.annotators import TASTES, label_all
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e
SIZE = 6
PURPOSE = "To learn how committee members *speak* of prices."
LICENCE = "cc-by-4.0"


@pytest.mark.timeout(600)
def test_it_is_made_with_what_an_admin_answers(browser: Browser, study: Study, tmp_path: Path) -> None:
    batch_labelled(study)
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", viewport={"width": 1280, "height": 860})
    page = signed_in(browser, study.stack, "admin", context)
    opened(page, study.name, "Release")
    expect(page.get_by_text("questions of the datasheet that only people can answer are open")).to_be_visible()
    answers_given(page)
    answer_kept_while_away(page)
    other_words_met(page, study)
    faults = looked_at(page, "datasheet")
    page.get_by_role("navigation", name="Release", exact=True).get_by_role("link", name="Card").click()
    expect(page.get_by_role("heading", name=re.compile("^What was the dataset made for"))).to_be_visible()
    expect(page.get_by_text(PURPOSE.replace("*", ""))).to_be_visible()
    faults += looked_at(page, "release-card")
    folder = release_made(page, tmp_path)
    faults += looked_at(page, "releases")
    assert faults == []
    checked(page, folder)


def batch_labelled(study: Study) -> None:
    round_wait(study.admin, round_start(study.admin, study.id, "random", SIZE)["id"])
    for person, taste in zip(study.annotators, TASTES, strict=True):
        label_all(person, study.id, taste)


def answer(page: Page, question: str) -> Locator:
    return page.get_by_role("textbox", name=re.compile(re.escape(question)))


def saved(page: Page) -> None:
    expect(page.get_by_test_id("datasheet-status")).to_have_text("All saved", timeout=30_000)


def answers_given(page: Page) -> None:
    """From one open question to another by key, each saved by itself."""
    page.get_by_label("Make release 1").get_by_role("link", name="Datasheet").click()
    expect(page.get_by_role("button", name="Only open ones")).to_have_attribute("aria-pressed", "true")
    open_ones = page.get_by_text(re.compile(r"^\d+ questions open$"))
    before = int((open_ones.text_content() or "").split()[0])
    answer(page, "Under which licence is it released?").fill(LICENCE)
    page.keyboard.press("Control+Enter")
    expect(answer(page, "Under which licence is it released?")).not_to_be_focused()
    answer(page, "What was the dataset made for?").fill(PURPOSE)
    saved(page)
    expect(page.get_by_text(f"{before - 2} questions open")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="All", exact=True).click()
    expect(answer(page, "What was the dataset made for?")).to_have_value(PURPOSE)


def answer_kept_while_away(page: Page) -> None:
    """Typed without a connection: the page says so, holds on to it when left, and saves it afterwards."""
    page.context.set_offline(True)
    answer(page, "Who are its authors?").fill("Anna and Ben")
    expect(page.get_by_test_id("datasheet-status")).to_have_text("1 not saved, trying again")
    picture(page, "datasheet-away")
    page.get_by_role("link", name="Rounds", exact=True).click()
    dialog = page.get_by_role("dialog", name="Leave with answers not saved?")
    dialog.get_by_role("button", name="Stay here").click()
    expect(answer(page, "Who are its authors?")).to_have_value("Anna and Ben")
    page.context.set_offline(False)
    saved(page)


def other_words_met(page: Page, study: Study) -> None:
    """Another admin's session saves other words first."""
    question = "How is it to be cited?"
    path = f"projects/{study.id}/datasheet/citation/"
    box = answer(page, question)
    box.fill("Anna (2026).")
    saved(page)
    study.admin.call("PUT", path, json={"text": "Ben (2026).", "base_revision": 1})
    box.fill("Anna (2026a).")
    expect(page.get_by_test_id("datasheet-status")).to_have_text("1 not saved: your decision")
    expect(page.get_by_role("blockquote").get_by_text("Ben (2026).")).to_be_visible()
    picture(page, "datasheet-stale")
    signed_out_and_in(page, study)
    page.get_by_role("button", name="Both, theirs first").click()
    saved(page)
    expect(box).to_have_value("Ben (2026).\n\nAnna (2026a).")


def signed_out_and_in(page: Page, study: Study) -> None:
    """What is not decided yet waits in the browser for the person."""
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out all the same").click()
    sign_in(page, "admin")
    opened(page, study.name, "Release")
    page.get_by_role("navigation", name="Release", exact=True).get_by_role("link", name="Datasheet").click()
    expect(page.get_by_test_id("datasheet-status")).to_have_text("1 not saved: your decision")


def release_made(page: Page, folder: Path) -> Path:
    """Makes one and gives the folder of the ZIP that it came to."""
    page.get_by_role("link", name="Releases", exact=True).click()
    page.get_by_label("Notes").fill("The first one.")
    page.get_by_role("button", name="Make release 1").click()
    page.get_by_role("dialog").get_by_role("button", name="Make release 1").click()
    download = page.get_by_role("link", name="Download release 1")
    expect(download).to_be_visible(timeout=120_000)
    with page.expect_download() as waiting:
        download.click()
    with zipfile.ZipFile(waiting.value.path()) as packed:
        packed.extractall(folder)
    (root,) = folder.iterdir()
    assert f"{root.name}.zip" == waiting.value.suggested_filename
    return root


def checked(page: Page, folder: Path) -> None:
    """What the folder holds is what its hashes and the page say of it."""
    sums = (folder / "SHA256SUMS").read_bytes()
    named = {name: hashed for hashed, name in (line.split("  ", 1) for line in sums.decode().splitlines())}
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert set(named) == set(files) - {"README.md", "release.json", "SHA256SUMS"}
    assert {name: hashlib.sha256(files[name]).hexdigest() for name in named} == named
    content_hash = hashlib.sha256(sums).hexdigest()
    release = page.get_by_role("article", name="Release 1")
    expect(release.get_by_text(content_hash, exact=True).first).to_be_visible()
    table = release.get_by_role("table", name="Files of release 1")
    row = table.get_by_role("row").filter(has_text="data/aggregated.jsonl")
    lines = files["data/aggregated.jsonl"].count(b"\n")
    assert lines == SIZE
    expect(row.get_by_role("cell").first).to_have_text(str(lines))
    expect(row.get_by_role("cell").last).to_have_text(named["data/aggregated.jsonl"])
    card = files["README.md"].decode()
    assert f"> {PURPOSE}" in card
    assert f"license: {LICENCE}\n" in card
    assert content_hash in card


def looked_at(page: Page, name: str) -> list[str]:
    """Pictures for a person, and what is wrong for people who use it otherwise: light, dark, on a phone."""
    folded = page.get_by_role("article").get_by_role("button", expanded=False)
    while folded.count():
        folded.first.click()
    page.evaluate("window.scrollTo(0, 0)")
    faults = violations(page)
    picture(page, name)
    page.emulate_media(color_scheme="dark")
    faults += violations(page)
    picture(page, f"{name}-dark")
    page.set_viewport_size({"width": 390, "height": 860})
    faults += violations(page)
    fits_width(page)
    picture(page, f"{name}-dark-390")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 860})
    return faults
