"""What every kind of export must do, whatever it writes. A new one is covered by being in KINDS."""

import csv
import io
import json
from collections.abc import Callable

import pytest
from rest_framework.test import APIClient

from annotation_app.export.kinds import KINDS, OPTIONS, TABLES, formats_of
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import Event, Membership
from tests.conftest import People
from tests.export.layers import at
from tests.export.rows import labelled
from tests.export.span_rows import mark, open_articles, span_codebook

pytestmark = pytest.mark.django_db(transaction=True)
ClientOf = Callable[[Membership], APIClient]
every_kind = pytest.mark.parametrize("kind", list(KINDS))
ARTICLE = "The Board cut rates 🎉.\r\nIt said so."
GIVEN = {"revisions": "all", "phase": "2", "of": "validated", "style": "angle", "random_state": "7"}


@pytest.fixture
def world(people: People) -> People:
    """A project with labelled sentences, and an article that two people marked."""
    labelled(people)
    alice, bob, _ = people.annotators
    (article,) = open_articles(people.project, span_codebook(people.project), [ARTICLE], [alice, bob], number=2)
    mark(
        article,
        alice,
        [at(ARTICLE, "The Board cut rates 🎉.", "std_sentence"), at(ARTICLE, "cut", "act", "Lower (it)")],
    )
    mark(article, bob, [at(ARTICLE, "It said so.", "std_sentence")])
    return people


def exported(options: ExportOptions, kind: str, written_as: str | None = None) -> bytes:
    return b"".join(export_open(kind=kind, options=options, written_as=written_as))


@every_kind
def test_it_counts_what_it_writes_before_it_writes(world: People, kind: str) -> None:
    export = export_open(kind=kind, options=ExportOptions(world.project))
    assert len(list(export.records)) == export.total > 0
    export.close()


@every_kind
def test_it_writes_utf8_lines_and_the_same_each_time(world: People, kind: str) -> None:
    text = exported(ExportOptions(world.project), kind)
    assert text.decode().endswith("\n") and text == exported(ExportOptions(world.project), kind)
    if KINDS[kind].format.name == "jsonl":
        assert all(isinstance(json.loads(line), dict) for line in text.decode().split("\n")[:-1])


@every_kind
def test_of_a_project_without_text_it_writes_a_head_at_most(people: People, kind: str) -> None:
    text = exported(ExportOptions(people.project), kind).decode()
    assert [line for line in text.splitlines() if line and not line.startswith("#")] == []


@every_kind
def test_it_names_people_only_where_names_are_asked_for(world: People, kind: str) -> None:
    for written_as in formats_of(kind):
        text = exported(ExportOptions(world.project), kind, written_as)
        assert not [name for name in (b"alice", b"bob") if name in text.lower()]


@every_kind
def test_it_is_written_to_the_audit_log_with_its_options(world: People, kind: str, client_of: ClientOf) -> None:
    url = f"/api/projects/{world.project.uuid}/export/"
    given = {name: GIVEN[name] for name in KINDS[kind].takes}
    answer = client_of(world.admin).get(url, {"kind": kind, **given})
    assert answer.status_code == 200
    b"".join(answer.streaming_content)
    told = Event.objects.get(verb="export_made").data
    assert told["kind"] == kind and {name: str(told[name]) for name in given} == given


@every_kind
def test_an_option_that_would_change_nothing_is_refused_by_its_name(
    world: People, kind: str, client_of: ClientOf
) -> None:
    url = f"/api/projects/{world.project.uuid}/export/"
    for name in set(OPTIONS) - set(KINDS[kind].takes):
        answer = client_of(world.admin).get(url, {"kind": kind, name: GIVEN[name]})
        assert (answer.status_code, set(answer.json()["errors"])) == (400, {name})
    assert not Event.objects.filter(verb="export_made").exists()


@every_kind
def test_it_is_for_admins(world: People, kind: str, client_of: ClientOf) -> None:
    url = f"/api/projects/{world.project.uuid}/export/"
    assert client_of(world.annotators[0]).get(url, {"kind": kind}).status_code == 403
    assert client_of(world.outsider).get(url, {"kind": kind}).status_code == 404


@pytest.mark.parametrize("kind", [kind for kind in KINDS if set(formats_of(kind)) & set(TABLES)])
def test_a_table_has_as_many_cells_in_each_row_as_in_its_head(world: People, kind: str) -> None:
    text = exported(ExportOptions(world.project), kind, "csv").decode()
    head, *rows = csv.reader(io.StringIO(text, newline=""))
    assert len(set(head)) == len(head) and rows and {len(row) for row in rows} == {len(head)}
