"""Measure submit-and-next under load: items per second, and latency of the one request for each labelled item.

    python -m bench.submit                                     eight clients as fast as they can
    python -m bench.submit --k 3                               the same, each item for three of the eight
    python -m bench.submit --clients 20 --pause 4 --seconds 60 twenty people at human pace
    QUORUM_PASSWORD=... python -m bench.submit --url http://127.0.0.1:8000 --project ID --people anna,bruno

Without --url it starts servers of its own with the product's durability (fsync on) and the product's web server
command. Then it imports the demo text and opens one batch. Each client is a process with its own connection and
session, and answers every item through the open ones of the five stages. As the page does, it loads 40 items ahead, and
more when half of them are done; these requests count in the items per second, and not in the latencies. The run ends
after --items in all, after --seconds, or when the batch is used up.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from bench.own_servers import ROOT, run_inside

PASSWORD = "only-for-this-bench"
# Items that the page loads ahead.
AHEAD = 40
PATHS = (
    {"opinion": "no"},
    {"opinion": "yes", "mp": "no"},
    {
        "opinion": "yes",
        "mp": "yes",
        "mp_context": "utterance",
        "stance_nli": "neutral",
        "stance_nli_context": "sentence",
    },
)


@dataclass(frozen=True)
class Target:
    url: str
    project: str
    people: list[str]
    password: str


@dataclass
class Run:
    """Hold one client's requests: the milliseconds of each, when they began and ended, and the bytes of the answers."""

    milliseconds: list[float] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0
    answer_bytes: int = 0


class Browser:
    """Hold one keep-alive connection with a session and a CSRF token."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self.url = url
        self.http = http.client.HTTPConnection(place.hostname or "127.0.0.1", place.port or 80, timeout=60)
        self.cookies: dict[str, str] = {}

    def call(self, method: str, path: str, body: Any = None) -> bytes:
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "X-CSRFToken": self.cookies.get("csrftoken", ""),
            "Content-Type": "application/json",
            "Referer": self.url,
        }
        self.http.request(method, f"/api/{path}", json.dumps(body) if body is not None else None, headers)
        response = self.http.getresponse()
        content = response.read()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self.cookies[key] = rest.split(";", 1)[0]
        if response.status >= 400:
            raise SystemExit(f"{method} {path} -> {response.status}: {content[:500]!r}")
        return content

    def sign_in(self, username: str, password: str) -> None:
        self.call("GET", "session/")
        self.call("POST", "session/", {"username": username, "password": password})


def client(target: Target, number: int, most: int, seconds: float, pause: float, ready: Any, results: Any) -> None:
    browser = Browser(target.url)
    browser.sign_in(target.people[number], target.password)
    window = loaded(browser, target)
    ready.wait()
    run = Run(began=time.monotonic())
    dice = random.Random(number)
    while window["assignments"] and len(run.milliseconds) < most and time.monotonic() - run.began < seconds:
        if pause:
            time.sleep(dice.uniform(0.5, 1.5) * pause)
        row = window["assignments"][0]
        body = submission(PATHS[dice.randrange(3)])
        sent = time.monotonic()
        held = ",".join(f"{each['id']}.{each['tag']}" for each in window["assignments"])
        answer = browser.call("POST", f"assignments/{row['id']}/annotations/?held={held}", body)
        run.milliseconds.append((time.monotonic() - sent) * 1000)
        run.answer_bytes += len(answer)
        window = refilled(window, json.loads(answer)["refill"])
        if runs_low(window):
            window = loaded(browser, target)
    run.ended = time.monotonic()
    results.put(run)


def loaded(browser: Browser, target: Target) -> dict[str, Any]:
    """Return the window that the page loads ahead, when it is opened and when half of it is used up."""
    return json.loads(browser.call("GET", f"projects/{target.project}/next/?ahead={AHEAD}"))


def runs_low(window: dict[str, Any]) -> bool:
    """Tell whether half of the items are used up, and the server has more."""
    n_loaded = len(window["assignments"])
    return n_loaded <= AHEAD / 2 and window["progress"]["total"] - window["progress"]["done"] > n_loaded


def refilled(window: dict[str, Any], refill: dict[str, Any]) -> dict[str, Any]:
    """Return the window after a submit, with the items that the browser had and the answer did not bring again."""
    known = {each["id"]: each for each in [*window["assignments"], *refill["assignments"]]}
    return refill | {"assignments": [known[each] for each in refill["held"] if each in known]}


def submission(answers: dict[str, str]) -> dict[str, Any]:
    return {
        "client_id": str(uuid.uuid4()),
        "base_revision": 0,
        "answers": answers,
        "spans": [],
        "comment": "",
        "context_opened": "utterance",
        "active_ms": 4000,
        "wall_ms": 5000,
    }


def measure(target: Target, options: argparse.Namespace) -> None:
    clients = len(target.people)
    ready = multiprocessing.Barrier(clients)
    results: multiprocessing.Queue[Run] = multiprocessing.Queue()
    most = -(-options.items // clients)
    processes = [
        multiprocessing.Process(
            target=client, args=(target, number, most, options.seconds, options.pause, ready, results), daemon=True
        )
        for number in range(clients)
    ]
    for process in processes:
        process.start()
    runs = [results.get(timeout=options.seconds + 120) for _ in processes]
    for process in processes:
        process.join()
    report(runs)


def report(runs: list[Run]) -> None:
    times = sorted(each for run in runs for each in run.milliseconds)
    if not times:
        raise SystemExit("Nothing was submitted: the batch has no items for these people.")
    seconds = max(run.ended for run in runs) - min(run.began for run in runs)
    size = sum(run.answer_bytes for run in runs) / len(times)
    print(
        f"{len(runs)} clients, {len(times)} items in {seconds:.1f} s: {len(times) / seconds:.0f} items/s, "
        f"p50 {share(times, 0.5):.0f} ms, p95 {share(times, 0.95):.0f} ms, max {times[-1]:.0f} ms, "
        f"{size / 1000:.0f} kB an answer"
    )


def share(times: list[float], part: float) -> float:
    return times[min(len(times) - 1, int(part * len(times)))]


def own_target(options: argparse.Namespace) -> Target:
    """Make people, the demo text and an open batch in the database that DATABASE_URL names."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "annotation_app.config.settings"
    django.setup()
    from django.core.management import call_command
    from django.db import transaction

    from annotation_app.assignment.services import batch_open
    from annotation_app.demo.paths import CORPUS
    from annotation_app.ingest.options import ImportOptions
    from annotation_app.ingest.services import import_from_path
    from annotation_app.models import Role, User
    from annotation_app.projects.services import member_add, project_create, published_codebook

    call_command("migrate", verbosity=0)
    owner = User.objects.create_user("bench-admin")
    project = project_create(owner=owner, name="Bench")
    import_from_path(project=project, actor=owner, path=CORPUS, options=ImportOptions(format="convokit"))
    names = [f"bench-{number}" for number in range(options.clients)]
    with transaction.atomic():
        members = [
            member_add(project=project, user=User.objects.create_user(name, password=PASSWORD), role=Role.ANNOTATOR)
            for name in names
        ]
    pool = project.items.filter(left_out="").order_by("pk").values_list("pk", flat=True)[: options.batch]
    codebook = published_codebook(project)
    assert codebook is not None
    batch_open(
        project=project,
        codebook=codebook,
        items=[(pk, None) for pk in pool],
        annotators=members,
        annotators_per_item=options.k or len(members),
        kind="round",
        number=1,
        actor_id=owner.pk,
    )
    return Target("", str(project.uuid), names, PASSWORD)


