"""Importing in a real browser: what would come in, its end in sight, and a file over the limit."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.axe import violations
from tests.e2e.people import fits_width, opened, picture, signed_in, to_screen
from tests.loop.run import people_sign_in
from tests.stack import Stack, running_stack

pytestmark = pytest.mark.e2e
LIMIT = 50_000
SCREEN = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")
def small_stack(prepared: Path) -> Iterator[Stack]:
    """Takes files of 50 kB at most."""
    with running_stack(prepared, QUORUM_UPLOAD_MAX_BYTES=str(LIMIT)) as stack:
        people_sign_in(stack)[0].post("projects/", {"name": "Interviews"})
        yield stack


def at_import(browser: Browser, stack: Stack, size: dict[str, int] = SCREEN, scheme: str = "light") -> Page:
    context = browser.new_context(viewport=size, color_scheme=scheme)  # type: ignore[arg-type]
    page = signed_in(browser, stack, "admin", context)
    opened(page, "Interviews", "Import")
    return page


def table(folder: Path, first: int, name: str = "interviews.csv") -> Path:
    rows = [
        f"r{n};Caf\u00e9 number {n} closed early.;Ada;{'left' if n % 2 else 'right'}\n"
        for n in range(first, first + 40)
    ]
    rows.append(f"long{first};{'word ' * 501};Bo;left\n")
    path = folder / name
    path.write_bytes(("ID;Text ;speaker;party\n" + "".join(rows)).encode("cp1252"))
    return path


def test_it_shows_what_would_come_in_and_brings_the_result_into_sight(
    browser: Browser, small_stack: Stack, tmp_path: Path
) -> None:
    page = at_import(browser, small_stack)
    page.locator("input[type=file]").set_input_files(table(tmp_path, 1))
    shown = page.get_by_role("region", name="Preview of the import")
    expect(shown.get_by_text("1 row of more than 500 words")).to_be_visible(timeout=60_000)
    expect(shown.get_by_text("Caf\u00e9 number 1 closed early.")).to_be_visible()
    expect(shown.get_by_label("Other columns, and what each becomes")).to_have_text("partykept beside the text")
    expect(shown.get_by_label("Text to label")).to_have_value("Text")
    expect(shown.get_by_label("Encoding")).to_have_value("")
    picture(page, "import-preview")
    assert violations(page) == []
    # Another encoding changes the letters at once.
    shown.get_by_label("Encoding").select_option("cp1251")
    expect(shown.get_by_text("Caf\u0439 number 1 closed early.")).to_be_visible()
    shown.get_by_label("Encoding").select_option("")
    page.get_by_role("button", name="Import 41 items").click()
    card = page.get_by_role("article", name="Import of interviews.csv")
    expect(card).to_be_focused()
    expect(card.get_by_text("Items kept in the pool")).to_be_visible(timeout=60_000)
    expect(card.get_by_text("Items kept in the pool")).to_be_in_viewport()
    expect(page.get_by_text("The pool has 40 items of 41 documents.")).to_be_visible(timeout=1)
    page.screenshot(path="test-results/import-result.png")
    # Some of its ids are known, and can be passed over.
    page.locator("input[type=file]").set_input_files(table(tmp_path, 30, "more.csv"))
    expect(page.get_by_role("button", name="Nothing to import")).to_be_disabled(timeout=60_000)
    page.get_by_role("button", name="Skip the 11 rows that the project has").click()
    expect(page.get_by_role("button", name="Import 30 items")).to_be_enabled()


def test_columns_of_other_names_are_chosen(browser: Browser, small_stack: Stack, tmp_path: Path) -> None:
    page = at_import(browser, small_stack, {"width": 1280, "height": 1400})
    path = tmp_path / "tweets.csv"
    path.write_text("tweet_id,tweet,Aussage,who\n" + "".join(f"t{n},RT,Rates rose {n}.,Ada\n" for n in range(5)))
    page.locator("input[type=file]").set_input_files(path)
    shown = page.get_by_role("region", name="Preview of the import")
    expect(shown.get_by_label("Text to label")).to_have_value("tweet", timeout=60_000)
    expect(shown.get_by_label("Id", exact=True)).to_have_value("tweet_id")
    picture(page, "import-columns-guessed")
    shown.get_by_label("Text to label").select_option("Aussage")
    expect(shown.get_by_text("Rates rose 4.")).to_be_visible()
    shown.get_by_text("Document, speaker, time and others").click()
    shown.get_by_label("Speaker").select_option("who")
    expect(shown.get_by_role("cell", name="Ada").first).to_be_visible()
    picture(page, "import-columns-chosen")
    assert violations(page) == []
    page.get_by_role("button", name="Import 5 items").click()
    card = page.get_by_role("article", name="Import of tweets.csv")
    expect(card.get_by_text("Aussage column")).to_be_visible(timeout=60_000)
    picture(page, "import-columns-report")


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1280), ("light", 375), ("dark", 375)])
def test_it_fits_the_screen(browser: Browser, small_stack: Stack, tmp_path: Path, scheme: str, width: int) -> None:
    page = at_import(browser, small_stack, {"width": width, "height": 800}, scheme)
    page.locator("input[type=file]").set_input_files(table(tmp_path, 1000))
    expect(page.get_by_role("button", name="Import 41 items")).to_be_visible(timeout=60_000)
    assert violations(page) == []
    picture(page, f"import-preview-{scheme}-{width}")
    fits_width(page)


def test_a_file_over_the_limit_is_refused_before_it_is_sent(
    browser: Browser, small_stack: Stack, tmp_path: Path
) -> None:
    page = at_import(browser, small_stack)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    (tmp_path / "large.csv").write_text("id,text\n" + "r,word\n" * LIMIT)
    page.locator("input[type=file]").set_input_files(tmp_path / "large.csv")
    expect(page.get_by_text(re.compile("large.csv has 350 kB; 50 kB are the most"))).to_be_visible()
    picture(page, "import-too-large")
    assert sent == []


def test_a_refusal_of_the_server_is_shown_in_words(browser: Browser, small_stack: Stack, tmp_path: Path) -> None:
    """The page is told of another limit, so that the server is the one to refuse."""
    page = at_import(browser, small_stack)
    page.route("**/api/session/", lambda route: route.fulfill(json={"csrf": True, "upload_max_bytes": 10**9}))
    # More than a connection's buffers hold, so that the refusal comes while the file is still being sent.
    (tmp_path / "large.csv").write_text("id,text\n" + "r,word\n" * 1_100_000)
    page.locator("input[type=file]").set_input_files(tmp_path / "large.csv")
    expect(page.get_by_text(re.compile("Larger than 49 KiB, the most that is taken here")).first).to_be_visible(
        timeout=60_000
    )


def test_spans_of_another_tool_come_in_as_marks(browser: Browser, small_stack: Stack, tmp_path: Path) -> None:
    """On a narrow screen in the dark: a label without a category is told, and chosen, before anything comes in."""
    admin = people_sign_in(small_stack)[0]
    project = admin.post("projects/", {"name": "Entities"})["id"]
    categories = [{"key": "person", "name": "Person"}, {"key": "place", "name": "Place"}]
    definition = {"name": "Entities", "span_layer": {"categories": categories}}
    version = admin.post(f"projects/{project}/codebooks/", {"definition": definition})["id"]
    admin.post(f"codebooks/{version}/publish/", {})
    context = browser.new_context(viewport={"width": 390, "height": 800}, color_scheme="dark")
    page = signed_in(browser, small_stack, "admin", context)
    opened(page, "Entities", "Import")
    (tmp_path / "entities.conll").write_text("Jane B-person\nmet O\nRome B-LOC\n\nRome B-LOC\n")
    page.locator("summary", has_text="More settings").click()
    page.get_by_label("Format").select_option("CoNLL (a token a line)")
    page.locator("input[type=file]").set_input_files(tmp_path / "entities.conll")
    labels = page.get_by_role("region", name="What the labels of spans become")
    expect(labels.get_by_text("1 label of the file is no category of the codebook: LOC.")).to_be_visible()
    expect(page.get_by_role("button", name="Nothing to import")).to_be_disabled()
    picture(page, "import-span-labels")
    assert violations(page) == []
    fits_width(page)
    labels.get_by_label("LOC").select_option("Place")
    page.get_by_role("button", name="Import 2 items").click()
    card = page.get_by_role("article", name="Import of entities.conll")
    expect(card.get_by_text("Items kept in the pool")).to_be_visible(timeout=60_000)
    picture(page, "import-span-labels-done")
    # What came in can be tried in the codebook's editor, before anybody annotates.
    to_screen(page, "Codebook")
    page.get_by_role("button", name="Edit as a new draft").click()
    page.get_by_role("button", name="Try it").click()
    marking = page.get_by_role("region", name="Marking on a text")
    expect(marking.get_by_role("group", name="Categories").get_by_role("button")).to_have_count(2)
    expect(marking.get_by_test_id("span-text")).to_be_focused()
    page.keyboard.press("Control+Shift+ArrowRight")
    page.keyboard.press("1")
    expect(marking.get_by_role("listitem").filter(has_text="Person").first).to_be_visible()
    picture(page, "codebook-try-spans")
    assert violations(page) == []
    fits_width(page)
