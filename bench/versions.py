"""Compare two versions of Quorum over HTTP, in one run: `python -m bench.versions ../other-checkout`.

Each has servers of its own with the product's durability and the product's web server command, and a project of the
same rows, written by this checkout's bench. Requests take turns between the two, after one that is not counted.
`changed` is after one more answer. A release is made in a process beside the web server. The figures are medians, the
least of each, and the ratios of this version to the other.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "overview/",
    "agreement/",
    "report/",
    "rounds/",
    "insights/",
    "members/",
    "export/?kind=annotations&format=jsonl",
    "export/?kind=aggregated&format=csv",
)
CHANGED = ("overview/", "agreement/", "report/")


class Side:
    """Hold one version with its servers, and an admin's connection to it."""

    def __init__(self, root: Path, items: int) -> None:
        from bench.submit import PASSWORD, Browser

        inside = [sys.executable, str(Path(__file__).resolve()), "--inside", "--items", str(items), str(root)]
        command = [sys.executable, "-m", "annotation_app.embedded", "run", "--", *inside]
        self.process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        told = self.read()
        self.project = told["project"]
        self.browser = Browser(told["url"])
        self.browser.sign_in(told["owner"], PASSWORD)

    def read(self) -> Any:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("{"):
                return json.loads(line)
        raise SystemExit("One of the two versions did not start: its message stands above.")

    def tell(self, word: str) -> dict[str, Any]:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return self.read()

    def page(self, path: str, changes: bool) -> float:
        """Return the milliseconds of a request, after one more answer where that is asked for."""
        if changes:
            self.tell("touch")
        began = time.monotonic()
        self.browser.call("GET", f"projects/{self.project}/{path}")
        return 1000 * (time.monotonic() - began)

    def release(self) -> float:
        return float(self.tell("release")["ms"])

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=60)


def compared(name: str, other: Callable[[], float], this: Callable[[], float], times: int) -> None:
    taken: dict[Callable[[], float], list[float]] = {other: [], this: []}
    for turn in range(times + 1):
        for side in (other, this) if turn % 2 else (this, other):
            milliseconds = side()
            if turn:
                taken[side].append(milliseconds)
    (before, least_before), (now, least_now) = [
        (statistics.median(each), min(each)) for each in (taken[other], taken[this])
    ]
    print(
        f"{name:40} other {before:7.0f} ({least_before:7.0f})   this {now:7.0f} ({least_now:7.0f})   "
        f"ratio {now / before:.2f} ({least_now / least_before:.2f})   load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def inside(root: Path, items: int) -> None:
    """Serve the version in `root` on rows of this checkout's bench, and do what standard input says."""
    # The package of this checkout, whichever version of the product it fills.
    sys.path[:0] = [str(root), str(ROOT)]
    import bench

    bench.__path__ = [str(ROOT / "bench")]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from annotation_app.releases.services import release_here
    from bench.agreement_rows import touch_one
    from bench.overview import filled
    from bench.release import TEXTS
    from bench.submit import web_server

    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", verbosity=0)
    project = filled(argparse.Namespace(items=items, rounds=4, people=3, k=None))
    with connection.cursor() as cursor:
        cursor.execute(TEXTS, {"project": project.pk})
        cursor.execute("ANALYZE")
    with web_server() as url, tempfile.TemporaryDirectory() as media:
        settings.MEDIA_ROOT, settings.RUNS_DIR = media, f"{media}/runs"
        owner = project.created_by.username
        print(json.dumps({"url": url, "project": str(project.uuid), "owner": owner}), flush=True)
        for word in sys.stdin:
            began = time.monotonic()
            if word.strip() == "touch":
                touch_one(project)
            else:
                release = release_here(project=project)
                assert release.state == "done", release.failure
            print(json.dumps({"ms": 1000 * (time.monotonic() - began)}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path, help="the checkout of the other version")
    parser.add_argument("--items", type=int, default=3_000)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        return inside(options.other, options.items)
    other, this = Side(options.other.resolve(), options.items), Side(ROOT, options.items)
    try:
        for changes, pages in ((False, PAGES), (True, CHANGED)):
            for path in pages:
                sides = (partial(side.page, path, changes) for side in (other, this))
                compared(f"{'changed ' if changes else ''}{path}", *sides, options.times)
        compared("release", other.release, this.release, min(options.times, 3))
    finally:
        other.stop()
        this.stop()


if __name__ == "__main__":
    main()
