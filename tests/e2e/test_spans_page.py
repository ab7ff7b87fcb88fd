"""The page on which spans are marked: caret, tags, card and list stay in sight, in every width and in both themes."""

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import serious
from tests.e2e.marking import FREE, LAMPS, MINUTES, RULED, SELECT, Begin, Marking
from tests.e2e.people import DRAFTS, eventually, fits_width, heard, picture

pytestmark = pytest.mark.e2e


def test_the_caret_is_seen_behind_a_last_line_break(begin: Begin) -> None:
    marking = begin("A line of the text.\n" * 80, FREE)
    page = marking.page
    marking.press("Control+End")
    expect(page.locator(".span-caret")).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") > 0
    marking.press("Control+Home")
    expect(page.locator(".span-caret")).to_be_in_viewport(ratio=1)
    marking.press("Control+End", "Shift+Home", "1")
    assert marking.submit() == [(79 * 20, 80 * 20 - 1, "A line of the text.", "a", None)]


@pytest.mark.parametrize("size", [(390, 700), (640, 400)])
def test_a_tapped_span_leaves_a_narrow_page_where_it_is(begin: Begin, size: tuple[int, int]) -> None:
    marking = begin("A line of the text.\n" * 60, FREE, viewport={"width": size[0], "height": size[1]})
    page = marking.page
    assert page.evaluate(SELECT, "line") == "line"
    marking.press("1", "Escape")
    page.locator(".span-tag").click()
    heard(page)
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Its card").click()
    expect(page.locator(".span-card").get_by_role("textbox")).to_be_in_viewport(ratio=1)
    bar = page.locator(".span-categories").bounding_box()
    assert bar is not None
    assert bar["y"] == 0
    page.get_by_role("button", name="Back to the text").click()
    heard(page)
    assert page.evaluate("scrollY") == 0


def test_a_tag_stays_with_the_first_word_of_its_span(begin: Begin) -> None:
    starts = [place for place in range(len(LAMPS)) if LAMPS[place - 1 : place] in (" ", "\n") or place == 0]
    given = [{"start": place, "end": place + 3, "category": key} for place in starts for key in ("a", "b")]
    marking = begin(LAMPS, FREE, {"spans": given})
    page = marking.page
    marking.press("i")
    expect(page.locator(".span-tag")).to_have_count(len(given))
    for width in range(400, 1300, 50):
        page.set_viewport_size({"width": width, "height": 860})
        assert page.evaluate(PARTED) == [], f"at {width} px"
    copied = page.evaluate(
        "getSelection().selectAllChildren(document.querySelector('.span-text')); getSelection().toString()"
    )
    assert copied.rstrip("\n") == LAMPS


# Tags whose middle is not within the line that their word's first letter stands in.
PARTED = """() => [...document.querySelectorAll(".span-tag")].filter(tag => {
  const range = document.createRange();
  const words = tag.parentElement.nextElementSibling.firstChild;
  range.setStart(words, 0);
  range.setEnd(words, 1);
  const letter = range.getClientRects()[0], box = tag.getBoundingClientRect();
  const middle = (box.top + box.bottom) / 2;
  return middle < letter.top - 8 || middle > letter.bottom;
}).map(tag => tag.getAttribute("aria-label"))"""


def test_the_list_of_keys_leaves_the_page_where_it_was(begin: Begin) -> None:
    marking = begin("A line of the text.\n" * 80, FREE)
    page = marking.page
    page.evaluate("scrollTo(0, 280)")
    heard(page)
    marking.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    marking.press("Escape")
    expect(page.get_by_test_id("span-text")).to_be_focused()
    assert page.evaluate("scrollY") == 280


def test_the_caret_stands_behind_the_last_letter_of_a_long_text(begin: Begin) -> None:
    text = "\n".join("one two three " * (5 + place % 31) + "end." for place in range(600))
    given = [{"start": 60 * place, "end": 60 * place + 3, "category": "a"} for place in range(1500)]
    marking = begin(text, FREE, {"spans": given})
    page = marking.page
    marking.press("i")
    eventually(lambda: '"start":89940' in page.evaluate(DRAFTS), "the draft is kept")
    page.reload()
    expect(page.get_by_test_id("span-text")).to_be_focused()
    marking.press("Control+End")
    eventually(lambda: page.evaluate(BEHIND), "the caret stands where the text ends")
    expect(page.locator(".span-caret")).to_be_in_viewport(ratio=1)


