"""The export of one person's data: every table with a person is listed, and nothing of others or secret is in it."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from rest_framework.test import APIClient

from annotation_app.models import Event, Membership, Scope, User
from annotation_app.personal_data.export import rows_of
from annotation_app.personal_data.holdings import HOLDINGS, LEFT_OUT
from annotation_app.projects.api_tokens import token_create
from tests.agreement.tables import at, fill
from tests.conftest import People


def test_every_foreign_key_to_a_person_is_listed() -> None:
    listed = {(each.model, way.split("__")[0]) for each in HOLDINGS for way in each.ways}
    found = {
        (model.__name__, field.name)
        for model in apps.get_app_config("annotation_app").get_models()
        for field in (*model._meta.concrete_fields, *model._meta.many_to_many)
        if field.related_model in (User, Membership)
    }
    assert found - listed - set(LEFT_OUT) == set()
    assert set(LEFT_OUT) <= found


def test_every_field_that_is_named_exists(people: People) -> None:
    for holding in HOLDINGS:
        list(rows_of(holding, people.admin.user))
        fields = {field.name for field in apps.get_model("annotation_app", holding.model)._meta.concrete_fields}
        assert set(holding.only) - {"uuid"} <= fields, holding.model


def test_it_has_what_is_the_persons_and_no_secret(
    people: People, tmp_path: Path, client_of: Callable[[Membership], APIClient]
) -> None:
    fill(people.project, people.annotators, at("opinion", {"i1": "YNN", "i2": "YNN"}))
    alice = people.annotators[0]
    client_of(alice).get("/api/me/")
    token, text = token_create(member=alice, name="script", scope=Scope.READ, days=1)
    target = tmp_path / "alice.zip"
    call_command("person_export", "alice", str(target))
    assert target.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(target) as archive:
        files: dict[str, Any] = {name: json.loads(archive.read(name)) for name in archive.namelist()}
        whole = "".join(archive.read(name).decode() for name in archive.namelist())
    assert [row["username"] for row in files["User.json"]] == ["alice"]
    assert [(row["stage"], row["label"]) for row in files["Answer.json"]] == [("opinion", "yes")] * 2
    assert {row["assignment__batch_item__item__external_id"] for row in files["Annotation.json"]} == {"i1", "i2"}
    assert [row["name"] for row in files["ApiToken.json"]] == ["script"]
    assert len(files["Session.json"]) == 1
    key = alice.user.sessions.get().session_key
    for secret in (token.token_hash, text, key, alice.user.password, "bob", "Bob"):
        assert secret not in whole
    line = Event.objects.get(verb="person_exported")
    assert (line.actor, line.subject, line.data) == (None, str(alice.user.uuid), {})
    with pytest.raises(CommandError, match="exists: name a new file"):
        call_command("person_export", "alice", str(target))
    assert zipfile.is_zipfile(target)
