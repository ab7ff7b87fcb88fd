"""The first account of an installation, made in the browser by a link that the start prints."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app.demo.people import ADMIN
from annotation_app.models import Event, FirstLink, Mail, User
from annotation_app.projects.first_account import first_link_create
from tests.factories import make_user

ACCOUNT = {"username": "ada", "display_name": "Ada", "password": "four unrelated words"}


def made(token: str, **more: str) -> Any:
    body = {"token": token, **ACCOUNT, **more}
    return APIClient().post("/api/first-account/", body, format="json")


def looked_at(token: str) -> int:
    return int(APIClient().post("/api/first-account/link/", {"token": token}, format="json").status_code)


def awaits_first() -> bool:
    return bool(APIClient().get("/api/session/").json()["awaits_first"])


def test_the_link_makes_one_account_that_creates_projects_and_is_signed_in(db: None) -> None:
    token = first_link_create()
    assert (awaits_first(), looked_at(token)) == (True, 200)
    client = APIClient()
    answer = client.post("/api/first-account/", {"token": token, **ACCOUNT}, format="json")
    assert (answer.status_code, answer.json()["can_create_projects"]) == (200, True)
    assert client.post("/api/projects/", {"name": "Board"}, format="json").status_code == 201
    assert (awaits_first(), looked_at(token), made(token, username="eve").status_code) == (False, 409, 409)
    assert list(User.objects.values_list("username", flat=True)) == ["ada"]
    assert Event.objects.filter(verb="first_account_created").count() == 1


def test_a_poor_account_leaves_the_link_as_it_was(db: None) -> None:
    token = first_link_create()
    answer = made(token, password="short")
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["password"])
    assert made(token).status_code == 200


def test_a_newer_link_and_time_end_a_link(db: None) -> None:
    earlier, token = first_link_create(), first_link_create()
    assert (looked_at(earlier), looked_at(token)) == (409, 200)
    FirstLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert (looked_at(token), made(token).status_code) == (409, 409)


@pytest.mark.parametrize("way", ["can_create_projects", "is_superuser"])
def test_an_account_that_runs_the_server_ends_the_link_and_no_new_one_is_made(db: None, way: str) -> None:
    token = first_link_create()
    User.objects.filter(pk=make_user("olga").pk).update(**{way: True})
    assert (looked_at(token), made(token).status_code, first_link_create(), awaits_first()) == (409, 409, "", False)


def test_the_demo_and_whoever_was_switched_off_do_not_run_the_server(db: None) -> None:
    make_user(ADMIN)
    make_user("gone")
    User.objects.update(can_create_projects=True)
    User.objects.filter(username="gone").update(is_active=False)
    assert made(first_link_create()).status_code == 200


def test_a_mail_confirms_the_address_where_mail_is_sent(db: None, settings: Any) -> None:
    settings.EMAIL_URL = "smtp://127.0.0.1:1"
    assert made(first_link_create(), address="Ada@example.org").json()["address"] == ""
    assert list(Mail.objects.values_list("purpose", "address", "user__username")) == [
        ("address", "ada@example.org", "ada")
    ]


def test_the_command_prints_the_link_while_nobody_runs_the_server(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("first_link")
    link = next(line for line in capsys.readouterr().out.splitlines() if "#" in line)
    assert link.strip().startswith("http://") and "/first-account#" in link
    assert made(link.split("#")[1]).status_code == 200
    call_command("first_link")
    assert capsys.readouterr().out == ""


@pytest.mark.django_db(transaction=True)
def test_of_ten_who_use_the_link_at_once_one_gets_an_account() -> None:
    token = first_link_create()

    def use(number: int) -> int:
        try:
            return int(made(token, username=f"ada-{number}").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(10) as pool:
        assert sorted(pool.map(use, range(10))) == [200] + [409] * 9
    assert User.objects.count() == 1
