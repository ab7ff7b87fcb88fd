"""Prompts: versions that never change, previews with an item's own values, and faults by line and column."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Batch, Event, Item, Membership, PromptVersion
from tests.conftest import People
from tests.factories import make_items

TEMPLATE = "Choose from {labels}.\n{examples}Context: {context}\nSentence: {sentence}"


@pytest.fixture
def admin(people: People, client_of: Callable[[Membership], APIClient]) -> APIClient:
    return client_of(people.admin)


def url(people: People, path: str = "") -> str:
    return f"/api/projects/{people.project.uuid}/prompts/{path}"


def preview(admin: APIClient, people: People, template: str = TEMPLATE, **given: Any) -> dict[str, Any]:
    sent = {"stage": "opinion", "template": template, **given}
    answer = admin.post(url(people, "preview/"), sent, "json")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def test_versions_are_counted_kept_and_never_changed(admin: APIClient, people: People) -> None:
    saved = {"stage": "opinion", "template": TEMPLATE, "base_number": 0}
    first = admin.post(url(people), saved, "json")
    assert (first.status_code, first.json()["number"]) == (201, 1)
    stale = admin.post(url(people), saved, "json")
    assert (stale.status_code, stale.json()["code"], stale.json()["number"]) == (409, "stale", 1)
    second = admin.post(url(people), {**saved, "template": "{labels}", "base_number": 1}, "json")
    assert second.json() == {"stage": "opinion", "number": 2, "template": "{labels}"}
    assert admin.get(url(people, "opinion/1/")).json()["template"] == TEMPLATE
    default = admin.get(url(people, "opinion/0/")).json()["template"]
    assert "Does the speaker give an opinion here?" in default
    for unknown in (3, 10**20):
        assert admin.get(url(people, f"opinion/{unknown}/")).status_code == 404
    assert admin.get(url(people, "mood/0/")).status_code == 404
    choices = admin.get(f"/api/projects/{people.project.uuid}/evaluations/choices/").json()
    prompts = {each["stage"]: each for each in choices["prompts"]}
    assert (prompts["opinion"]["number"], prompts["opinion"]["template"]) == (2, "{labels}")
    assert [each["number"] for each in prompts["opinion"]["versions"]] == [2, 1]
    assert (prompts["mp"]["number"], prompts["mp"]["template"]) == (0, prompts["mp"]["default_template"])
    assert [event.data["number"] for event in Event.objects.filter(verb="prompt_saved").order_by("pk")] == [1, 2]


def test_faults_are_named_by_line_and_column(admin: APIClient, people: People) -> None:
    sent = {"stage": "opinion", "template": "{labels}\n{mood}", "base_number": 0}
    refused = admin.post(url(people), sent, "json")
    assert refused.status_code == 400
    assert refused.json()["errors"]["template"][0].startswith("line 2, column 1: {mood} is no variable")
    found = preview(admin, people, "{labels}\n{mood}")
    assert (found["prompt"], found["faults"][0]["line"], found["faults"][0]["column"]) == (None, 2, 1)
    assert not PromptVersion.objects.exists()
    wrong = admin.post(url(people), {**sent, "stage": "mood"}, "json")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["stage"])


def test_a_preview_has_the_first_labelled_item_and_its_context(
    admin: APIClient, people: People, labelled: Batch
) -> None:
    found = preview(admin, people)
    assert found["item"]["external_id"] == "unanimous"
    assert found["prompt"] == (
        'Choose from ["yes", "no"].\nContext: Chair: Text of unanimous.\nSentence: Chair: Text of unanimous.'
    )
    item = Item.objects.get(external_id="majority")
    named = preview(admin, people, item=str(item.uuid))
    # The 200 words before the utterance, then the utterance itself.
    assert named["prompt"].endswith(
        "Context: Chair: Text of unanimous.\nChair: Text of majority.\nSentence: Chair: Text of majority."
    )
    # The sentence stands alone where the template shows no context.
    assert preview(admin, people, "{labels} {sentence}")["prompt"] == '["yes", "no"] Text of unanimous.'


def test_a_preview_warns_of_what_the_model_is_not_shown(admin: APIClient, people: People, labelled: Batch) -> None:
    assert preview(admin, people)["warnings"] == []
    bare = preview(admin, people, "{labels}")["warnings"]
    assert [warning.partition(" ")[0] for warning in bare] == ["{sentence}"]
    # People could open context for this question.
    mp = preview(admin, people, "{labels} {sentence}", stage="mp")["warnings"]
    assert [warning.partition(" ")[0] for warning in mp] == ["{context}"]
    saved = admin.post(url(people), {"stage": "opinion", "template": "{labels}", "base_number": 0}, "json")
    assert saved.status_code == 201


def test_a_preview_leads_from_item_to_item(admin: APIClient, people: People, labelled: Batch) -> None:
    shown = [preview(admin, people)]
    for _ in range(6):
        shown.append(preview(admin, people, item=shown[-1]["next_item"]))
    names = [each["item"]["external_id"] for each in shown]
    assert names == ["unanimous", "majority", "tie", "ambiguous", "closed", "context", "unanimous"]


def test_a_preview_shows_examples_of_other_items(admin: APIClient, people: People, labelled: Batch) -> None:
    prompt = preview(admin, people, examples=2)["prompt"]
    assert 'Sentence: Text of closed.\nLabel: "no"' in prompt
    assert prompt.count("Label:") == 2
    assert "Sentence: Text of unanimous.\nLabel:" not in prompt


def test_a_preview_takes_the_pool_where_nothing_is_labelled(admin: APIClient, people: People) -> None:
    nothing = {"item": None, "prompt": None, "faults": [], "warnings": [], "next_item": None}
    assert preview(admin, people) == nothing
    make_items(people.project, ["Nobody was given this."], document="pool")
    assert preview(admin, people)["item"]["external_id"] == "pool_0_1"
    elsewhere = make_items(people.outsider.project, ["Not here."], document="other")[0]
    sent = {"stage": "opinion", "template": TEMPLATE, "item": str(elsewhere.uuid)}
    assert admin.post(url(people, "preview/"), sent, "json").status_code == 404
