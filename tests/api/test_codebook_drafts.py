"""The draft of a codebook that admins write together, and the comparison of any two versions."""

from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.codebook.templates import BY_KEY
from annotation_app.models import CodebookDraft, CodebookVersion, Event, Membership
from tests.conftest import People
from tests.factories import make_member, publish

pytestmark = pytest.mark.django_db
ClientOf = Callable[[Membership], APIClient]


@pytest.fixture
def admins(people: People, client_of: ClientOf) -> tuple[APIClient, APIClient]:
    return client_of(people.admin), client_of(make_member(people.project, "bea", "admin"))


def url(people: People, part: str = "codebook-draft/") -> str:
    return f"/api/projects/{people.project.uuid}/{part}"


def test_a_draft_is_kept_for_all_admins(people: People, admins: tuple[APIClient, APIClient]) -> None:
    ada, bea = admins
    assert bea.get(url(people)).json()["text"] is None
    kept = ada.put(url(people), {"text": '{"name": ', "base_revision": 0}, "json").json()
    assert (kept["revision"], kept["text"], kept["by"]) == (1, '{"name": ', "Ada")
    assert bea.get(url(people)).json() == kept


def test_a_browser_that_has_the_draft_is_not_sent_it_again(people: People, admins: tuple[APIClient, APIClient]) -> None:
    ada, bea = admins
    ada.put(url(people), {"text": "One", "base_revision": 0}, "json")
    known = {"If-None-Match": bea.get(url(people)).headers["ETag"]}
    again = bea.get(url(people), headers=known)
    assert (again.status_code, again.content) == (304, b"")
    ada.put(url(people), {"text": "Two", "base_revision": 1}, "json")
    assert bea.get(url(people), headers=known).json()["text"] == "Two"


def test_a_stale_text_is_refused_and_both_texts_stay(people: People, admins: tuple[APIClient, APIClient]) -> None:
    ada, bea = admins
    ada.put(url(people), {"text": "Ada's", "base_revision": 0}, "json")
    refused = bea.put(url(people), {"text": "Bea's", "base_revision": 0}, "json")
    assert (refused.status_code, refused.json()["code"]) == (409, "stale")
    assert refused.json()["detail"].startswith("Ada changed the draft meanwhile")
    assert bea.get(url(people)).json()["text"] == "Ada's"
    # She has seen it now, and puts hers in its place.
    assert bea.put(url(people), {"text": "Bea's", "base_revision": 1}, "json").json()["revision"] == 2


def test_a_retry_of_a_lost_answer_changes_nothing(people: People, admins: tuple[APIClient, APIClient]) -> None:
    ada, _ = admins
    first, again = (ada.put(url(people), {"text": "Ada's", "base_revision": 0}, "json").json() for _ in range(2))
    assert first == again


def test_a_discarded_draft_cannot_be_brought_back_by_a_stale_page(
    people: People, admins: tuple[APIClient, APIClient]
) -> None:
    ada, bea = admins
    ada.put(url(people), {"text": "Ada's", "base_revision": 0}, "json")
    assert bea.post(url(people), {"base_revision": 1}, "json").json()["text"] is None
    assert ada.put(url(people), {"text": "Ada's, on", "base_revision": 1}, "json").status_code == 409
    verbs = Event.objects.filter(verb__startswith="codebook_draft").order_by("pk").values_list("verb", flat=True)
    assert list(verbs) == ["codebook_draft_begun", "codebook_draft_discarded"]


@pytest.mark.parametrize(("revision", "left"), [(1, None), (0, "Ada's"), (None, "Ada's")])
def test_saving_a_version_ends_the_draft_that_it_is(
    people: People, admins: tuple[APIClient, APIClient], revision: int | None, left: str | None
) -> None:
    ada, _ = admins
    ada.put(url(people), {"text": "Ada's", "base_revision": 0}, "json")
    sent = {"definition": BY_KEY["sentiment"].definition, "draft_revision": revision}
    assert ada.post(url(people, "codebooks/"), sent, "json").status_code == 201
    assert CodebookDraft.objects.get(project=people.project).text == left


def test_a_version_with_faults_leaves_the_draft(people: People, admins: tuple[APIClient, APIClient]) -> None:
    ada, _ = admins
    ada.put(url(people), {"text": "Ada's", "base_revision": 0}, "json")
    assert ada.post(url(people, "codebooks/"), {"definition": {}, "draft_revision": 1}, "json").status_code == 400
    assert CodebookDraft.objects.get(project=people.project).text == "Ada's"


def test_any_two_versions_are_compared(people: People, admins: tuple[APIClient, APIClient]) -> None:
    ada, _ = admins
    for name, prompt in (("A", "Is it?"), ("B", "Was it?"), ("C", "Was it?")):
        (stage,) = BY_KEY["blank"].definition["stages"]
        publish(people.project, {**BY_KEY["blank"].definition, "name": name, "stages": [{**stage, "prompt": prompt}]})
    path = url(people, "codebooks/changes/")
    from_a = ada.get(path, {"old": 2, "new": 4}).json()
    assert from_a == [
        {"path": "name", "words": "changed", "is_breaking": False},
        {"path": "stages.question.prompt", "words": "changed", "is_breaking": False},
    ]
    assert [change["path"] for change in ada.get(path, {"old": 4, "new": 3}).json()] == ["name"]
    unknown = ada.get(path, {"old": 2, "new": 9}).json()
    assert unknown == {"code": "no_version", "detail": "This project has no version 9 of its codebook."}
    older = publish(people.project, BY_KEY["blank"].definition)
    CodebookVersion.objects.filter(pk=older.pk).update(definition={})
    refused = ada.get(path, {"old": 2, "new": 5})
    assert (refused.status_code, refused.json()["code"]) == (409, "faulty")
