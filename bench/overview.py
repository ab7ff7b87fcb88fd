"""Measure an admin's pages at scale: milliseconds and queries, in quiet times and while people submit.

    python -m bench.overview                      10,000 items in four rounds, 20 people who label everything
    python -m bench.overview --rounds 1           the same in one open batch of 200,000 assignments
    python -m bench.overview --k 3                each item for three of the twenty

Without --inside it starts servers of its own with the product's durability (fsync on) and the product's web server
command. All rounds but the last are frozen, and each person has done a different share of the last. `quiet` requests a
page again when nothing has changed. `submits` requests it once a second while everybody submits at human pace. Queries
are counted in process.
"""

import argparse
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

from bench.own_servers import run_inside
from bench.submit import PASSWORD, Browser, Target, client, share, web_server

# A hash decides who does an item. Of the last batch, the n-th person has done about (n - 1) / people.
ASSIGNMENTS = """
WITH dealt AS (
    SELECT i.id AS item, m.id AS member, i.rank,
        row_number() OVER (PARTITION BY i.id ORDER BY hashint8(i.id * 1000 + m.id)) AS turn,
        b.number < %(rounds)s OR (hashint8(i.id) & 1023) / 1024.0 < (m.number - 2) / %(people)s::float8 AS answered
    FROM annotation_app_batchitem i JOIN annotation_app_batch b ON b.id = i.batch_id
    CROSS JOIN annotation_app_membership m
    WHERE b.project_id = %(project)s AND m.project_id = %(project)s AND m.role = 'annotator'
)
INSERT INTO annotation_app_assignment (batch_item_id, annotator_id, state, position, slot, done_at, added)
SELECT item, member, CASE WHEN done THEN 'submitted' ELSE 'open' END, rank,
    CASE WHEN done THEN turn END, CASE WHEN done THEN now() - rank * interval '1 second' END, false
FROM (SELECT *, turn <= %(per_item)s AND answered AS done FROM dealt) AS each
"""
PAGES = ("overview", "waiting", "releases", "members", "rounds", "insights", "workers", "agreement")
NAME = "Overview"


def filled(options: argparse.Namespace) -> Any:
    """Make the project, with the rounds of its batches. All batches but the last are frozen."""
    from django.utils import timezone

    from annotation_app.models import Batch, Membership, Round, User
    from bench.agreement_rows import fill

    project = fill(
        options.items,
        options.rounds,
        NAME,
        people=options.people,
        per_item=options.k,
        assignments=ASSIGNMENTS,
        password=PASSWORD,
    )
    owner = User.objects.get(pk=project.created_by_id)
    owner.set_password(PASSWORD)
    owner.save()
    people = Membership.objects.filter(project=project, role="annotator")
    batches = list(Batch.objects.filter(project=project).order_by("number"))
    for batch in batches:
        batch.round = round_of(batch, owner)
        batch.round.annotators.set(people)
        batch.frozen_at = None if batch is batches[-1] else timezone.now()
        batch.save()
    assert all(row.state == Round.State.COMPLETE for row in project.rounds.filter(number__lt=options.rounds))
    return project


def round_of(batch: Any, owner: Any) -> Any:
    """Make the round of a batch. Its training set is as large as what was labelled before it."""
    from annotation_app.models import BatchItem, Round

    before = BatchItem.objects.filter(batch__project=batch.project, batch__number__lt=batch.number)
    last = batch.number == batch.project.batches.count()
    return Round.objects.create(
        project=batch.project,
        number=batch.number,
        state=Round.State.ANNOTATING if last else Round.State.COMPLETE,
        strategy_asked="random",
        strategy_used="random",
        query_size=batch.batch_items.count(),
        random_state=1,
        model="none",
        learning_stages=["opinion"],
        training_set=[[name, {"opinion": "no"}] for name in before.values_list("item__external_id", flat=True)],
        annotators_per_item=batch.annotators_per_item,
        codebook=batch.codebook,
        created_by=owner,
    )


