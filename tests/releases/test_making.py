"""How a release is made: of one moment, one at a time, whole or not at all."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.utils import InternalError

from annotation_app.agreement.selectors import agreement_table
from annotation_app.models import (
    AgreementCache,
    Event,
    Project,
    RecountQueue,
    Release,
)
from annotation_app.refusals import Refused
from annotation_app.releases import snapshot
from annotation_app.releases.errors import ReleaseFailed
from annotation_app.releases.services import release_here
from annotation_app.releases.snapshot import release_snapshot
from tests.conftest import People
from tests.export.rows import Labelled, labelled
from tests.floats import rounded
from tests.releases.made import late_answers, made

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def data(people: People) -> Labelled:
    return labelled(people)


def test_all_of_it_is_of_one_moment(data: Labelled, people: People) -> None:
    """While the files are written somebody submits an item and is done before agreement is read."""
    before = made(data.project)
    steps: list[str] = []

    def on_progress(step: str, fraction: float, rows: int) -> None:
        if step == "agreement":
            apart(lambda: late_answers(data, people))
        steps.append(step)

    during = release_here(project=data.project, on_progress=on_progress)
    assert (during.state, steps) == ("done", ["counting", "agreement", "card", "packing", "storing"])
    assert during.content_hash == before.content_hash
    after = made(data.project)
    assert (before.counts["annotations"], after.counts["annotations"]) == (10, 12)


def apart(act: Callable[[], None]) -> None:
    """On a connection of its own, committed before this returns."""

    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()


def test_agreement_can_be_counted_within_a_moment_and_is_not_kept(data: Labelled) -> None:
    outside = agreement_table(project=data.project, scope="majority")
    AgreementCache.objects.all().delete()
    with release_snapshot(data.project):
        within = agreement_table(project=data.project, scope="majority")
    assert rounded(within.rows) == rounded(outside.rows)
    assert not AgreementCache.objects.exists()


def test_it_gives_up_where_answers_come_too_fast(data: Labelled, monkeypatch: pytest.MonkeyPatch) -> None:
    place = data.batch.batch_items.first()
    assert place is not None

    def counted_and_answered(*, project: Project) -> None:
        RecountQueue.objects.create(batch_item=place.pk, batch=data.batch.pk)

    monkeypatch.setattr(snapshot, "patterns_refresh", counted_and_answered)
    release = release_here(project=data.project)
    assert release.state == "failed"
    assert "when fewer people label" in release.failure
    with pytest.raises(ReleaseFailed), release_snapshot(data.project):
        pass


def test_nothing_is_written_within_a_moment(data: Labelled) -> None:
    with pytest.raises(InternalError, match="read-only"), release_snapshot(data.project):
        Event.objects.create(project=data.project, verb="no")


def test_one_is_made_at_a_time_and_of_something(people: People) -> None:
    with pytest.raises(Refused, match="nothing to release") as empty:
        release_here(project=people.project)
    assert empty.value.code == "nothing_to_release"
    labelled(people)
    Release.objects.create(project=people.project, number=1)
    with pytest.raises(Refused, match="Release 1 is being made") as running:
        release_here(project=people.project)
    assert running.value.code == "release_running"
    # One that failed keeps its number.
    Release.objects.update(state="failed")
    assert made(people.project).number == 2


def test_two_at_once_get_one_release(data: Labelled) -> None:
    refused: list[str] = []
    with transaction.atomic():
        Project.objects.select_for_update(no_key=True).get(pk=data.project.pk)
        threads = [threading.Thread(target=both, args=(data.project, refused)) for _ in range(2)]
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    numbers = list(Release.objects.values_list("number", flat=True))
    # The second either saw the first at work, or came when it was done.
    assert len(numbers) + len(refused) == 2
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    assert set(refused) <= {"release_running"}


def both(project: Project, refused: list[str]) -> None:
    try:
        release_here(project=project)
    except Refused as error:
        refused.append(error.code)
    finally:
        connection.close()


def test_a_failure_is_told_and_leaves_nothing(data: Labelled, media: Path) -> None:
    """The storage cannot take it: a file lies where its folder should be."""
    media.mkdir()
    (media / "releases").write_text("In the way.")
    release = release_here(project=data.project)
    assert (release.state, release.path, release.content_hash) == ("failed", "", "")
    assert "could not finish it" in release.failure
    assert [path for path in media.rglob("*") if path.is_file()] == [media / "releases"]
    assert list((media / "runs" / "releases").iterdir()) == []
    event = Event.objects.get(verb="release_failed")
    assert (event.subject, event.data["number"]) == (str(release.uuid), 1)


def test_it_writes_to_the_audit_log(data: Labelled) -> None:
    release = made(data.project)
    events = Event.objects.filter(subject=str(release.uuid)).order_by("pk")
    assert [event.verb for event in events] == ["release_created", "release_done"]
    assert events[1].data == {"number": 1, "content_hash": release.content_hash}


def test_a_done_release_cannot_be_changed(data: Labelled) -> None:
    release = made(data.project)
    with pytest.raises(InternalError, match="cannot be changed"):
        Release.objects.filter(pk=release.pk).update(notes="Other.")
