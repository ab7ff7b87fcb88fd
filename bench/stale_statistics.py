"""Time each statement about labels where the planner's statistics of the tables are wrong or missing.

    .venv/bin/python -m bench.stale_statistics [--items 20000] [--rounds 7] [--limit 60]

The project has 20,000 items of three answers each in five stages. One run measures four states of the statistics on the
same rows:

- `small`: as they were after a batch of ten items had been opened and nobody had answered;
- `never`: none at all, as after a restore from a dump;
- `empty`: as ANALYZE leaves them on empty tables;
- `fresh`: as ANALYZE leaves them now.

A statement that takes longer than the limit is stopped, and the table shows "> LIMIT".
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from bench.own_servers import run_inside

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_app.config.settings")

TABLES = (
    "item",
    "batchitem",
    "assignment",
    "annotation",
    "answer",
    "utterance",
    "answerpattern",
    "counteditem",
    "recountqueue",
)
STATES = ("small", "never", "empty", "fresh")
Question = tuple[str, Callable[[], Any]]


def questions(project: Any, reader: Any, person: Any) -> Iterator[Question]:
    """Yield each bulk read of labels, as (name, function)."""
    from annotation_app.aggregation.disagreeing_items import disagreeing_counts, disagreeing_items
    from annotation_app.aggregation.disagreements import Filters, disagreements
    from annotation_app.aggregation.outcomes import project_outcomes
    from annotation_app.aggregation.selectors import codebooks_of, majority_labels
    from annotation_app.aggregation.services import case_show
    from annotation_app.agreement.selectors import agreement_table
    from annotation_app.assignment.selectors import annotator_progress, batches_progress, members_progress
    from annotation_app.dashboards.insights import insights
    from annotation_app.dashboards.projects import member_overviews
    from annotation_app.dashboards.report.report import project_report
    from annotation_app.export.options import ExportOptions
    from annotation_app.export.stream import export_open
    from annotation_app.models import AgreementCache, Batch
    from annotation_app.rounds.selectors import round_views
    from annotation_app.rounds.training_set import training_set
    from annotation_app.validation.review_state import items_listed

    batches = list(project.batches.filter(kind=Batch.Kind.ROUND))
    item = batches[0].batch_items.select_related("item").first().item

    def export(kind: str, **options: Any) -> None:
        for _ in export_open(kind=kind, options=ExportOptions(project, **options)):
            pass

    def agreement() -> None:
        AgreementCache.objects.all().delete()
        agreement_table(project=project, scope="majority")

    yield "agreement", agreement
    yield "majority labels", lambda: majority_labels(project=project, stage="opinion")
    yield "majority labels, one batch", lambda: majority_labels(project=project, stage="opinion", batches=batches[:1])
    yield "majority labels, phase 2", lambda: majority_labels(project=project, stage="opinion", phase=2)
    yield (
        "training set",
        lambda: training_set(
            project=project, codebook=codebooks_of(project)[batches[0].codebook_id], stages=["opinion"], batches=batches
        ),
    )
    yield "standing", lambda: project_outcomes(project=project)
    yield "standing, phase 2", lambda: project_outcomes(project=project, phase=2)
    yield "disagreements", lambda: disagreements(reader=reader, filters=Filters(), page=1)
    yield "one disagreement", lambda: case_show(reader=reader, item_uuid=item.uuid, filters=Filters(), lock_own=False)
    yield "differing, counts", lambda: disagreeing_counts(project, batches)
    yield "differing, one batch", lambda: disagreeing_items(batches[0])
    yield "insights", lambda: insights(project=project, stage="opinion")
    yield "report", lambda: project_report(project=project)
    yield "rounds", lambda: round_views(project)
    yield "progress of batches", lambda: batches_progress(batches)
    yield "progress of people", lambda: annotator_progress(batches)
    yield "members", lambda: member_overviews(project)
    yield "one person's progress", lambda: members_progress([person])
    yield "export aggregated", lambda: export("aggregated")
    yield "export aggregated, phase 2", lambda: export("aggregated", phase=2)
    yield "export annotations", lambda: export("annotations")
    yield "export spans", lambda: export("spans")
    yield "validation list", lambda: items_listed(project=project, which="open", page=1)


def seconds_of(ask: Callable[[], Any], limit: int) -> str:
    from django.db.utils import OperationalError

    began = time.monotonic()
    try:
        ask()
    except OperationalError as error:
        if "statement timeout" not in str(error):
            raise
        return f"> {limit}"
    return f"{time.monotonic() - began:.2f}"


def statistics(state: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        for name in TABLES:
            table = f"annotation_app_{name}"
            if state == "fresh":
                cursor.execute(f"ANALYZE {table}")
            elif state in ("never", "empty"):
                cursor.execute("SELECT pg_clear_relation_stats('public', %s)", [table])
                cursor.execute(
                    "SELECT pg_clear_attribute_stats('public', %s, attname, false) FROM pg_attribute"
                    " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
                    [table, table],
                )
            if state == "empty":
                cursor.execute(
                    "SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', %s::text,"
                    " 'relpages', 0, 'reltuples', 0::real)",
                    [table],
                )


def inside(options: argparse.Namespace) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import DEFAULT_DB_ALIAS, connection, connections

    from annotation_app.agreement.services import patterns_refresh
    from bench.agreement_rows import fill

    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        for name in TABLES:
            cursor.execute(f"ALTER TABLE annotation_app_{name} SET (autovacuum_enabled = off)")
    fill(10, 1, "Small", answered=False, span_layer=True)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    # A session keeps the foreign keys' plans that it made for ten rows, so a new one is opened.
    connection.close()
    project = fill(options.items, options.rounds, span_layer=True)
    patterns_refresh(project=project)
    print("filled", file=sys.stderr, flush=True)
    # The limit must hold for exports too, which open connections of their own.
    connection.close()
    connections.settings[DEFAULT_DB_ALIAS]["OPTIONS"]["options"] = f"-c statement_timeout={options.limit}s"
    reader, person = (project.memberships.filter(role=role).first() for role in ("admin", "annotator"))
    names = [name for name, _ in questions(project, reader, person)]
    taken: dict[str, list[str]] = {name: [] for name in names}
    print(f"{'seconds':28}" + "".join(f"{state:>10}" for state in STATES), flush=True)
    for state in STATES:
        statistics(state)
        for name, ask in questions(project, reader, person):
            taken[name].append(seconds_of(ask, options.limit))
            print(f"  {state} {name} {taken[name][-1]}", file=sys.stderr, flush=True)
    for name in names:
        print(f"{name:28}" + "".join(f"{seconds:>10}" for seconds in taken[name]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--limit", type=int, default=60, help="seconds for one question (default %(default)s)")
    parser.add_argument("--inside", action="store_true", help="use the servers of DATABASE_URL")
    options = parser.parse_args()
    if options.inside:
        inside(options)
    else:
        run_inside("stale_statistics")


if __name__ == "__main__":
    main()
