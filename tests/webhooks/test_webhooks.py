"""Webhooks, sent to a real server: what they say, when they are sent again, and where they never go."""

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from rest_framework.test import APIClient

from annotation_app import jobs
from annotation_app.models import Delivery, Membership, Release, Round, User, Webhook
from annotation_app.projects.lifecycle import project_archive
from annotation_app.webhooks import sending
from annotation_app.webhooks.destinations import is_outside
from annotation_app.webhooks.finding import deliveries_find
from annotation_app.webhooks.sending import WAITS_MINUTES, deliveries_due, delivery_send
from annotation_app.webhooks.services import MOST_TESTS, MOST_WEBHOOKS
from tests.assignment.batches import open_batch
from tests.conftest import People
from tests.labels import YES, label_batch
from tests.rounds.second_looks import of_round
from tests.webhooks.receiver import Receiver, receiver

ClientOf = Callable[[Membership | User], APIClient]
ALL = ["batch_complete", "release_made", "round_done"]


@pytest.fixture
def told(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOKS_INSIDE = True
    with receiver() as server:
        yield server


@pytest.fixture
def admin(people: People, client_of: ClientOf) -> APIClient:
    return client_of(people.admin)


def guide_check() -> Callable[[str, dict[str, str], bytes], bool]:
    """The function that the guide gives to receivers."""
    guide = (Path(__file__).parents[2] / "docs" / "guide" / "webhooks.md").read_text()
    names: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.*?)```", guide, re.DOTALL)[0], names)
    checked: Callable[[str, dict[str, str], bytes], bool] = names["is_from_quorum"]
    return checked


def made(admin: APIClient, people: People, url: str, events: list[str] = ALL) -> Any:
    body = {"url": url, "events": events}
    return admin.post(f"/api/projects/{people.project.uuid}/webhooks/", body, format="json")


def listed(admin: APIClient, people: People) -> list[dict[str, Any]]:
    [webhook] = admin.get(f"/api/projects/{people.project.uuid}/webhooks/").json()
    return list(webhook["deliveries"])


def send_due() -> None:
    """What the light worker does: find what happened, and send what is due."""
    deliveries_find()
    for pk, _ in deliveries_due():
        jobs.webhook_send(pk)


def pass_time() -> None:
    Delivery.objects.filter(state="waiting").update(due_at=timezone.now() - timedelta(seconds=1))


def release_make(people: People, number: int) -> Release:
    return Release.objects.create(project=people.project, number=number, state="done", content_hash="f" * 64)


def test_a_release_is_told_once_and_signed(people: People, admin: APIClient, told: Receiver) -> None:
    release_make(people, 1)
    secret = made(admin, people, told.url).json()["secret"]
    release = release_make(people, 2)
    for _ in range(3):
        send_due()
    [(path, headers, body)] = told.came
    assert path == "/quorum?for=board"
    check = guide_check()
    assert check(secret, headers, body)
    assert not check(secret, headers, body + b" ") and not check("another", headers, body)
    assert not check(secret, {**headers, "Quorum-Timestamp": str(int(time.time()) - 1)}, body)
    said = json.loads(body)
    assert said.pop("created_at") and said.pop("id") == headers["Quorum-Delivery"]
    assert said == {
        "event": "release_made",
        "project": str(people.project.uuid),
        "release": {"id": str(release.uuid), "number": 2, "content_hash": "f" * 64},
    }
    [delivery] = listed(admin, people)
    assert (delivery["state"], delivery["status"], delivery["next_at"], delivery["problem"]) == ("sent", 200, None, "")
    assert "secret" not in str(admin.get(f"/api/projects/{people.project.uuid}/webhooks/").json())


def test_a_batch_is_told_when_the_last_answer_is_in_without_texts_or_labels(
    people: People, admin: APIClient, told: Receiver
) -> None:
    batch = open_batch(people.project, people.annotators[:1], size=2)
    made(admin, people, told.url, ["batch_complete"])
    send_due()
    assert told.came == []
    label_batch(batch, lambda member, item: YES)
    send_due()
    [(_, _, body)] = told.came
    about = {"id": str(batch.uuid), "kind": batch.kind, "number": batch.number, "n_items": 2, "n_done": 2}
    assert json.loads(body)["batch"] == about
    texts = batch.batch_items.values_list("item__external_id", flat=True)
    assert not any(each in body.decode() for each in [*texts, "opinion", '"yes"', '"no"'])


def test_a_round_is_told_when_its_batch_is_open_and_each_time_that_it_failed(
    people: People, admin: APIClient, told: Receiver
) -> None:
    row = of_round(people, open_batch(people.project, people.annotators[:1], size=1))
    Round.objects.filter(pk=row.pk).update(state="training")
    made(admin, people, told.url, ["round_done"])
    for state, attempt in (("failed", 1), ("training", 2), ("failed", 2), ("annotating", 3), ("complete", 3)):
        Round.objects.filter(pk=row.pk).update(state=state, attempt=attempt)
        send_due()
    assert [json.loads(body)["round"]["state"] for _, _, body in told.came] == ["failed", "failed", "open"]


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_is_not_taken_is_sent_again_after_growing_pauses_with_the_same_id(
    status: int, people: People, admin: APIClient, told: Receiver
) -> None:
    told.status = status
    made(admin, people, told.url)
    release_make(people, 1)
    pauses = []
    for _ in WAITS_MINUTES:
        send_due()
        send_due()
        row = Delivery.objects.exclude(state="past").get()
        pauses.append(round((row.due_at - timezone.now()).total_seconds() / 60))
        pass_time()
    send_due()
    assert pauses == list(WAITS_MINUTES) == sorted(WAITS_MINUTES)
    assert len({headers["Quorum-Delivery"] for _, headers, _ in told.came}) == 1
    assert [path for path, _, _ in told.came] == ["/quorum?for=board"] * (len(WAITS_MINUTES) + 1)
    [given_up] = listed(admin, people)
    assert (given_up["state"], given_up["status"], given_up["next_at"]) == ("failed", status, None)
    assert given_up["problem"] == f"The receiver answered {status}."
    told.status = 200
    again = admin.post(f"/api/deliveries/{given_up['id']}/again/").json()
    assert (again["id"], again["state"], again["attempts"]) == (given_up["id"], "waiting", 0)
    send_due()
    assert listed(admin, people)[0]["state"] == "sent"
    assert told.came[-1][1]["Quorum-Delivery"] == given_up["id"]


def test_nobody_listening_is_told_in_words(people: People, admin: APIClient, settings: Any) -> None:
    settings.WEBHOOKS_INSIDE = True
    with receiver() as gone:
        url = gone.url
    made(admin, people, url)
    release_make(people, 1)
    send_due()
    [delivery] = listed(admin, people)
    assert delivery["state"] == "waiting" and delivery["status"] is None and "refused" in delivery["problem"]


def test_a_receiver_that_answers_a_byte_at_a_time_holds_no_worker(
    people: People, admin: APIClient, told: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "WHOLE_SECONDS", 0.6)
    told.drip = 0.2
    made(admin, people, told.url)
    release_make(people, 1)
    begun = time.monotonic()
    send_due()
    assert time.monotonic() - begun < 5
    assert listed(admin, people)[0]["state"] == "waiting"


def test_a_worker_that_is_lost_after_the_sending_sends_again_with_the_same_id(
    people: People, admin: APIClient, told: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(admin, people, told.url)
    release_make(people, 1)
    deliveries_find()
    with monkeypatch.context() as lost:
        lost.setattr(Delivery, "save", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        for pk, _ in deliveries_due():
            with pytest.raises(KeyboardInterrupt):
                delivery_send(delivery_id=pk)
    send_due()
    first, second = [headers["Quorum-Delivery"] for _, headers, _ in told.came]
    assert first == second


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_once(people: People, admin: APIClient, told: Receiver) -> None:
    told.wait = 0.5
    made(admin, people, told.url)
    release_make(people, 1)

    def work(_: int) -> None:
        try:
            send_due()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(told.came) == 1


def test_a_test_is_sent_and_there_are_so_many_in_an_hour(people: People, admin: APIClient, told: Receiver) -> None:
    made(admin, people, told.url)
    url = f"/api/webhooks/{Webhook.objects.get().uuid}/test/"
    assert [admin.post(url).status_code for _ in range(MOST_TESTS + 1)] == [201] * MOST_TESTS + [409]
    send_due()
    assert {json.loads(body)["event"] for _, _, body in told.came} == {"test"}
    assert len({headers["Quorum-Delivery"] for _, headers, _ in told.came}) == MOST_TESTS


def test_an_archived_project_tells_nothing_and_a_removed_webhook_neither(
    people: People, admin: APIClient, told: Receiver
) -> None:
    made(admin, people, told.url)
    release_make(people, 1)
    deliveries_find()
    project_archive(project=people.project, actor=people.admin.user)
    send_due()
    assert told.came == []
    assert admin.post(f"/api/projects/{people.project.uuid}/restore/").status_code == 200
    assert admin.post(f"/api/webhooks/{Webhook.objects.get().uuid}/remove/").status_code == 204
    send_due()
    assert (told.came, Delivery.objects.count()) == ([], 0)


def test_a_project_has_so_many_at_most(people: People, admin: APIClient, told: Receiver) -> None:
    statuses = [made(admin, people, told.url).status_code for _ in range(MOST_WEBHOOKS + 1)]
    assert statuses == [201] * MOST_WEBHOOKS + [400]


# Where they never go


INSIDE = [
    "http://127.0.0.1:5432/",
    "http://localhost/",
    "http://0.0.0.0/",
    "http://10.1.2.3/",
    "http://192.168.0.1/",
    "http://172.16.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://100.64.0.1/",
    "http://[::1]/",
    "http://[fd00::1]/",
    "http://[fec0::1]/",
    "http://168.63.129.16/",
    "http://[::ffff:168.63.129.16]/",
    "http://[fe80::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://224.0.0.1/",
]


@pytest.mark.parametrize("url", INSIDE)
def test_an_address_inside_is_refused(url: str, people: People, admin: APIClient) -> None:
    answer = made(admin, people, url)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["url"])
    assert "own network" in answer.json()["errors"]["url"][0]
    assert Webhook.objects.count() == 0


@pytest.mark.parametrize(
    "url",
    [
        "example.org",
        "ftp://example.org/",
        "file:///etc/passwd",
        "https://user:word@example.org/",
        "https://example.org/#part",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nX: y",
        "https://[::1/",
        "https://no-such-host.invalid/",
    ],
)
def test_what_is_no_address_is_refused_in_words(url: str, people: People, admin: APIClient) -> None:
    answer = made(admin, people, url)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["url"])


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "64:ff9b::5db8:d70e"])
def test_public_addresses_are_outside(address: str) -> None:
    assert is_outside(address)


def name_of(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    """Let names mean these addresses."""
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **options: Any) -> Any:
        if host == "receiver.example":
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]
        return real(host, port, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def test_a_name_that_leads_inside_later_is_not_followed(
    people: People, admin: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with receiver() as told:
        name_of(monkeypatch, "93.184.215.14")
        assert made(admin, people, f"http://receiver.example:{told.port}/").status_code == 201
        release_make(people, 1)
        name_of(monkeypatch, "127.0.0.1")
        send_due()
        assert told.came == []
    [delivery] = listed(admin, people)
    assert delivery["state"] == "waiting" and "own network" in delivery["problem"]


def test_a_name_with_one_address_inside_is_refused_whole(
    people: People, admin: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    name_of(monkeypatch, "93.184.215.14", "10.0.0.1")
    assert made(admin, people, "http://receiver.example/").status_code == 400


def test_it_connects_to_the_address_that_was_checked_in_the_name_of_the_host(
    people: People, admin: APIClient, told: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[Any] = []
    name_of(monkeypatch, "127.0.0.1")
    known = socket.getaddrinfo

    def look_up(host: Any, *args: Any, **options: Any) -> Any:
        looked_up.append(host)
        return known(host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    made(admin, people, f"http://receiver.example:{told.port}/")
    release_make(people, 1)
    looked_up.clear()
    send_due()
    [(_, headers, _)] = told.came
    assert headers["Host"] == f"receiver.example:{told.port}"
    assert looked_up.count("receiver.example") == 1