def queries_of(project: Any, page: str) -> int:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from annotation_app.models import User

    browser = Client()
    # The owner is read again, because a session made with the earlier password would be invalid.
    browser.force_login(User.objects.get(pk=project.created_by_id))
    browser.get(f"/api/projects/{project.uuid}/{page}/")
    with CaptureQueriesContext(connection) as queries:
        assert browser.get(f"/api/projects/{project.uuid}/{page}/").status_code == 200
    return len(queries)


def timed(browser: Browser, project: str, page: str) -> tuple[float, int]:
    sent = time.monotonic()
    answer = browser.call("GET", f"projects/{project}/{page}/")
    return (time.monotonic() - sent) * 1000, len(answer)


def quiet(url: str, project: Any, pages: tuple[str, ...], owner: str, times: int) -> None:
    browser = signed_in(url, owner)
    for page in pages:
        first, size = timed(browser, project.uuid, page)
        said = sorted(timed(browser, project.uuid, page)[0] for _ in range(times))
        print(
            f"quiet    {page:10} p50 {share(said, 0.5):7.0f} ms, max {said[-1]:7.0f} ms, first {first:7.0f} ms, "
            f"{size / 1000:6.1f} kB, {queries_of(project, page):3} queries   load {load()}",
            flush=True,
        )


def submitting(url: str, project: Any, pages: tuple[str, ...], owner: str, options: argparse.Namespace) -> None:
    names = [f"{NAME.lower()}-{number}" for number in range(2, options.people + 2)]
    target = Target(url, str(project.uuid), names, PASSWORD)
    browser = signed_in(url, owner)
    for page in pages:
        ready = multiprocessing.Barrier(options.people + 1)
        results: multiprocessing.Queue[Any] = multiprocessing.Queue()
        arguments = (10_000, options.seconds, options.pause, ready, results)
        crowd = [
            multiprocessing.Process(target=client, args=(target, number, *arguments), daemon=True)
            for number in range(options.people)
        ]
        for each in crowd:
            each.start()
        ready.wait()
        said = polled(lambda page=page: timed(browser, project.uuid, page)[0], options.seconds)
        runs = [results.get(timeout=options.seconds + 120) for _ in crowd]
        for each in crowd:
            each.join()
        submits = sorted(each for run in runs for each in run.milliseconds)
        print(
            f"submits  {page:10} p50 {share(said, 0.5):7.0f} ms, max {said[-1]:7.0f} ms beside {len(submits)} submits "
            f"(p50 {share(submits, 0.5):.0f}, p95 {share(submits, 0.95):.0f} ms)   load {load()}",
            flush=True,
        )


def polled(ask: Callable[[], float], seconds: float) -> list[float]:
    said = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        said.append(ask())
        time.sleep(1)
    return sorted(said)


def signed_in(url: str, owner: str) -> Browser:
    browser = Browser(url)
    browser.sign_in(owner, PASSWORD)
    return browser


def load() -> str:
    return Path("/proc/loadavg").read_text().split()[0]


def inside(options: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    began = time.monotonic()
    project = filled(options)
    owner = project.created_by.username
    print(f"{options.items:,} items, {options.people} people, filled in {time.monotonic() - began:.0f} s", flush=True)
    pages = tuple(options.pages.split(","))
    with web_server() as url:
        quiet(url, project, pages, owner, options.times)
        if options.seconds:
            submitting(url, project, pages, owner, options)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--k", type=int, help="people an item (default: everybody)")
    parser.add_argument("--pages", default=",".join(PAGES), help="ends of the addresses (default %(default)s)")
    parser.add_argument("--times", type=int, default=10, help="requests a page where nothing changes")
    parser.add_argument("--seconds", type=float, default=20.0, help="of submits for each page; 0: none")
    parser.add_argument("--pause", type=float, default=4.0, help="mean seconds of thought before each submit")
    parser.add_argument("--inside", action="store_true", help="use the servers of DATABASE_URL")
    return parser.parse_args()


def main() -> None:
    options = parsed()
    if options.inside:
        inside(options)
    else:
        run_inside("overview")


if __name__ == "__main__":
    main()
