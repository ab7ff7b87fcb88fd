"""Agreement in detail, in a browser: three people answer by a table, and the page shows what the table comes to."""

import re
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.axe import violations
from tests.e2e.conftest import Study
from tests.e2e.people import fits_width, opened, picture, signed_in, to_screen
from tests.loop.client import Person
from tests.loop.run import round_start, round_wait

pytestmark = pytest.mark.e2e

# One letter an item, in the order in which Ann gets them. Yes closes with "not about monetary policy".
FIRST = {"ann": "YYYYNNNA", "ben": "YYYNNNYA", "cleo": "YYNNNNYN"}
SECOND = dict.fromkeys(FIRST, "YYYYNNNA")
ANSWERS = {"Y": {"opinion": "yes", "mp": "no"}, "N": {"opinion": "no"}, "A": {"opinion": "ambiguous"}}


@pytest.mark.timeout(300)
def test_it_shows_agreement_in_detail(browser: Browser, study: Study) -> None:
    for said, model in ((FIRST, ""), (SECOND, "bow-logreg")):
        round_wait(study.admin, round_start(study.admin, study.id, "random", len(said["ann"]), model)["id"])
        everyone_answers(study, said)
    page = signed_in(browser, study.stack, "admin")
    opened(page, study.name, "Agreement")
    expect(page.get_by_role("row", name=re.compile("^round 1")).first).to_contain_text("0.442")
    page.get_by_role("button", name="In detail").press("Enter")
    page.get_by_label("Round", exact=True).select_option("Round 1")
    first_round_seen(page)
    page.reload()
    first_round_seen(page)
    assert re.search(r"\?view=detail&round=1$", page.url)
    batches_seen(page)
    assert violations(page) == []
    picture(page, "agreement-detail")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 390, "height": 800})
    assert violations(page) == []
    fits_width(page)
    picture(page, "agreement-detail-narrow")
    annotators_seen(page)
    pace_seen(signed_in(browser, study.stack, "ann"), study.name)


def annotators_seen(page: Page) -> None:
    """Each person beside the others, on a narrow dark page and then on a wide one."""
    to_screen(page, "Annotators")
    table = page.get_by_role("group", name="Annotators")
    expect(table.get_by_role("row", name=re.compile("^Ann "))).to_contain_text("16 items")
    expect(table).to_contain_text("few items")
    assert violations(page) == []
    fits_width(page)
    picture(page, "annotators-narrow")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 860})
    table.get_by_role("button", name="Agreement with the others").press("Enter")
    values = [
        float(text) for text in re.findall(r"(0\.\d\d)\[", "\n".join(table.get_by_role("row").all_text_contents()))
    ]
    assert len(values) == 3 and values == sorted(values, reverse=True)
    page.get_by_label("Batches", exact=True).select_option("Round 2")
    expect(table.get_by_role("row", name=re.compile("^Ann "))).to_contain_text("100.0 % equal, 8 items")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download this table (CSV)").click()
    assert download.value.path().read_text().count("\n") == 5
    assert violations(page) == []
    picture(page, "annotators")


def pace_seen(page: Page, project: str) -> None:
    opened(page, project, "Your pace")
    expect(page.get_by_role("row", name=re.compile("^Round 1"))).to_contain_text("8")
    expect(page.locator("main")).to_contain_text("16 items, answered or skipped")
    assert violations(page) == []
    picture(page, "pace")


def everyone_answers(study: Study, said: dict[str, str]) -> None:
    order: list[str] = []
    for person, letters in zip(study.annotators, said.values(), strict=True):
        answer(person, study.id, letters, order)


def answer(person: Person, project: str, letters: str, order: list[str]) -> None:
    """Whoever comes first fixes the order of the items."""
    window = person.get(f"projects/{project}/next/?ahead=3")
    while window["assignments"]:
        assignment = window["assignments"][0]
        item = assignment["item"]["external_id"]
        if item not in order:
            order.append(item)
        body = {
            "client_id": str(uuid4()),
            "base_revision": 0,
            "answers": ANSWERS[letters[order.index(item)]],
            "spans": [],
            "comment": "",
            "context_opened": "sentence",
            "active_ms": 4000,
            "wall_ms": 5000,
        }
        window = person.post(f"assignments/{assignment['id']}/annotations/", body)["refill"]


