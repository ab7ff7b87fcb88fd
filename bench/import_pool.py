"""Measure the import of the whole sentence pool: seconds and peak resident set.

    python -m annotation_app.embedded run -- python -m bench.import_pool [PATH] [--rows utterance]

It runs with the product's own durability settings (no --relaxed). PATH is ../shared/data/fomc-pool/pool.jsonl.gz by
default. The peak is that of this process, which reads, splits and copies. The database server's memory is not included.
"""

import argparse
import os
import resource
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402

from annotation_app.ingest.options import ImportOptions  # noqa: E402
from annotation_app.ingest.selectors import report_of  # noqa: E402
from annotation_app.ingest.services import import_from_path  # noqa: E402
from annotation_app.models import User  # noqa: E402
from annotation_app.projects.services import project_create  # noqa: E402

POOL = ROOT.parent / "shared" / "data" / "fomc-pool" / "pool.jsonl.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?", type=Path, default=POOL)
    parser.add_argument("--rows", choices=["sentence", "utterance", "document"])
    given = parser.parse_args()
    call_command("migrate", verbosity=0)
    owner = User.objects.create_user(username="bench", password=None)
    project = project_create(owner=owner, name="Bench")
    before = peak_mib()
    imported = import_from_path(
        project=project, actor=owner, path=given.path, options=ImportOptions(rows=given.rows), on_progress=on_progress
    )
    report = report_of(imported)
    print(
        f"{imported.state}: {report['documents']:,} documents, {report['items']:,} items, {report['n_errors']} errors"
    )
    print(f"{report['seconds']} s; peak resident set {peak_mib():.0f} MiB, {before:.0f} MiB of it before the import")


def on_progress(step: str, fraction: float, rows: int) -> None:
    if step != "reading":
        print(f"{fraction:4.0%} {step}", flush=True)


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