BEHIND = """() => {
  const pieces = document.querySelectorAll(".piece");
  const words = pieces[pieces.length - 1].firstChild;
  const range = document.createRange();
  range.setStart(words, words.length - 1);
  range.setEnd(words, words.length);
  const end = range.getBoundingClientRect(), caret = document.querySelector(".span-caret").getBoundingClientRect();
  return Math.abs(caret.top - end.top) < 3 && Math.abs(caret.left - end.right) < 3;
}"""


def test_the_card_stays_in_sight_beside_sources_and_help(begin: Begin) -> None:
    title = "Minutes of the committee on lighting and on the river, 18 March, as approved"
    given = [{"start": place, "end": place + 2, "category": "actor"} for place in range(0, 60, 3)]
    marking = begin(LAMPS, RULED, {"sources": [{**MINUTES, "title": title}], "spans": given})
    page = marking.page
    marking.press("i", "p", "h")
    expect(page.locator(".span-card").get_by_role("textbox")).to_be_in_viewport(ratio=1)
    head = page.get_by_role("heading", name=title).bounding_box()
    assert head is not None
    assert head["height"] < 120
    boxes = [page.get_by_role("searchbox").bounding_box()]
    boxes += [page.get_by_role("button", name=f"{way} one found").bounding_box() for way in ("Previous", "Next")]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box]
    assert len(middles) == 3
    assert max(middles) - min(middles) < 2
    picture(page, "spans-help-1280")


WORDS = [f"w{place:03}" for place in range(120)]


def test_a_list_longer_than_the_page_follows_the_span_in_hand(begin: Begin) -> None:
    given = [{"start": 5 * place, "end": 5 * place + 4, "category": "a"} for place in range(120)]
    marking = begin(" ".join(WORDS), FREE, {"spans": given})
    page = marking.page
    page.get_by_role("button", name="Start from the 120 imported marks").click()
    marking.press("p")
    commented(marking, "w119", "from the end")
    page.locator(".piece", has_text="w060").click()
    commented(marking, "w060", "in the middle")
    page.get_by_role("list", name="Spans").evaluate("list => { list.scrollTop = 0 }")
    page.get_by_role("list", name="Spans").get_by_role("button", name="w003").click()
    marking.press("Delete")
    commented(marking, "w004", "next to it")
    said = {quote: comment for _, _, quote, _, comment in marking.submit() if comment}
    assert said == {"w004": "next to it", "w060": "in the middle", "w119": "from the end"}
    assert [one[2] for one in marking.stored()] == [word for word in WORDS if word != "w003"]


def commented(marking: Marking, words: str, comment: str) -> None:
    """Types into the one card, which is of these words and wholly inside the list's box."""
    card = marking.page.locator(".span-card")
    expect(card).to_have_count(1)
    expect(card).to_contain_text(words)
    expect(card.get_by_role("textbox")).to_have_value("")
    marking.press("m")
    marking.page.keyboard.type(comment)
    marking.press("Escape")
    inner = card.bounding_box()
    outer = marking.page.get_by_role("list", name="Spans").bounding_box()
    assert inner is not None
    assert outer is not None
    # Scrolling stops at whole pixels.
    assert outer["y"] <= inner["y"] + 1
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_shows_sources_and_has_no_serious_fault(begin: Begin, scheme: str, width: int) -> None:
    given = [{"start": 31, "end": 131, "category": "sentence"}]
    row = {"sources": [MINUTES], "spans": given}
    size = {"width": width, "height": 860}
    marking = begin(LAMPS, RULED, row, viewport=size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page = marking.page
    expect(page.get_by_text("The lamps are dimmed")).to_be_visible()
    faults = serious(page)
    page.get_by_role("button", name="Start from the 1 imported mark").click()
    for words, key in (("its minutes", "5"), ("agreed to dim the lamps", "2"), ("four members", "3")):
        page.evaluate(SELECT, words)
        marking.press(key)
    page.evaluate(SELECT, "the bats")
    marking.press("4", "/")
    page.keyboard.type("the lamps")
    expect(page.get_by_text("1 of 2")).to_be_visible()
    faults += serious(page)
    picture(page, f"spans-sources-{scheme}-{width}")
    fits_width(page)
    assert faults == []
