"""Measure seconds and queries of GET report/, on a project of 10,000 items in five stages and seven rounds.

    .venv/bin/python -m bench.report [--items 10000] [--people 3] [--per-item 3] [--repeat 3]
    .venv/bin/python -m bench.report --people 20
    .venv/bin/python -m bench.report --people 20 --per-item 20

`first` counts all answers, which happens once in a project's life. `changed` is after one more answer, and `kept` after
none. The size is that of the JSON. The slowest queries of `changed` follow. With `--verify`, `agreement_verify`
computes agreement a second time on the same rows.
"""

import argparse
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.own_servers import run_inside

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")
DEAREST = 6


def asked(client: Any, url: str, name: str) -> list[dict[str, str]]:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    began, cpu = time.monotonic(), time.process_time()
    with CaptureQueriesContext(connection) as captured:
        response = client.get(url)
    if response.status_code != 200:
        raise SystemExit(f"{response.status_code}: {response.content[:500]!r}")
    queries = [
        query for query in captured if query["sql"].startswith(("SELECT", "WITH", "INSERT", "UPDATE", "\nSELECT"))
    ]
    in_database = sum(float(query["time"]) for query in queries)
    load = Path("/proc/loadavg").read_text().split()[0]
    print(
        f"{name:8} {time.monotonic() - began:7.2f} s wall, {in_database:6.2f} s in the database, "
        f"{time.process_time() - cpu:5.2f} s CPU here, {len(queries):3} queries, "
        f"{len(response.content) / 1024:,.0f} KiB   load {load}",
        flush=True,
    )
    return queries


def dearest(queries: list[dict[str, str]]) -> Iterator[str]:
    for query in sorted(queries, key=lambda each: -float(each["time"]))[:DEAREST]:
        sql = " ".join(query["sql"].split())
        yield f"  {query['time']:>7} s  {sql[:50]} … {sql[-90:]}"


def inside(options: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from rest_framework.test import APIClient

    from bench.agreement_rows import fill, touch_one

    call_command("migrate", verbosity=0)
    project = fill(options.items, 7, people=options.people, per_item=options.per_item)
    client = APIClient(SERVER_NAME="127.0.0.1")
    client.force_authenticate(project.created_by)
    url = f"/api/projects/{project.uuid}/report/"
    asked(client, url, "first")
    for _ in range(options.repeat):
        touch_one(project)
        queries = asked(client, url, "changed")
        asked(client, url, "kept")
    print("\n".join(dearest(queries)))
    if options.verify:
        call_command("agreement_verify", project.name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=3)
    parser.add_argument("--per-item", type=int, default=3)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--verify", action="store_true")
    parser.add_argument("--inside", action="store_true", help="use the servers of DATABASE_URL")
    options = parser.parse_args()
    if options.inside:
        inside(options)
    else:
        run_inside("report")


if __name__ == "__main__":
    main()
