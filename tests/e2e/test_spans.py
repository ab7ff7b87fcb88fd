"""Marking spans, as people with a mouse and people without one meet it; what is stored is read over the API."""

import pytest
from playwright.sync_api import expect

from tests.e2e.marking import EDGES, FREE, LAMPS, MINUTES, RULED, SELECT, SENTENCE, Begin
from tests.e2e.people import DRAFTS, eventually, heard, picture

pytestmark = pytest.mark.e2e


def test_it_marks_by_mouse_undoes_and_blocks_what_is_incomplete(begin: Begin) -> None:
    marking = begin(LAMPS, RULED)
    page = marking.page
    marking.drag(SENTENCE)
    page.get_by_role("button", name="Sentence", exact=True).click()
    missing = page.get_by_role("region", name="Not complete yet")
    expect(missing).to_contain_text("has no Act yet")
    marking.press("Enter")
    expect(page.locator(".notice.warn")).to_contain_text("has no Act yet")
    marking.drag("agreed to dim the lamps")
    page.get_by_role("button", name="Act", exact=True).click()
    page.get_by_role("textbox", name="Comment (needed)").fill("Dimmed the lamps")
    marking.drag("four members")
    page.get_by_role("button", name="Actor", exact=True).click()
    marking.drag("dim the lamps so that the bats return")
    page.get_by_role("button", name="Motive", exact=True).click()
    expect(missing).to_have_count(0)
    picture(page, "spans-light-1280")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("list", name="Spans").get_by_role("listitem")).to_have_count(3)
    page.get_by_role("button", name="Redo").click()
    assert marking.submit() == [
        (31, 131, SENTENCE, "sentence", None),
        (57, 69, "four members", "actor", None),
        (70, 93, "agreed to dim the lamps", "act", "Dimmed the lamps"),
        (80, 117, "dim the lamps so that the bats return", "motive", None),
    ]


def test_it_marks_wholly_by_keyboard(begin: Begin) -> None:
    marking = begin(LAMPS, RULED)
    page = marking.page
    marking.press(*["Control+ArrowRight"] * 5, *["Shift+Control+ArrowRight"] * 19)
    marking.press("Shift+ArrowRight", "1")
    marking.press("Home", *["Control+ArrowRight"] * 11, *["Control+Shift+ArrowRight"] * 5, "2")
    marking.press("g")
    page.keyboard.type("Dimmed 1n2x, did they?")
    marking.press("Escape", "ArrowDown", "Control+End", "Shift+Home", "5", "p", "Enter")
    expect(page.get_by_role("heading", name="Batch 1 is complete")).to_be_visible()
    expect(page.get_by_test_id("save-status")).to_have_text("All saved")
    assert marking.stored() == [
        (31, 131, SENTENCE, "sentence", None),
        (70, 93, "agreed to dim the lamps", "act", "Dimmed 1n2x, did they?"),
        (156, 189, "Two shopkeepers spoke against it.", "reference", None),
    ]


def test_it_reaches_every_span_of_one_place_and_moves_it(begin: Begin) -> None:
    marking = begin("One two three four five six seven eight.\nNext.", FREE)
    page = marking.page
    for words, key in (("One two three four five six", "1"), ("two three", "2"), ("five six seven eight", "3")):
        marking.drag(words)
        marking.press(key)
    marking.press("p", "p", "s", "4")
    expect(page.get_by_role("list", name="Spans").get_by_role("listitem")).to_have_count(4)
    marking.press("Escape", "Escape")
    seen = set()
    for _ in range(3):
        page.get_by_test_id("span-text").get_by_text("two three", exact=True).click(position={"x": 4, "y": 8})
        heard(page)
        seen.add(page.locator(".span-tag.held").get_attribute("data-name"))
    assert seen == {"A", "B", "D"}
    page.locator(".span-tag[data-name=C]").click()
    marking.press("u", "Shift+L")
    picture(page, "spans-crossing")
    assert marking.submit() == [
        (0, 27, "One two three four five six", "a", None),
        (0, 27, "One two three four five six", "d", None),
        (4, 13, "two three", "b", None),
        (14, 40, "four five six seven eight.", "c", None),
    ]


