"""Rules that hold however many admins act at one moment."""

from collections.abc import Callable
from pathlib import Path

import pytest
from rest_framework.test import APIClient

from annotation_app.models import Batch, ErrorCause, Evaluation, LanguageModelApproval, Membership, PromptVersion
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.evaluation.conftest import HOST, asked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ten(people: People, client_of: Callable[[Membership], APIClient]) -> Callable[..., list[int]]:
    """Ten of the same request at once; the statuses, sorted."""

    def send(path: str, body: object) -> list[int]:
        clients = [client_of(people.admin) for _ in range(10)]
        url = f"/api/projects/{people.project.uuid}/{path}"
        answers = at_once([lambda client=client: client.post(url, body, "json") for client in clients])
        return sorted(answer.status_code for answer in answers)

    return send


def test_no_more_start_than_may_wait(ten: Callable[..., list[int]], labelled: Batch, worker: object) -> None:
    assert ten("evaluations/", asked()) == [201] * 3 + [409] * 7
    assert sorted(Evaluation.objects.values_list("number", flat=True)) == [1, 2, 3]


def test_one_version_of_a_prompt_is_next(ten: Callable[..., list[int]]) -> None:
    saved = {"stage": "opinion", "template": "{labels}", "base_number": 0}
    assert ten("prompts/", saved) == [201] + [409] * 9
    assert PromptVersion.objects.count() == 1


def test_an_approval_and_a_cause_stand_once(ten: Callable[..., list[int]], models_file: Path) -> None:
    assert ten("language-models/small/approval/", {"destination": HOST}) == [201] * 10
    assert LanguageModelApproval.objects.count() == 1
    assert ten("error-causes/", {"name": "Irony"}) == [200] * 9 + [201]
    assert ErrorCause.objects.count() == 1
