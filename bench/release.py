"""Measure time and memory of a release: of 1,000 items with three annotators each, then of 10,000.

    python -m annotation_app.embedded run -- python -m bench.release [--items 1000 10000]

It runs with the product's own durability settings (no --relaxed). Each item is a sentence of some 25 words in an
utterance of its own, 500 to a document. Three people answered it in five stages, in seven rounds. Printed are
the seconds of the whole release, by step, and CPU seconds of this process. The growth of its peak resident set counts
from before the first release. The database server's memory is not included.
"""

import argparse
import os
import resource
import tempfile
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from annotation_app.models import Project, Release  # noqa: E402
from annotation_app.releases.services import release_here  # noqa: E402
from bench.agreement_rows import fill  # noqa: E402

ROUNDS = 7
# The sentences of `fill` have nine words, one of a real corpus about 25.
TEXTS = """
WITH texts AS (
    SELECT u.id, 'Sentence ' || u.position || repeat(' the committee noted 🎉 lamps', 5) || '.' AS text
    FROM annotation_app_utterance u JOIN annotation_app_document d ON d.id = u.document_id
    WHERE d.project_id = %(project)s
), longer AS (
    UPDATE annotation_app_utterance u
    SET text = t.text, n_tokens = 26, sentence_ends = ARRAY[length(t.text)], speaker = 'Speaker ' || u.position %% 7
    FROM texts t WHERE t.id = u.id
    RETURNING u.id, u.text
)
UPDATE annotation_app_item i SET text = longer.text, "end" = length(longer.text)
FROM longer WHERE longer.id = i.utterance_id
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", nargs="+", type=int, default=[1_000, 10_000])
    given = parser.parse_args()
    call_command("migrate", verbosity=0)
    projects = [filled(items) for items in given.items]
    with tempfile.TemporaryDirectory() as media:
        settings.MEDIA_ROOT, settings.RUNS_DIR = media, f"{media}/runs"
        before = peak_mib()
        for project in projects:
            made(project, before)


def filled(items: int) -> Project:
    project = fill(items, ROUNDS, name=f"Release of {items}")
    with connection.cursor() as cursor:
        cursor.execute(TEXTS, {"project": project.pk})
        cursor.execute("ANALYZE")
    return project


def made(project: Project, before: float) -> None:
    began, cpu = time.monotonic(), time.process_time()
    steps: dict[str, float] = {}

    def on_progress(step: str, fraction: float, rows: int) -> None:
        steps.setdefault(step, time.monotonic())

    release = release_here(project=project, on_progress=on_progress)
    ended = time.monotonic()
    assert release.state == Release.State.DONE, release.failure
    ends = [*list(steps.values())[1:], ended]
    parts = ", ".join(f"{step} {end - at:.1f}" for (step, at), end in zip(steps.items(), ends, strict=True))
    size = sum(file["bytes"] for file in release.files) / 1024**2
    print(
        f"{release.counts['items']:,} items, {release.counts['annotations']:,} annotations, {size:.1f} MiB of files: "
        f"{ended - began:.1f} s ({parts}), CPU {time.process_time() - cpu:.1f} s; "
        f"peak grew by {peak_mib() - before:.0f} MiB to {peak_mib():.0f} MiB; "
        f"load {os.getloadavg()[0]:.1f}",
        flush=True,
    )


def peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