@contextmanager
def web_server() -> Iterator[str]:
    """Run the product's own web server command on a free port, and yield its address."""
    from annotation_app.embedded.launcher import web_command

    with socket.create_server(("127.0.0.1", 0)) as listener:
        os.set_inheritable(listener.fileno(), True)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        log = subprocess.DEVNULL if "-v" not in sys.argv else None
        server = subprocess.Popen(web_command(listener), pass_fds=[listener.fileno()], stderr=log, cwd=ROOT)
    try:
        for _ in range(2):
            Browser(url).call("GET", "session/")
        yield url
    finally:
        server.terminate()
        server.wait()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--items", type=int, default=1600, help="submits in all (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=60.0, help="at most so long (default %(default)s)")
    parser.add_argument("--pause", type=float, default=0.0, help="mean seconds of thought before each submit")
    parser.add_argument("--k", type=int, help="people an item (default: everybody)")
    parser.add_argument("--batch", type=int, default=300, help="items in the batch (default %(default)s)")
    parser.add_argument("--url", help="a running server; with --project and --people, password in QUORUM_PASSWORD")
    parser.add_argument("--project", help="the project's id")
    parser.add_argument("--people", help="user names, comma-separated, each with a batch open")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    options = parsed()
    if options.url:
        people = (options.people or "").split(",")
        measure(Target(options.url, options.project, people, os.environ["QUORUM_PASSWORD"]), options)
    elif options.inside:
        target = own_target(options)
        with web_server() as url:
            measure(Target(url, target.project, target.people, target.password), options)
    else:
        run_inside("submit")


if __name__ == "__main__":
    main()
