"""A person who did all that people do is made anonymous: no name and no text is left, and every label."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import CharField, Field, JSONField, TextField
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.agreement.selectors import agreement_table
from annotation_app.export.options import ExportOptions
from annotation_app.export.stream import export_open
from annotation_app.models import (
    AddressLink,
    Adjudication,
    Annotation,
    ApiToken,
    Assignment,
    CodebookNote,
    EquivalenceEvaluation,
    EquivalenceReview,
    Event,
    FactoidItem,
    FactoidList,
    FactoidRevision,
    Flag,
    FlagMessage,
    Identity,
    Invite,
    Mail,
    Membership,
    PasswordLink,
    Scope,
    Session,
    SetText,
    Span,
    TextSet,
    User,
    Validation,
)
from annotation_app.personal_data.holdings import HOLDINGS, NEVER
from annotation_app.personal_data.removals import DELETED, REMOVED, SPAN_TEXTS, STAYS, TEXTS
from annotation_app.projects.api_tokens import token_create
from annotation_app.projects.lifecycle import project_transfer
from tests.conftest import People
from tests.export.rows import labelled
from tests.stack import ROOT

USERNAME, NAME, ADDRESS = "quillfeather", "Quilla Feather-Stone", "quilla@feather.example"
SAID = "zyxxy"


def is_text(field: "Field[Any, Any]") -> bool:
    free = isinstance(field, TextField | CharField | JSONField | ArrayField) and not field.choices
    return free and field.name not in NEVER


def test_every_text_of_a_person_is_said_to_go_or_to_stay() -> None:
    known = set(STAYS) | {(name, field) for texts in (TEXTS, SPAN_TEXTS) for name in texts for field in texts[name]}
    found = {
        (holding.model, field.name)
        for holding in HOLDINGS
        # Of these the export has the name and the time only: their content is the project's.
        if (not holding.only or holding.model in ("Project", "ItemAct")) and holding.model not in ("User", *DELETED)
        for field in apps.get_model("annotation_app", holding.model)._meta.concrete_fields
        if is_text(field)
    }
    assert found - known == set()
    assert known - found == set()
    # Every column of an account is emptied or says nothing of the person.
    texts = {field.name for field in User._meta.concrete_fields if is_text(field)}
    assert texts == {"username", "first_name", "last_name", "email", "display_name", "time_zone"}


def everything_done(people: People, client_of: Callable[[Membership], APIClient]) -> User:
    """What an annotator labelled, wrote, was sent, and signed in with."""
    labelled(people)
    charlie, project = people.annotators[2], people.project
    user = charlie.user
    user.username, user.display_name, user.email, user.time_zone = USERNAME, NAME, ADDRESS, "Europe/Oslo"
    user.save()
    Annotation.objects.filter(assignment__annotator=charlie).update(comment=f"{SAID} comment", body_hash="a" * 64)
    Annotation.objects.filter(assignment__annotator=charlie).exclude(skip_reason="").update(skip_reason=f"{SAID} skip")
    annotation = Annotation.objects.filter(assignment__annotator=charlie).latest("pk")
    Span.objects.create(
        annotation=annotation, place=0, start=0, end=3, quote="abc", category="c", comment=f"{SAID} span {NAME}"
    )
    flag = Flag.objects.create(assignment=annotation.assignment, note=f"{SAID} flag", client_id=uuid4())
    FlagMessage.objects.create(flag=flag, author=charlie, words=f"{SAID} message", client_id=uuid4())
    note = CodebookNote.objects.create(codebook=annotation.codebook, words="Count irony.", published_by=charlie)
    FlagMessage.objects.create(flag=flag, author=charlie, words="Count irony.", note=note)
    place = annotation.assignment.batch_item
    Adjudication.objects.create(
        batch_item=place,
        revision=9,
        client_id=uuid4(),
        body_hash="b" * 64,
        adjudicator=charlie,
        source="consensus",
        withdraws=True,
        reason=f"{SAID} reason",
    )
    Validation.objects.create(
        batch_item=place,
        revision=9,
        client_id=uuid4(),
        body_hash="c" * 64,
        validator=charlie,
        decision="reopened",
        reason=f"{SAID} reason",
    )
    text_set = TextSet.objects.create(project=project, name="Set", created_by=people.admin.user)
    text = SetText.objects.create(text_set=text_set, external_id="t1", position=1)
    factoids = FactoidList.objects.create(text_set=text_set, owner=charlie)
    FactoidRevision.objects.create(
        factoid_list=factoids,
        revision=1,
        client_id=uuid4(),
        body_hash="2" * 64,
        kind="decide",
        item={"id": "F1", "before": None, "after": {"is_there": True, "note": f"{SAID} note"}},
        created_by=user,
    )
    FactoidItem.objects.create(
        factoid_list=factoids, key=uuid4(), set_text=text, is_there=True, note=f"{SAID} note", decided_by=user
    )
    evaluation = EquivalenceEvaluation.objects.create(project=project, position=1, created_by=user)
    EquivalenceReview.objects.create(
        evaluation=evaluation,
        revision=1,
        class_key=uuid4(),
        client_id=uuid4(),
        decision="returned",
        note=f"{SAID} note",
        made_by=user,
    )
    client_of(charlie).get("/api/me/")
    token_create(member=charlie, name=f"{USERNAME}s-script", scope=Scope.READ, days=1)
    Identity.objects.create(user=user, issuer="https://login.example", subject="subject-7731", name=ADDRESS)
    soon = timezone.now() + timedelta(days=1)
    PasswordLink.objects.create(user=user, token_hash="d" * 64, expires_at=soon)
    AddressLink.objects.create(user=user, address=ADDRESS, token_hash="e" * 64, expires_at=soon)
    invited: dict[str, Any] = {"project": project, "role": "annotator", "created_by": people.admin.user}
    used = Invite.objects.create(**invited, note=f"For {NAME}", token_hash="f" * 64, expires_at=soon, used_by=user)
    Invite.objects.create(**invited, address=ADDRESS, token_hash="1" * 64, expires_at=soon)
    Mail.objects.create(purpose="invitation", address="other@feather.example", invite_id=used.pk)
    Mail.objects.create(purpose="text", address=ADDRESS.title(), subject=f"To {NAME}")
    AccessAttempt.objects.create(
        username=USERNAME, ip_address="127.0.0.1", user_agent="Browser", failures_since_start=1
    )
    Membership.objects.filter(pk=charlie.pk).update(role="admin")
    project_transfer(project=project, actor=people.admin.user, member_uuid=charlie.uuid)
    project_transfer(project=project, actor=user, member_uuid=people.admin.uuid)
    Membership.objects.filter(pk=charlie.pk).update(role="annotator")
    Event.objects.create(
        project=project, verb="items_handed_over", data={"to": str(charlie.uuid), "to_name": NAME, "items": 2}
    )
    return user


def words_of_the_database() -> Iterator[str]:
    """Every row of every table, also of those that are none of ours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" t')
            yield from (f"{table}: {row}" for (row,) in cursor.fetchall())


