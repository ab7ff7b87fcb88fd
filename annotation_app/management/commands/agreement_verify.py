"""manage.py agreement_verify [PROJECT]: the agreement table a second time, by other code, from the raw answers."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from al_worker.formats.heads import set_text
from annotation_app.aggregation.selectors import codebooks_of
from annotation_app.aggregation.statements import PHASES, Phase
from annotation_app.agreement.selectors import Row, agreement_table, measures_of, orders_of
from annotation_app.agreement.statements import SCOPES, Scope
from annotation_app.codebook.gates import open_answers
from annotation_app.codebook.stages import Codebook
from annotation_app.management.commands.export_dataset import project_find
from annotation_app.models import Batch, Project

# Read in the order of the items, so that one item is in memory at a time.
ANSWERS = """
SELECT r.batch_item, b.number, b.codebook_id, rules.majority_takes(b.annotators_per_item), r.rater, r.stage, r.label
FROM rules.rated_answer r
JOIN rules.round_batch b ON b.id = r.batch
WHERE r.project = %s
ORDER BY r.batch_item, r.stage, r.rater
"""
# What people said of the items that they looked at again.
SECOND = """
SELECT first.id, m.number, x.stage, x.label
FROM annotation_app_batch b
JOIN annotation_app_batchitem i ON i.batch_id = b.id
JOIN annotation_app_batchitem first ON first.batch_id = b.second_look_of_id AND first.item_id = i.item_id
JOIN annotation_app_assignment a ON a.batch_item_id = i.id AND a.state = 'submitted'
JOIN annotation_app_membership m ON m.id = a.annotator_id
LEFT JOIN annotation_app_answer x ON x.annotation_id = a.current_id
WHERE b.project_id = %s AND b.kind = 'second_look'
"""
Views = dict[tuple[str, int | None], "Counter[Any]"]
# What one item got: {stage: ((rater, label), ...)}.
ByStage = dict[str, tuple[tuple[int, str], ...]]


class Command(BaseCommand):
    help = (
        "Computes the agreement of a project, or of all, a second time from the raw answers, and prints the largest "
        "difference. It uses packages and formulas that the product does not use. Needs requirements-dev.txt."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", nargs="?", help="the project's id, or its name; all projects if left out")
        parser.add_argument("--tolerance", type=float, default=1e-9, help="exit code 1 above it (default %(default)s)")

    def handle(self, *args: Any, **given: Any) -> None:
        projects = [project_find(given["project"])] if given["project"] else list(Project.objects.order_by("pk"))
        worst = 0.0
        for project in projects:
            for phase, scope in product(phases_of(project), SCOPES):
                table = agreement_table(project=project, scope=scope, phase=phase)
                largest, where, values = compared(project, table.rows, scope, phase)
                worst = max(worst, largest)
                self.stdout.write(
                    f"{project.name}, phase {phase}, {scope}: {len(table.rows)} rows, {values} figures, "
                    f"largest difference {largest:.1e}" + (f" ({where})" if largest else "")
                )
        if worst > given["tolerance"]:
            raise CommandError(
                f"The figures differ by up to {worst:.1e}. One computation is wrong: please report this."
            )


def phases_of(project: Project) -> tuple[Phase, ...]:
    """Return the phases; the second only where somebody took a second look."""
    return PHASES if project.batches.filter(kind=Batch.Kind.SECOND_LOOK).exists() else PHASES[:1]


def compared(project: Project, rows: list[Row], scope: Scope, phase: Phase) -> tuple[float, str, int]:
    """Return the largest difference, where it is, and the number of values compared.

    The difference is infinite where only one side has a value.
    """
    try:
        from tests.agreement.second_opinions import of_pair, opinions
    except ImportError as error:
        raise CommandError(
            f"{error}. Install requirements-dev.txt, and run this in the source tree: second opinions are in tests/."
        ) from None
    codebooks = codebooks_of(project)
    orders, measures = orders_of(codebooks), measures_of(codebooks)
    views, circular = patterns_by_view(project, codebooks, scope, phase)
    largest, where, n = 0.0, "", 0
    for row in rows:
        patterns = views.get((row.stage, row.round), Counter())
        equal = circular.get((row.stage, row.round), Counter())
        seen, forced = (of_pair(each, row.pair) if row.pair else each for each in (patterns, equal))
        measure = measures.get(row.stage, "nominal")
        values, intervals = opinions(seen, row.raters, orders.get(row.stage), row.pair is not None, forced, measure)
        for name, ours, theirs in figures(row, values, intervals):
            difference = difference_of(ours, theirs)
            n += ours is not None
            if difference > largest:
                largest, where = difference, f"phase {phase}, {row.stage}, round {row.round}, pair {row.pair}, {name}"
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


def patterns_by_view(
    project: Project, codebooks: Mapping[int, Codebook], scope: Scope, phase: Phase
) -> tuple[Views, Views]:
    """Return {(stage, round or None): answers to items, counted} from the raw answers.

    Of the items with a majority it also returns those that have no more answers than a majority takes.
    """
    views: Views = {}
    circular: Views = {}
    later = second_answers(project) if phase == 2 else {}
    for (item, number, codebook, takes), rows in groupby(raw_answers(project), key=lambda row: row[:4]):
        by_stage = looked_again(
            {
                stage: tuple((rater, label) for *_, rater, _, label in said)
                for stage, said in groupby(rows, key=lambda row: row[5])
            },
            later.get(item, {}),
        )
        kept = settled_stages(codebooks[codebook], takes, by_stage) if scope == "majority" else set(by_stage)
        for stage in kept:
            for view in ((stage, number), (stage, None)):
                views.setdefault(view, Counter())[by_stage[stage]] += 1
                if scope == "majority" and len(by_stage[stage]) == takes:
                    circular.setdefault(view, Counter())[by_stage[stage]] += 1
    return views, circular


def looked_again(first: ByStage, later: Mapping[int, Mapping[str, str]]) -> ByStage:
    """Return the same with the answers of second looks in place of all earlier answers to the item."""
    raters = {rater for said in first.values() for rater, _ in said}
    found = {}
    for stage in [*first, *({stage for answers in later.values() for stage in answers} - set(first))]:
        said = {rater: label for rater, label in first.get(stage, ()) if rater not in later}
        said |= {rater: answers[stage] for rater, answers in later.items() if rater in raters and stage in answers}
        found[stage] = tuple(sorted(said.items()))
    return {stage: said for stage, said in found.items() if said}


def second_answers(project: Project) -> dict[int, dict[int, dict[str, str]]]:
    """Return {batch item: {rater: {stage: label}}} of the few items that had a second look."""
    found: dict[int, dict[int, dict[str, str]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(SECOND, [project.pk])
        for item, rater, stage, label in cursor.fetchall():
            answers = found.setdefault(item, {}).setdefault(rater, {})
            answers |= {} if stage is None else {stage: label}
    return found


def settled_stages(codebook: Codebook, takes: int, said: Mapping[str, tuple[tuple[int, str], ...]]) -> set[str]:
    majorities: dict[str, str | None] = {}
    for stage, answers in said.items():
        labels = [label for _, label in answers]
        if codebook.by_key[stage].measure == "set":
            majorities[stage] = majority_set(labels, takes)
        else:
            label, votes = Counter(labels).most_common(1)[0]
            majorities[stage] = label if votes >= takes else None
    return set(open_answers(codebook, majorities))


def majority_set(answers: Sequence[str], takes: int) -> str | None:
    """Return the labels that a majority chose, where a majority left out each of the others; else None."""
    sets = [set(json.loads(answer)) for answer in answers]
    votes = {label: sum(label in each for each in sets) for label in set().union(*sets)}
    if len(sets) < takes or any(max(n, len(sets) - n) < takes for n in votes.values()):
        return None
    return set_text(label for label, n in votes.items() if n >= takes)


def raw_answers(project: Project) -> Iterator[tuple[Any, ...]]:
    with transaction.atomic(), connection.connection.cursor(name="agreement_verify") as cursor:
        cursor.itersize = 20_000
        cursor.execute(ANSWERS, [project.pk])
        yield from cursor
