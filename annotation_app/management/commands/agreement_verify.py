"""manage.py agreement_verify [PROJECT]: the agreement table a second time, by other code, from the raw answers."""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.agreement.selectors import Row, agreement_table, orders_of
from annotation_app.agreement.statements import SCOPES
from annotation_app.codebook.gates import open_answers
from annotation_app.codebook.stages import Codebook
from annotation_app.management.commands.export_dataset import project_find
from annotation_app.models import Project

# Read in the order of the items, so that one item is in memory at a time.
ANSWERS = """
SELECT i.id, b.number, b.codebook_id, b.annotators_per_item, m.number, x.stage, x.label
FROM annotation_app_assignment a
JOIN annotation_app_batchitem i ON i.id = a.batch_item_id
JOIN annotation_app_batch b ON b.id = i.batch_id
JOIN annotation_app_membership m ON m.id = a.annotator_id
JOIN annotation_app_answer x ON x.annotation_id = a.current_id
WHERE b.project_id = %s AND b.kind = 'round' AND a.state = 'submitted'
  AND (m.role <> 'adjudicator' OR m.id IN (
    SELECT membership_id FROM annotation_app_round_annotators r WHERE r.round_id = b.round_id))
ORDER BY i.id, x.stage, m.number
"""
Views = dict[tuple[str, int | None], "Counter[Any]"]


class Command(BaseCommand):
    help = (
        "Computes the agreement of a project, or of all, a second time from the raw answers with packages and formulas "
        "that the product does not use, and prints the largest difference. Needs requirements-dev.txt."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", nargs="?", help="the project's id, or its name; all projects if left out")
        parser.add_argument("--tolerance", type=float, default=1e-9, help="exit code 1 above it (default %(default)s)")

    def handle(self, *args: Any, **given: Any) -> None:
        projects = [project_find(given["project"])] if given["project"] else list(Project.objects.order_by("pk"))
        worst = 0.0
        for project in projects:
            for scope in SCOPES:
                table = agreement_table(project=project, scope=scope)
                largest, where, values = compared(project, table.rows, scope == "majority")
                worst = max(worst, largest)
                self.stdout.write(
                    f"{project.name}, {scope}: {len(table.rows)} rows, {values} figures, largest difference "
                    f"{largest:.1e}" + (f" ({where})" if largest else "")
                )
        if worst > given["tolerance"]:
            raise CommandError(f"The figures differ by up to {worst:.1e}.")


def compared(project: Project, rows: list[Row], only_majority: bool) -> tuple[float, str, int]:
    """The largest difference, where it is, and how many figures were compared; infinite where only one side has one."""
    try:
        from tests.agreement.second_opinions import of_pair, opinions
    except ImportError as error:
        raise CommandError(
            f"{error}. Install requirements-dev.txt, and run this in the source tree: second opinions are in tests/."
        ) from None
    codebooks = codebooks_of(project)
    orders = orders_of(codebooks)
    views = patterns_by_view(project, codebooks, only_majority)
    largest, where, n = 0.0, "", 0
    for row in rows:
        patterns = views.get((row.stage, row.round), Counter())
        seen = of_pair(patterns, row.pair) if row.pair else patterns
        values, intervals = opinions(seen, row.raters, orders.get(row.stage), row.pair is not None)
        for name, ours, theirs in figures(row, values, intervals):
            difference = difference_of(ours, theirs)
            n += ours is not None
            if difference > largest:
                largest, where = difference, f"{row.stage}, round {row.round}, pair {row.pair}, {name}"
    return largest, where, n


def figures(
    row: Row, values: Mapping[str, float | None], intervals: Mapping[str, tuple[float, float]]
) -> Iterator[tuple[str, float | None, float | None]]:
    for name, ours in row.values.items():
        yield name, ours, values[name]
        for end, of in enumerate(("low end", "high end")):
            mine, other = row.ci.get(name), intervals.get(name)
            yield f"{name}, {of}", mine and mine[end], other and other[end]


def difference_of(ours: float | None, theirs: float | None) -> float:
    if ours is None or theirs is None:
        return 0.0 if ours is theirs else float("inf")
    return abs(ours - theirs)


def patterns_by_view(project: Project, codebooks: Mapping[int, Codebook], only_majority: bool) -> Views:
    """{(stage, round or None): what was said of items, counted}, straight from the answers."""
    views: Views = {}
    for (_, number, codebook, slots), rows in groupby(raw_answers(project), key=lambda row: row[:4]):
        by_stage = {
            stage: tuple((rater, label) for *_, rater, _, label in said)
            for stage, said in groupby(rows, key=lambda row: row[5])
        }
        kept = settled_stages(codebooks[codebook], slots, by_stage) if only_majority else set(by_stage)
        for stage in kept:
            for view in ((stage, number), (stage, None)):
                views.setdefault(view, Counter())[by_stage[stage]] += 1
    return views


def settled_stages(codebook: Codebook, slots: int, said: Mapping[str, tuple[tuple[int, str], ...]]) -> set[str]:
    majorities = {}
    for stage, answers in said.items():
        label, votes = Counter(label for _, label in answers).most_common(1)[0]
        if votes * 2 > slots:
            majorities[stage] = label
    return set(open_answers(codebook, majorities))


def raw_answers(project: Project) -> Iterator[tuple[Any, ...]]:
    with transaction.atomic(), connection.connection.cursor(name="agreement_verify") as cursor:
        cursor.itersize = 20_000
        cursor.execute(ANSWERS, [project.pk])
        yield from cursor
