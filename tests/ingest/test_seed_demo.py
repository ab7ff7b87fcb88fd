"""manage.py seed_demo: three projects with their people, made once, also where only the first one is there."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation_app.demo.paths import CORPUS
from annotation_app.ingest.options import ImportOptions
from annotation_app.ingest.services import import_from_path
from annotation_app.management.commands.seed_demo import STAGES, demo_password
from annotation_app.models import (
    FactoidList,
    Import,
    Item,
    ItemSource,
    Membership,
    Project,
    SourceDocument,
    TextSet,
    User,
)
from annotation_app.projects.services import project_create

pytestmark = pytest.mark.django_db(transaction=True)
EVERYONE = ["demo-admin", "demo-anna", "demo-bruno", "demo-chloe", "demo-dora"]


@pytest.fixture(autouse=True)
def embedded(settings: Any) -> None:
    settings.EMBEDDED = True


def seed() -> str:
    out = io.StringIO()
    call_command("seed_demo", stdout=out)
    return out.getvalue()


def members_of(project: Project) -> list[tuple[str, str]]:
    return list(Membership.objects.filter(project=project).order_by("number").values_list("user__username", "role"))


def test_it_makes_its_projects_once() -> None:
    printed = seed()
    stages, spans, notes = Project.objects.order_by("pk")
    assert members_of(stages) == [("demo-admin", "admin"), *[(name, "annotator") for name in EVERYONE[1:4]]]
    assert members_of(spans) == [*members_of(stages), ("demo-dora", "adjudicator")]
    assert Item.objects.filter(project=stages, left_out="").count() == 692
    assert Item.objects.filter(project=spans, left_out="").count() == 8
    assert SourceDocument.objects.filter(project=spans).count() == 4
    assert ItemSource.objects.filter(item__project=spans).count() == 9
    assert members_of(notes) == [("demo-admin", "admin"), ("demo-anna", "annotator"), ("demo-dora", "adjudicator")]
    assert Item.objects.filter(project=notes, left_out="").count() == 60
    assert SourceDocument.objects.filter(project=notes).count() == 30
    lists = FactoidList.objects.filter(phase__closed_at=None, phase__kind="definition", text_set__project=stages)
    assert [
        (row.owner and row.owner.user.username, row.factoids.count()) for row in lists.order_by("owner__number")
    ] == [
        ("demo-anna", 9),
        ("demo-bruno", 12),
    ]
    assert TextSet.objects.get().texts.count() == 6
    assert spans.codebooks.get().definition["span_layer"]["target"] == "std_sentence"
    assert [line.split()[:2] for line in printed.splitlines()[1:]] == [[who, demo_password(who)] for who in EVERYONE]
    before = (Import.objects.count(), Item.objects.count(), Membership.objects.count(), User.objects.count())
    assert seed() == printed
    assert before == (Import.objects.count(), Item.objects.count(), Membership.objects.count(), User.objects.count())


def test_an_installation_with_the_first_project_gets_the_others() -> None:
    admin = User.objects.create_user(username="demo-admin", password=demo_password("demo-admin"))
    first = project_create(owner=admin, name=STAGES.name)
    import_from_path(project=first, actor=admin, path=CORPUS, options=ImportOptions(format="convokit"))
    seed()
    assert Project.objects.count() == 3
    assert first.imports.count() == 1
    assert members_of(first) == [("demo-admin", "admin")]


def test_its_accounts_are_switched_off_where_others_reach_it_and_on_again() -> None:
    seed()
    call_command("seed_demo", "--off")
    assert set(User.objects.values_list("username", "is_active")) == {(name, False) for name in EVERYONE}
    seed()
    assert set(User.objects.values_list("username", "is_active")) == {(name, True) for name in EVERYONE}


def test_it_makes_nothing_on_other_servers(settings: Any) -> None:
    settings.EMBEDDED = False
    with pytest.raises(CommandError, match="only on the servers"):
        seed()
    assert not User.objects.exists()
