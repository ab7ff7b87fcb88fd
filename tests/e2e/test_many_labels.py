"""A codebook of many labels, from its text in the editor to the last label, by keys alone; what admins see of it."""

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.axe import serious
from tests.e2e.conftest import Study
from tests.e2e.people import opened, picture, signed_in
from tests.loop.run import import_file, join, round_start, round_wait

pytestmark = pytest.mark.e2e

N_LABELS = 56
N_ITEMS = 6


def topics() -> dict[str, Any]:
    labels = [{"key": f"t{number}", "name": f"Topic {number}: a field of policy"} for number in range(1, N_LABELS + 1)]
    labels[41]["name"] = "Pensions and what retired people live on"
    stage = {"key": "topic", "title": "Topic", "prompt": "What is it about?", "labels": labels}
    return {"name": "Topics", "stages": [stage], "learning": {"stage": "topic"}}


def test_it_labels_by_keys_among_many_labels(browser: Browser, study: Study) -> None:
    name = f"{study.name} topics"
    project = study.admin.post("projects/", {"name": name, "codebook": "none"})["id"]
    ann, ben = study.annotators[:2]
    join(study.admin, [ann, ben], project)
    admin = signed_in(browser, study.stack, "admin")
    opened(admin, name, "Codebook")
    admin.get_by_role("button", name="JSON", exact=True).click()
    admin.get_by_label("Definition (JSON)").fill(json.dumps(topics()))
    admin.get_by_role("button", name="Save as a draft").click()
    admin.get_by_role("button", name="Publish version 1").first.click()
    admin.get_by_role("dialog").get_by_role("button", name="Publish version 1").click()
    expect(admin.get_by_role("heading", name="Topics")).to_be_visible()
    rows = "id,text\n" + "".join(f"i{n},Sentence number {n} of the speech.\n" for n in range(N_ITEMS))
    import_file(study.admin, project, "speech.csv", rows.encode(), format="csv")
    round_wait(study.admin, round_start(study.admin, project, "random", N_ITEMS, stages=("topic",))["id"])

    page = signed_in(browser, study.stack, "ann")
    opened(page, name)
    expect(page.get_by_role("group", name="Topic").get_by_role("button")).to_have_count(N_LABELS)
    picture(page, "many-labels")
    # By a word of its name.
    page.keyboard.press("Shift+F")
    page.keyboard.type("retired")
    expect(page.get_by_text(f"1 of {N_LABELS}. Enter takes the first one.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".stage-line")).to_contain_text("Pensions")
    page.keyboard.press("Enter")
    # By its own key, and the last one by arrows.
    expect(page.get_by_test_id("progress")).to_contain_text(f"1 of {N_ITEMS}")
    page.keyboard.press("w")
    expect(page.locator(".stage-line")).to_contain_text("Topic 2:")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("progress")).to_contain_text(f"2 of {N_ITEMS}")
    page.keyboard.press("Shift+F")
    for _ in range(N_LABELS):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".stage-line")).to_contain_text(f"Topic {N_LABELS}:")
    page.keyboard.press("Enter")
    for done in range(3, N_ITEMS):
        expect(page.get_by_test_id("progress")).to_contain_text(f"{done} of {N_ITEMS}")
        page.keyboard.press("q")
        page.keyboard.press("Enter")
    page.set_viewport_size({"width": 375, "height": 700})
    other = signed_in(browser, study.stack, "ben")
    opened(other, name)
    for done in range(N_ITEMS):
        expect(other.get_by_test_id("progress")).to_contain_text(f"{done} of {N_ITEMS}")
        other.keyboard.press("e")
        other.keyboard.press("Enter")

    for screen in ("Agreement", "Insights", "Report", "Disagreements"):
        admin.get_by_role("link", name=screen, exact=True).first.click()
        expect(admin.get_by_role("heading", name=screen, exact=True)).to_be_visible()
        admin.wait_for_load_state("networkidle")
        assert serious(admin) == []
        picture(admin, f"many-labels-{screen.lower()}")
    admin.get_by_role("link", name="Agreement", exact=True).first.click()
    admin.get_by_role("link", name="In detail").or_(admin.get_by_role("button", name="In detail")).click()
    table = admin.get_by_role("group", name=f"Ann – Ben, {N_ITEMS} items")
    # What neither of the two gave has no line: Pensions, 2, 56, 1 and 3 are left.
    expect(table.get_by_role("row")).to_have_count(1 + 5 + 1)
    expect(admin.get_by_text(f"{N_LABELS - 5} labels that neither of them gave are left out")).to_be_visible()
    picture(admin, "many-labels-detail")
    lines = study.admin.lines(f"projects/{project}/export/?kind=aggregated&format=jsonl")
    assert len(lines) == N_ITEMS