def left_of(*words: str) -> list[str]:
    return [row for row in words_of_the_database() for word in words if word.lower() in row.lower()]


def exported(people: People) -> list[dict[str, Any]]:
    """The annotations as a release has them, without what people wrote."""
    options = ExportOptions(project=people.project)
    text = b"".join(export_open(kind="annotations", options=options)).decode()
    rows = [json.loads(line) for line in text.split("\n")[:-1]]
    return [{name: row[name] for name in row if name not in ("comment", "skip_reason")} for row in rows]


def agreement(people: People) -> str:
    return repr(agreement_table(project=people.project, scope="all"))


@pytest.fixture
def user(people: People, client_of: Callable[[Membership], APIClient]) -> User:
    return everything_done(people, client_of)


@pytest.mark.django_db(transaction=True)
def test_no_name_and_no_text_is_left_and_every_label(people: People, user: User) -> None:
    before = exported(people), agreement(people), Assignment.objects.exclude(current=None).count()
    names = (USERNAME, NAME, ADDRESS, "quilla", "subject-7731")
    assert len(left_of(*names, SAID)) > 15
    call_command("person_anonymise", USERNAME, "--span-comments", "--yes")
    assert left_of(*names, SAID, "a" * 64, "b" * 64, "c" * 64, "2" * 64) == []
    assert (exported(people), agreement(people), Assignment.objects.exclude(current=None).count()) == before
    user.refresh_from_db()
    assert (user.is_active, user.has_usable_password(), user.display_name, user.time_zone) == (False, False, "", "")
    for model in (Session, ApiToken, Identity, PasswordLink, AddressLink, Mail):
        assert not model.objects.exists(), model
    # A skip stays one, and a note to everybody keeps its words.
    assert set(Annotation.objects.filter(assignment__annotator__user=user).values_list("comment", flat=True)) == {""}
    skips = Annotation.objects.filter(assignment__annotator__user=user).exclude(skip_reason="")
    assert list(skips.values_list("skip_reason", flat=True)) == [REMOVED]
    assert list(FlagMessage.objects.order_by("pk").values_list("words", flat=True)) == [REMOVED, "Count irony."]
    assert FactoidRevision.objects.get().item == {"id": "F1", "before": None, "after": {"is_there": True, "note": ""}}
    # The invitation to the address would let in anybody who has the link.
    assert not Invite.objects.filter(used_by=None, revoked_at=None).exists()
    lines = Event.objects.filter(verb="person_anonymised")
    assert [(line.actor, line.data) for line in lines] == [(None, {})] * 2
    transfers = list(Event.objects.filter(verb="project_transferred").order_by("pk").values_list("data", flat=True))
    assert transfers == [{"old": transfers[0]["old"], "to": user.username}, {"old": user.username, "to": "Ada"}]