def first_round_seen(page: Page) -> None:
    confusions_seen(page, page.get_by_role("region", name="Confusion of labels"))
    shares_seen(page.get_by_role("region", name="How often each annotator gives each label"))
    majority_seen(page.get_by_role("region", name="Each annotator against the others"))


def confusions_seen(page: Page, card: Locator) -> None:
    """Ann and Ben: YY on items 1 to 3, YN on 4, NN on 5 and 6, NY on 7, both unsure of 8."""
    expect(card).to_contain_text(
        "Of all 24 pairs of answers to the same item, most confused: “Yes” with “No” (6), “No” with “Can’t tell” (2)."
    )
    rows = card.get_by_role("group", name="Ann – Ben, 8 items").get_by_role("row")
    expect(rows.nth(1)).to_have_text(re.compile(r"^Yes\s*3 37\.5 %\s*1 12\.5 %\s*0 0\.0 %\s*4$"))
    expect(rows.nth(2)).to_have_text(re.compile(r"^No\s*1 12\.5 %\s*2 25\.0 %\s*0 0\.0 %\s*3$"))
    expect(rows.nth(3)).to_have_text(re.compile(r"^Can’t tell\s*0 0\.0 %\s*0 0\.0 %\s*1 12\.5 %\s*1$"))
    with page.expect_download() as download:
        card.get_by_role("link", name="CSV").click()
    lines = Path(download.value.path()).read_text().splitlines()
    assert lines[1:4] == [f"all,1,opinion,1,Ann,Ben,yes,{said}" for said in ("yes,3", "no,1", "ambiguous,0")]


def shares_seen(card: Locator) -> None:
    """Cleo says no on 5 of 8; of the same items the others do on 0, 0, 0, 1/2, 1, 1, 1/2, 0: 3/8. Differences of 1,
    1/2, -1/2, 1 and four of 0: se^2 = (5/2 - 8/16) / (7 * 8) = 1/28."""
    expect(card).to_contain_text("Too early to compare: nobody has 20 items yet that others answered too.")
    card.get_by_text("The numbers").click()
    cleo = card.get_by_role("row", name=re.compile("^Cleo"))
    expect(cleo.get_by_role("cell").nth(3)).to_have_text(re.compile(r"62\.5 % \(5\)\s*\+25\.0 ± 18\.9"))


def majority_seen(card: Locator) -> None:
    """Majorities Y Y Y N N N Y; item 8's is not a class. Ann misses 4 and 7, Cleo 3.

    The two others agree, for Ann on all of these but 3, for Ben on 1, 2, 5, 6, for Cleo on these and 3.
    """
    expect(card).to_contain_text("Lowest annotator: 66.7 % (Ann). Highest: 100.0 % (Ben).")
    expect(card).to_contain_text("Lowest annotator: 71.4 % (Ann). Highest: 100.0 % (Ben).")
    cleo = card.get_by_role("row", name=re.compile("^Cleo"))
    expect(cleo.nth(0)).to_have_text(re.compile(r"^Cleo\s*80\.0 %.*4 of 5"))
    expect(cleo.nth(1)).to_have_text(re.compile(r"^Cleo\s*85\.7 %.*6 of 7"))


def batches_seen(page: Page) -> None:
    """Round 1: 11 Y, 11 N, 2 A; items 3, 4, 7 and 8 disagree by 2 each: alpha = 1 - 23 * 8 / (576 - 121 - 121 - 4)."""
    card = page.get_by_role("region", name="Agreement by batch")
    expect(card.locator(".chart svg")).to_be_visible(timeout=15_000)
    card.get_by_text("The numbers").click()
    expect(card.get_by_role("row", name=re.compile("^Round 1"))).to_contain_text("0.44")
    expect(card.get_by_role("row", name=re.compile("^Round 2"))).to_contain_text("1.00")
    expect(card).to_contain_text("A trend takes three batches with a value.")
    card.get_by_label("Coefficient").select_option("Percent agreement")
    # 16 of 24 pairs of answers.
    expect(card.get_by_role("row", name=re.compile("^Round 1"))).to_contain_text("66.7 %")
    card.get_by_label("Whose agreement").select_option("Ann – Ben")
    expect(card.get_by_role("img", name=re.compile("Percent agreement: Round 1: 75 %"))).to_be_visible()