@pytest.mark.parametrize(
    ("text", "words", "start"),
    [
        ("Nice 👩‍🔬 work 🎉 but the grant was cut", "grant", 24),
        ("First\tpoint.  \r\n\r\nSecond point: costs rise.", "costs rise", 32),
        ("e\u0301te\u0301 in 日本語, done", "in", 6),
        ("שלום עולם, done", "עולם", 5),
    ],
    ids=["emoji", "windows", "combining", "right-to-left"],
)
def test_it_stores_code_points(begin: Begin, text: str, words: str, start: int) -> None:
    marking = begin(text, FREE)
    assert marking.text == text
    place = marking.page.evaluate(SELECT, words)
    assert place == words
    marking.press("1")
    assert marking.submit() == [(start, start + len(words), words, "a", None)]
    assert text[start : start + len(words)] == words


def test_it_keeps_a_draft_and_copies_the_text_without_labels(begin: Begin) -> None:
    marking = begin(LAMPS, RULED)
    page = marking.page
    marking.drag("Two shopkeepers")
    marking.press("3", "m")
    page.keyboard.type("who?")
    eventually(lambda: "who?" in page.evaluate(DRAFTS), "the draft is kept")
    page.reload()
    expect(page.get_by_role("list", name="Spans")).to_contain_text("who?")
    copied = page.evaluate(
        "getSelection().selectAllChildren(document.querySelector('.span-text')); getSelection().toString()"
    )
    assert "ACTOR" not in copied
    assert "Two shopkeepers spoke" in copied


def test_it_keeps_what_is_done_just_before_the_page_is_loaded_anew(begin: Begin) -> None:
    marking = begin(LAMPS, FREE)
    page = marking.page
    spans = page.get_by_role("list", name="Spans").get_by_role("listitem")
    kept = []
    for words, key, wait in (("four members", "1", 50), ("the lamps", "2", 0), ("two surveys", "3", 20)):
        marking.drag(words)
        marking.press(key)
        page.wait_for_timeout(wait)
        page.reload()
        kept.append(words)
        expect(spans).to_have_count(len(kept))
        expect(page.get_by_test_id("span-text")).to_be_focused()
    # A comment, and a span that is taken away.
    marking.press("p", "m")
    page.keyboard.type("who asked?")
    page.wait_for_timeout(50)
    page.reload()
    expect(page.get_by_role("list", name="Spans")).to_contain_text("who asked?")
    expect(page.get_by_test_id("span-text")).to_be_focused()
    marking.press("p", "Delete")
    page.wait_for_timeout(50)
    page.reload()
    expect(spans).to_have_count(2)
    expect(page.get_by_test_id("span-text")).to_be_focused()
    assert [(quote, key) for _, _, quote, key, _ in marking.submit()] == [("four members", "a"), ("the lamps", "b")]


def test_what_is_highlighted_is_what_would_be_marked(begin: Begin) -> None:
    marking = begin(LAMPS, FREE, {"sources": [MINUTES]})
    page = marking.page
    expect(page.get_by_text("The lamps are dimmed")).to_be_visible()
    box = page.evaluate(EDGES, "They cited two surveys.")
    beside = page.get_by_role("complementary", name="Sources").bounding_box()
    assert beside is not None
    page.mouse.move(box["x1"], box["y1"])
    page.mouse.down()
    page.mouse.move(box["x1"] + 40, box["y1"], steps=3)
    page.mouse.move(beside["x"] + 40, box["y1"], steps=5)
    page.mouse.move(beside["x"] + 40, beside["y"] + beside["height"] - 5, steps=5)
    page.mouse.move(beside["x"] + 40, box["y1"], steps=5)
    page.mouse.up()
    heard(page)
    highlighted = str(page.evaluate("getSelection().toString()"))
    assert highlighted.startswith("They cited")
    assert highlighted in LAMPS
    marking.press("1", "Control+a")
    heard(page)
    assert page.evaluate("getSelection().toString().length") == len(LAMPS)
    marking.press("2")
    assert [quote for _, _, quote, _, _ in marking.submit()] == [LAMPS, highlighted.strip()]