@pytest.mark.django_db(transaction=True)
def test_a_trial_tells_what_would_go_and_changes_nothing(
    people: People, user: User, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(words_of_the_database())
    call_command("person_anonymise", USERNAME)
    told = capsys.readouterr().out
    assert sorted(words_of_the_database()) == before
    assert "Nothing was changed. Do it with --yes" in told
    assert "Annotation.comment: " in told
    # The comment of a span stays unless it is asked for, and names the person.
    assert "still stands in rows of these tables:\n  Span: 1\n" in told
    call_command("person_anonymise", USERNAME, "--yes")
    assert len(left_of(SAID)) == len(left_of(NAME)) == Span.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_others_keep_what_they_wrote(people: People, user: User) -> None:
    bob = people.annotators[1]
    Annotation.objects.filter(assignment__annotator=bob).update(comment="Bob's own", body_hash="9" * 64)
    call_command("person_anonymise", USERNAME, "--yes")
    kept = Annotation.objects.filter(assignment__annotator=bob)
    assert set(kept.values_list("comment", "body_hash")) == {("Bob's own", "9" * 64)}
    bob.refresh_from_db()
    assert (bob.user.username, bob.user.is_active, bob.is_active) == ("bob", True, True)


@pytest.mark.django_db(transaction=True)
def test_it_refuses_where_somebody_must_take_over_first(people: People) -> None:
    for name, words in (("ada", "last admin of the project “Board”"), ("owner-of-board", "transfer it to another")):
        with pytest.raises(CommandError, match=words):
            call_command("person_anonymise", name, "--yes")
    User.objects.filter(username="bob").update(can_create_projects=True)
    with pytest.raises(CommandError, match="make another account first"):
        call_command("person_anonymise", "bob", "--yes")
    assert Membership.objects.filter(is_active=False).count() == 0
    assert User.objects.filter(username="bob", is_active=True).exists()


@pytest.mark.django_db(transaction=True)
def test_the_applications_role_cannot_do_it(people: People) -> None:
    def run(**given: str) -> subprocess.CompletedProcess[str]:
        env = {name: value for name, value in os.environ.items() if name != "DATABASE_OWNER_URL"} | given
        command = [sys.executable, "manage.py", "person_anonymise", "charlie", "--yes"]
        return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)

    name = connection.settings_dict["NAME"]
    app, owner = (f"{os.environ[key].rpartition('/')[0]}/{name}" for key in ("DATABASE_APP_URL", "DATABASE_OWNER_URL"))
    refused = run(DATABASE_URL=app)
    assert refused.returncode == 1
    assert "Nothing was changed. This needs the database role that owns the tables." in refused.stderr
    assert User.objects.filter(username="charlie").exists()
    done = run(DATABASE_URL=app, DATABASE_OWNER_URL=owner)
    assert done.returncode == 0, done.stderr
    assert not User.objects.filter(username="charlie").exists()
