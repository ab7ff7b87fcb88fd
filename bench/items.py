"""Measure the list of items at 300,000 items: the first page against page 10,000, and what filters and searches take.

At the end it measures the figures of annotators in the same project.

    python -m bench.items                      300,000 items, 12,000 of them labelled by three people
    python -m bench.items --items 50000        fewer

Without --inside it starts servers of its own with the product's durability. Figures are medians of `--times` calls of
what the route calls, in milliseconds; each page is read from the item at which it begins. Compare them within one run.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

from bench.own_servers import run_inside

PAGE = 10_000
# Items of the pool beside those of batches: a tenth has a column, and words of four lists come together.
POOL = """
WITH documents AS (
    INSERT INTO annotation_app_document (project_id, source_id, external_id, title, position, meta)
    SELECT %(project)s, %(source)s, 'pool' || g, 'Speech ' || g, 100000 + g, '{}'
    FROM generate_series(0, %(items)s / 500) AS g
    RETURNING id, position
), utterances AS (
    INSERT INTO annotation_app_utterance (document_id, external_id, position, speaker, text, n_tokens,
        sentence_starts, sentence_ends, meta)
    SELECT d.id, 'p' || g, g, 'Speaker ' || g %% 40, said.text, 14, '{0}', ARRAY[char_length(said.text)],
        CASE WHEN g %% 10 = 0 THEN jsonb_build_object('party', 'party ' || g %% 7) ELSE '{}' END
    FROM generate_series(1, %(items)s) AS g
    JOIN documents d ON d.position = 100000 + g / 500
    CROSS JOIN LATERAL (SELECT concat_ws(' ',
        (ARRAY['Inflation', 'Unemployment', 'Growth', 'Credit', 'Trade'])[1 + g %% 5],
        (ARRAY['rose', 'fell', 'stayed', 'slowed'])[1 + g %% 4],
        'in the district', g, 'as', md5(g::text),
        (ARRAY['reported', 'told us', 'said'])[1 + g %% 3], repeat('and so on ', g %% 9)) AS text) AS said
    RETURNING id, document_id, external_id, text
)
INSERT INTO annotation_app_item
    (project_id, document_id, utterance_id, external_id, number, start, "end", text, left_out, meta)
SELECT %(project)s, u.document_id, u.id, u.external_id, 1, 0, char_length(u.text), u.text, '', '{}' FROM utterances u
"""
# Name of a line: what is asked for. One word is common, one occurs once.
ASKED: dict[str, dict[str, Any]] = {
    "all items": {},
    "in the pool": {"state": "pool"},
    "all answers in": {"state": "done"},
    "a common word": {"q": "inflation"},
    "a part of a word, once": {"q": "c4ca4238a0b9"},
    "a phrase and a word": {"q": '"slowed in the district" told'},
    "two characters": {"q": "42"},
    "a column": {"columns": [(("party",), "party 3")]},
    "a document": {"document": "Speech 17"},
    "a label": {"stage": "opinion", "label": "yes"},
    "a disagreement": {"outcome": "disagreement"},
}


def filled(items: int) -> Any:
    from django.db import connection

    from annotation_app.models import Import
    from bench.agreement_rows import fill

    labelled = min(12_000, items // 4)
    project = fill(labelled, 4, "Items")
    values = {
        "project": project.pk,
        "source": Import.objects.get(project=project).pk,
        "items": items - labelled,
    }
    with connection.cursor() as cursor:
        cursor.execute(POOL, values)
        cursor.execute("ANALYZE")
    return project


def timed(call: Callable[[], Any], times: int) -> tuple[float, Any]:
    said, answer = [], None
    for _ in range(times):
        began = time.monotonic()
        answer = call()
        said.append((time.monotonic() - began) * 1000)
    return statistics.median(said), answer


def deep(project: Any, sort: str) -> Any:
    """Return the last item of the page before PAGE, in a project of enough items; else of the last whole page."""
    from annotation_app.dashboards.items.page import KEYS, PAGE_SIZE

    key = KEYS[sort.removeprefix("-")]
    before = min(PAGE_SIZE * (PAGE - 1), project.items.count() - PAGE_SIZE) - 1
    return project.items.order_by(*key)[before].uuid


def inside(options: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from annotation_app.dashboards.items.filters import ItemFilters
    from annotation_app.dashboards.items.page import item_page, items_counted

    call_command("migrate", verbosity=0)
    began = time.monotonic()
    project = filled(options.items)
    reader = project.memberships.get(user=project.created_by)
    print(f"{project.items.count():,} items, filled in {time.monotonic() - began:.0f} s", flush=True)
    for sort in ("order", "id", "length"):
        page_of = partial(item_page, filters=ItemFilters(reader), sort=sort)
        page_of()
        first, _ = timed(page_of, options.times)
        far, page = timed(partial(page_of, after=deep(project, sort)), options.times)
        assert page.items
        line = f"sorted by {sort:8} first page {first:6.1f} ms, page {PAGE:,} {far:6.1f} ms, ratio {far / first:5.2f}"
        print(f"{line}   load {load()}", flush=True)
    for name, asked in ASKED.items():
        filters = ItemFilters(reader, **asked)
        item_page(filters=filters)
        first, page = timed(partial(item_page, filters=filters), options.times)
        count, counted = timed(partial(items_counted, filters), options.times)
        print(f"{name:24} page {first:7.1f} ms, count {count:7.1f} ms, {counted.n:,} items   load {load()}", flush=True)
        assert bool(page.items) == bool(counted.n)
    people_measure(project, options.times)


def people_measure(project: Any, times: int) -> None:
    """Measure what admins see of each annotator, one's own pace, and what the bell asks for."""
    from annotation_app.aggregation.selectors import codebooks_of
    from annotation_app.agreement.people import people_compared
    from annotation_app.dashboards.annotators import annotators_figures
    from annotation_app.dashboards.notices import notices_of
    from annotation_app.dashboards.pace import own_pace
    from annotation_app.models import AgreementCache

    person = project.memberships.exclude(user=project.created_by).select_related("user").first()

    def counted_anew() -> None:
        AgreementCache.objects.all().delete()
        people_compared(project=project, codebooks=codebooks_of(project))

    calls = {
        "annotators": partial(annotators_figures, project=project, batches=None),
        "annotators compared anew": counted_anew,
        "a person's own pace": partial(own_pace, person),
        "a person's notices": partial(notices_of, person.user),
        "an admin's notices": partial(notices_of, project.created_by),
    }
    for name, call in calls.items():
        call()
        print(f"{name:24} {timed(call, times)[0]:7.1f} ms   load {load()}", flush=True)


def load() -> str:
    return Path("/proc/loadavg").read_text().split()[0]


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=300_000)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--inside", action="store_true", help="use the servers of DATABASE_URL")
    return parser.parse_args()


def main() -> None:
    options = parsed()
    if options.inside:
        inside(options)
    else:
        run_inside("items")


if __name__ == "__main__":
    main()
