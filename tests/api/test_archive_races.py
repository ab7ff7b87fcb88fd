"""Archiving against starting: whichever comes first, no job is left at work on a project that is read only."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_create
from annotation_app.models import Import, Project, Release, Round, Simulation
from annotation_app.projects.lifecycle import project_archive
from annotation_app.projects.writable import ProjectArchived
from annotation_app.refusals import Refused
from annotation_app.releases.services import release_create
from annotation_app.rounds.prototype import PrototypeSpec, prototype_open
from annotation_app.rounds.services import round_start
from annotation_app.rounds.spec import RoundSpec
from annotation_app.simulations.services import MAX_UNFINISHED, simulation_create
from tests.assignment.batches import at_once
from tests.conftest import People
from tests.factories import make_beat, make_items
from tests.rounds.conftest import own_storage, spec
from tests.simulations.conftest import files, ordinary, uploads

__all__ = ["files", "own_storage", "spec"]
pytestmark = pytest.mark.django_db(transaction=True)
Starts = dict[str, Callable[[], Any]]


@pytest.fixture
def starts(people: People, files: Any, spec: Callable[..., RoundSpec], own_storage: Any) -> Starts:
    """All that begins a job or a batch of a project, each ready to succeed but for the archive."""
    for queue in ("light", "models"):
        make_beat(queue)
    make_items(people.project, [f"Text {n}." for n in range(40)])
    who = {"project": people.project, "actor": people.admin.user}
    drawn = PrototypeSpec(size=5, random_state=1, annotators=(people.annotators[0].uuid,), annotators_per_item=1)
    csv = b"id,text\nnew-1,A new text.\n"
    return {
        "import": lambda: import_create(
            **who, upload=SimpleUploadedFile("new.csv", csv), options=ImportOptions(format="csv", unit="document")
        ),
        "simulation": lambda: simulation_create(**who, spec=ordinary(), source=uploads(files)),
        "release": lambda: release_create(**who),
        "round": lambda: round_start(**who, spec=spec()),
        "prototype": lambda: prototype_open(**who, spec=drawn),
    }


def at_work(model: Any) -> Any:
    return model.objects.filter(state__in=model.WORKING_STATES)


@pytest.mark.parametrize("kind", ["import", "simulation", "release", "round", "prototype"])
def test_nothing_starts_in_an_archived_project(kind: str, starts: Starts, people: People) -> None:
    """The services themselves refuse it, whoever calls them, and what they had stored is gone."""
    Project.objects.filter(pk=people.project.pk).update(archived_at=timezone.now())
    with pytest.raises(ProjectArchived):
        starts[kind]()
    for folder in ("imports", "simulations"):
        assert not default_storage.exists(folder) or not any(default_storage.listdir(folder)[1])
    assert not any(at_work(model).exists() for model in (Import, Simulation, Release, Round))


# What a job of each kind is once it is out of the next try's way; files of a simulation keep its row from deletion.
ENDED: dict[str, tuple[Any, str]] = {
    "import": (Import, Import.State.FAILED),
    "simulation": (Simulation, Simulation.State.CANCELLED),
    "round": (Round, Round.State.CANCELLED),
}


@pytest.mark.parametrize("kind", list(ENDED))
def test_of_an_archiving_and_a_start_at_once_one_is_refused(kind: str, starts: Starts, people: People) -> None:
    def tried(call: Callable[[], Any]) -> str:
        try:
            call()
        except Refused as error:
            return error.code
        return "done"

    def archive() -> None:
        project_archive(project=people.project, actor=people.admin.user)

    for _ in range(5):
        said = at_once([lambda: tried(archive), lambda: tried(starts[kind])])
        assert said in (["done", "archived"], ["busy", "done"])
        archived = Project.objects.get(pk=people.project.pk).archived_at is not None
        assert archived == (said[0] == "done")
        model, ended = ENDED[kind]
        assert at_work(model).exists() == (said[1] == "done")
        at_work(model).update(state=ended)
        Project.objects.filter(pk=people.project.pk).update(archived_at=None)


def test_commands_refuse_an_archived_project_as_pages_do(people: People, starts: Starts, tmp_path: Path) -> None:
    path = tmp_path / "new.csv"
    path.write_text("id,text\nnew-1,A new text.\n")
    Project.objects.filter(pk=people.project.pk).update(archived_at=timezone.now())
    with pytest.raises(CommandError, match="This project is archived"):
        call_command("import_corpus", people.project.name, str(path), "--unit", "document", stdout=io.StringIO())
    assert not at_work(Import).exists()


def test_of_ten_simulations_at_once_as_many_start_as_may(starts: Starts) -> None:
    def tried() -> str:
        try:
            starts["simulation"]()
        except Refused as error:
            return error.code
        return "started"

    said = at_once([tried] * 10)
    assert sorted(said) == ["started"] * MAX_UNFINISHED + ["too_many"] * (10 - MAX_UNFINISHED)
    assert Simulation.objects.count() == MAX_UNFINISHED
