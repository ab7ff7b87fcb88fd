"""A project renamed, archived, deleted with a grace period, restored, and really gone after it."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app import jobs
from annotation_app.aggregation.decision import AdjudicationBody
from annotation_app.aggregation.services import adjudication_submit
from annotation_app.agreement.selectors import agreement_table
from annotation_app.assignment.services import next_window
from annotation_app.evaluation.services import cause_mark, error_cause_take
from annotation_app.models import (
    Annotation,
    ErrorCause,
    ErrorMark,
    Evaluation,
    EvaluationFile,
    Event,
    GoldLabel,
    Interpretation,
    InterpretationFile,
    Item,
    LanguageModelApproval,
    Membership,
    Prediction,
    Project,
    ProjectDeletion,
    PromptVersion,
    RecountQueue,
    Release,
    Role,
    Round,
    RoundFile,
    User,
)
from annotation_app.projects.lifecycle import project_purge, purges_due
from annotation_app.projects.services import invite_create
from tests.api.routes import TABLE, filled, ids, interpretation_make, prediction_make
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import NO, YES, label_batch

__all__ = ["ids"]
pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]
READ = ("GET", "HEAD")
OF_EVALUATIONS: tuple[Any, ...] = (
    Evaluation,
    EvaluationFile,
    GoldLabel,
    Prediction,
    ErrorCause,
    ErrorMark,
    PromptVersion,
    LanguageModelApproval,
)
# What is no change of a project, or is what an archived one may do.
ALLOWED = {"session/", "projects/", "invites/accept/"} | {
    f"projects/<uuid:project_id>/{act}/" for act in ("archive", "restore", "delete", "copy")
}
# A token that somebody stole must end whatever the project's state is.
ALLOWED |= {"tokens/<uuid:token_id>/revoke/"}


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.RUNS_DIR = tmp_path / "media" / "runs"
    return tmp_path / "media"


@pytest.fixture
def admin(people: People, client_of: ClientOf) -> APIClient:
    return client_of(people.admin)


def url(people: People, act: str = "") -> str:
    return f"/api/projects/{people.project.uuid}/{act}"


def test_it_is_renamed_and_described(people: People, admin: APIClient) -> None:
    shown = admin.patch(url(people), {"name": " Stance ", "description": "Of a board"}, "json").json()
    assert (shown["name"], shown["description"]) == ("Stance", "Of a board")
    assert admin.patch(url(people), {"name": "  "}, "json").status_code == 400
    assert admin.patch(url(people), {}, "json").status_code == 400
    assert Event.objects.get(verb="project_changed").data == {
        "old": "Board",
        "name": "Stance",
        "fields": ["description", "name"],
    }


PATHS = sorted(key for key in TABLE if key[0] not in READ and key[1] not in ALLOWED and not key[1].startswith("me/"))


@pytest.mark.parametrize(("method", "path"), [key for key in PATHS if "<uuid:" in key[1]])
def test_every_change_of_an_archived_project_is_refused_in_words(
    method: str, path: str, people: People, client_of: ClientOf, ids: dict[str, uuid.UUID]
) -> None:
    Project.objects.filter(pk=people.project.pk).update(archived_at=timezone.now())
    own = path.startswith(("assignments/", "factoid-lists/<uuid:list_id>"))
    client = client_of(people.annotators[0] if own else people.admin)
    refused = client.generic(method, filled(path, ids), "{}", "application/json")
    assert refused.status_code == 409, refused.content
    assert refused.json()["code"] == ("closed" if own else "archived")
    assert "is archived" in refused.json()["detail"]


def test_an_archived_project_hands_nothing_out_and_comes_back_as_it_was(
    people: People, admin: APIClient, client_of: ClientOf
) -> None:
    open_batch(people.project, people.annotators, size=3)
    alice = client_of(people.annotators[0])
    held = alice.get(url(people, "next/")).json()["assignments"][0]["id"]
    _, token = invite_create(project=people.project, role=Role.ANNOTATOR, actor=people.admin.user)
    archived = admin.post(url(people, "archive/")).json()
    assert archived["archived_at"] is not None and archived["deletes_at"] is None
    window = alice.get(url(people, "next/")).json()
    assert (window["assignments"], window["state"]) == ([], "none")
    assert alice.get(url(people)).json()["archived_at"] is not None
    assert APIClient().get(f"/api/invites/{token}/").status_code == 409
    assert admin.get(url(people, "members/")).status_code == 200
    assert admin.post(url(people, "restore/")).json()["archived_at"] is None
    assert alice.get(url(people, "next/")).json()["assignments"][0]["id"] == held


def test_not_while_a_worker_is_at_work_on_it(people: People, admin: APIClient, ids: dict[str, uuid.UUID]) -> None:
    assert admin.post(url(people, "archive/")).json()["code"] == "busy"
    assert admin.post(url(people, "delete/"), {"name": "Board"}, "json").json()["code"] == "busy"
    assert not ProjectDeletion.objects.exists()


def test_deletion_takes_the_typed_name_and_waits(people: People, admin: APIClient, settings: Any) -> None:
    settings.DELETION_GRACE_DAYS = 30
    wrong = admin.post(url(people, "delete/"), {"name": "board"}, "json")
    assert (wrong.status_code, list(wrong.json()["errors"])) == (400, ["name"])
    shown = admin.post(url(people, "delete/"), {"name": "Board"}, "json").json()
    asked = ProjectDeletion.objects.get()
    assert shown["deletes_at"] and asked.purge_after - asked.asked_at > timedelta(days=29)
    assert purges_due() == [] and not project_purge(project_id=people.project.pk)
    assert admin.post(url(people, "restore/")).json()["deletes_at"] is None
    assert not ProjectDeletion.objects.exists() and Project.objects.filter(pk=people.project.pk).exists()


def test_the_database_itself_keeps_a_day_of_grace(people: People) -> None:
    with pytest.raises(DatabaseError, match="a day after"), transaction.atomic():
        ProjectDeletion.objects.create(
            project=people.project, asked_by=people.admin.user, purge_after=timezone.now() + timedelta(hours=1)
        )
    with connection.cursor() as cursor:
        cursor.execute("SELECT annotation_app_project_purge(%s)", [people.project.pk])
        assert cursor.fetchone() == (False,)


def everything(people: People) -> None:
    """Rows of most kinds: labels, decisions, agreement, files, a finished release."""
    batch = open_batch(people.project, people.annotators[:2], size=3)
    label_batch(batch, lambda member, item: YES if member == people.annotators[0] else NO)
    agreement_table(project=people.project, scope="all")
    row = Round.objects.create(
        project=people.project,
        number=1,
        state="annotating",
        strategy_asked="random",
        query_size=1,
        random_state=1,
        model="none",
        learning_stages=[],
        annotators_per_item=2,
        codebook=batch.codebook,
        created_by=people.admin.user,
    )
    row.annotators.set(people.annotators[:2])
    batch.round = row
    batch.save(update_fields=["round"])
    item = Item.objects.filter(project=people.project).first()
    assert item is not None
    body = AdjudicationBody(uuid.uuid4(), 0, {"opinion": "yes", "mp": "no"}, "Read again.")
    adjudication_submit(membership=people.admin, item_uuid=item.uuid, body=body)
    path = default_storage.save("rounds/scores.npy", ContentFile(b"1"))
    scratch = default_storage.path(f"runs/{row.uuid}/pool.jsonl")
    Path(scratch).parent.mkdir(parents=True)
    Path(scratch).write_text("the pool's texts")
    RoundFile.objects.create(round=row, name="scores", path=path, sha256="", size=1)
    evaluation(people, item)
    interpretation(people)
    Release.objects.create(
        project=people.project, number=1, state="done", path=default_storage.save("releases/1.zip", ContentFile(b"2"))
    )


def interpretation(people: People) -> None:
    """An interpretation with a file and a scratch folder."""
    row = interpretation_make(people)
    row.end(Interpretation.State.DONE)
    row.save()
    path = default_storage.save(f"interpretations/{row.uuid}/sources.jsonl", ContentFile(b"{}"))
    InterpretationFile.objects.create(interpretation=row, name="sources.jsonl", path=path, sha256="", size=2)
    scratch = Path(default_storage.path(f"runs/interpretations/{row.uuid}/sources.jsonl"))
    scratch.parent.mkdir(parents=True)
    scratch.write_text("the sources' texts")


def evaluation(people: People, item: Item) -> None:
    """A row in every table of evaluations, with a file and a scratch folder."""
    prediction = prediction_make(people, item)
    row = prediction.evaluation
    row.end(Evaluation.State.DONE)
    row.save()
    GoldLabel.objects.create(evaluation=row, item=item, stage="opinion", label="no")
    path = default_storage.save(f"evaluations/{row.uuid}/figures.json", ContentFile(b"{}"))
    EvaluationFile.objects.create(evaluation=row, name="figures.json", path=path, sha256="", size=2)
    scratch = Path(default_storage.path(f"runs/evaluations/{row.uuid}/gold.jsonl"))
    scratch.parent.mkdir(parents=True)
    scratch.write_text("the gold items' texts")
    cause, _ = error_cause_take(project=people.project, name="Irony", actor=people.admin.user)
    cause_mark(prediction=prediction, cause=cause, member=people.admin)
    PromptVersion.objects.create(
        project=people.project, stage="opinion", number=1, template="{labels}", created_by=people.admin.user
    )
    LanguageModelApproval.objects.create(
        project=people.project, model="small", destination="models.example", approved_by=people.admin.user
    )
    assert all(model.objects.exists() for model in OF_EVALUATIONS)


def test_after_the_grace_it_is_really_gone_and_nothing_else_is(people: People, admin: APIClient, media: Path) -> None:
    everything(people)
    other = open_batch(people.outsider.project, [people.outsider], size=2)
    next_window(membership=people.outsider, ahead=1)
    label_batch(other, lambda member, item: YES)
    users, kept = User.objects.count(), Annotation.objects.filter(assignment__batch_item__batch=other).count()
    assert admin.post(url(people, "delete/"), {"name": "Board"}, "json").status_code == 200
    ProjectDeletion.objects.update(purge_after=timezone.now() - timedelta(minutes=1))
    assert purges_due() == [(people.project.pk, 0)]
    pk = people.project.pk
    jobs.project_purge(pk)
    assert not Project.objects.filter(pk=pk).exists() and purges_due() == []
    assert [path for path in media.rglob("*") if path.is_file()] == []
    assert Annotation.objects.count() == kept == 2
    assert not any(model.objects.exists() for model in OF_EVALUATIONS)
    assert User.objects.count() == users
    assert not RecountQueue.objects.exclude(batch=other.pk).exists()
    assert not Event.objects.filter(project=pk).exists()
    assert Event.objects.get(verb="project_purged").data == {"name": "Board"}
    assert admin.get(url(people)).status_code == 404
    jobs.project_purge(pk)


def test_a_release_that_is_done_still_cannot_be_deleted_otherwise(people: People) -> None:
    release = Release.objects.create(project=people.project, number=1, state="done")
    with pytest.raises(DatabaseError, match="cannot be changed"), transaction.atomic():
        release.delete()
