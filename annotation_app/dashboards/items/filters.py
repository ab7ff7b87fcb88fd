"""Choose items by their text, place, progress, imported columns and answers.

What others answered is hidden while the reader's own answer can change (`rules.changeable_answer`). Conditions about
answers therefore leave such items out, and they are counted apart whatever the answers are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import CharField, F, Func, Q, QuerySet, TextField, Value
from django.db.models.expressions import RawSQL
from django.db.models.lookups import IExact

from annotation_app.aggregation.selectors import codebooks_of, newest_stages, unknown_stage
from annotation_app.dashboards.items.outcomes import NOT_INDEPENDENT, item_outcomes
from annotation_app.dashboards.items.search import search_condition
from annotation_app.ingest.columns import Path
from annotation_app.models import Document, Item, Membership
from annotation_app.refusals import Invalid

# `given`: in a batch; `open`: it waits for answers; `done`: its answers are all in; `left_out`: by an admin; `unfit`:
# too short or too long for the pool.
STATES = ("all", "pool", "given", "open", "done", "left_out", "unfit")
REMARKS = ("skipped", "flagged", "commented")
# Whose label: the aggregated one, in place of a member's id.
AGGREGATED = "aggregated"

GIVEN = """
    SELECT i.item_id FROM rules.data_item i JOIN annotation_app_batch b ON b.id = i.batch_id
    WHERE b.project_id = %s AND b.kind <> ALL(%s)
"""
# Hashed once. Joined, the planner may compare each item of a page with every item that was given out.
ISSUED = """
    SELECT i.item_id FROM annotation_app_batchitem i JOIN annotation_app_batch b ON b.id = i.batch_id
    WHERE b.project_id = %s
"""
PROGRESS = "SELECT p.item FROM rules.item_progress p WHERE p.project = %s AND p.kind <> ALL(%s) AND "
CHANGEABLE = "SELECT c.item FROM rules.changeable_answer c WHERE c.project = %s AND c.annotator = %s"
ASSIGNED = """
    SELECT i.item_id FROM annotation_app_assignment a
    JOIN rules.data_item i ON i.id = a.batch_item_id
    JOIN annotation_app_batch b ON b.id = i.batch_id
"""
BY_PERSON = f"""
    {ASSIGNED} JOIN annotation_app_answer x ON x.annotation_id = a.current_id
    WHERE b.kind <> 'practice' AND a.annotator_id = %s AND x.stage = %s AND
"""
OF_PROJECT = f"{ASSIGNED} {{join}} WHERE b.kind <> 'practice' AND b.project_id = %s AND {{condition}}"
REMARKED = {
    "skipped": OF_PROJECT.format(join="", condition="a.state = 'skipped'"),
    "flagged": OF_PROJECT.format(join="JOIN annotation_app_flag f ON f.assignment_id = a.id", condition="true"),
    "commented": OF_PROJECT.format(
        join="JOIN annotation_app_annotation n ON n.id = a.current_id", condition="n.comment <> ''"
    ),
}


@dataclass(frozen=True)
class ItemFilters:
    """Choose items; every part that is set must hold.

    `by` is AGGREGATED or a member's UUID as text: whose `label` at `stage`. `outcome` is one of OUTCOMES, at `stage` or
    at any. `columns` are paths of imported columns with the value that each must have, in any case.
    """

    reader: Membership
    q: str = ""
    state: str = "all"
    batch: UUID | None = None
    stage: str = ""
    label: str = ""
    by: str = AGGREGATED
    outcome: str = ""
    remark: str = ""
    columns: Sequence[tuple[Path, str]] = ()
    document: str = ""
    speaker: str = ""

    @property
    def is_own(self) -> bool:
        """Tell whether the label that is asked for is the reader's own."""
        return self.by == str(self.reader.uuid)

    @property
    def asks_answers(self) -> bool:
        """Tell whether others' answers decide which items match."""
        return bool(self.outcome or self.remark or (self.label and not self.is_own))


def items_matching(filters: ItemFilters) -> QuerySet[Item]:
    """Return the items that match, without those whose answers are hidden where the filters ask for answers.

    Raises Invalid.
    """
    rows = without_answers(filters)
    if filters.asks_answers:
        rows = rows.exclude(hidden_condition(filters.reader))
    if filters.label:
        rows = rows.filter(label_condition(filters))
    if filters.outcome:
        stage_check(filters)
        items = item_outcomes(filters.reader.project).came_to(filters.outcome, filters.stage or None)
        rows = rows.filter(among(items))
    if filters.remark:
        rows = rows.filter(selected(REMARKED[filters.remark], filters.reader.project_id))
    return rows


def hidden_count(filters: ItemFilters) -> int:
    """Count the items that match all conditions but those about answers, and whose answers are hidden."""
    if not filters.asks_answers:
        return 0
    return without_answers(filters).filter(hidden_condition(filters.reader)).count()


def hidden_condition(reader: Membership) -> Q:
    return selected(CHANGEABLE, reader.project_id, reader.pk)


def without_answers(filters: ItemFilters) -> QuerySet[Item]:
    """Return the items that match all conditions but those about answers."""
    project = filters.reader.project_id
    rows = Item.objects.filter(state_condition(filters.state, project), project=project)
    if filters.q:
        rows = rows.filter(search_condition(filters.q))
    if filters.batch is not None:
        rows = rows.filter(batch_items__batch__uuid=filters.batch, batch_items__is_check=False)
    if filters.document:
        named = Q(title__icontains=filters.document) | Q(external_id__icontains=filters.document)
        rows = rows.filter(document__in=Document.objects.filter(named, project=project))
    if filters.speaker:
        rows = rows.filter(utterance__speaker__icontains=filters.speaker)
    for path, value in filters.columns:
        rows = rows.filter(column_condition(path, value))
    return rows


def state_condition(state: str, project: int) -> Q:
    kinds = [str(kind) for kind in NOT_INDEPENDENT]
    match state:
        case "pool":
            return Q(left_out="") & ~selected(ISSUED, project)
        case "given":
            return selected(GIVEN, project, kinds)
        case "open":
            return selected(f"{PROGRESS} NOT p.complete", project, kinds)
        case "done":
            return selected(f"{PROGRESS} p.finished", project, kinds)
        case "left_out":
            return Q(left_out=Item.LeftOut.BY_ADMIN)
        case "unfit":
            return Q(left_out__in=(Item.LeftOut.TOO_SHORT, Item.LeftOut.TOO_LONG))
    return Q()


def label_condition(filters: ItemFilters) -> Q:
    """Return the condition on a label. Raises Invalid for an unknown stage or person."""
    stage_check(filters)
    if filters.by == AGGREGATED:
        return among(item_outcomes(filters.reader.project).labelled(filters.stage, filters.label))
    person = filters.reader.project.memberships.filter(uuid=filters.by).first()
    if person is None:
        raise Invalid({"by": ["Choose a member of this project."]})
    stage = newest_stages(codebooks_of(filters.reader.project))[filters.stage]
    is_it = "%s = ANY(rules.set_labels(x.label))" if stage.measure == "set" else "x.label = %s"
    return selected(f"{BY_PERSON} {is_it}", person.pk, filters.stage, filters.label)


def stage_check(filters: ItemFilters) -> None:
    if filters.label and not filters.stage:
        raise Invalid({"stage": ["Name the stage that the label belongs to."]})
    if filters.stage and filters.stage not in newest_stages(codebooks_of(filters.reader.project)):
        raise unknown_stage(filters.stage)


def column_condition(path: Path, value: str) -> Any:
    """Return the condition that the column has the value. The item's own column goes before those above it."""
    merged = Func(F("document__meta"), F("utterance__meta"), F("meta"), template="(%(expressions)s)", arg_joiner=" || ")
    at = Value(list(path), output_field=ArrayField(TextField()))
    found = Func(merged, at, template="(%(expressions)s)", arg_joiner=" #>> ", output_field=CharField())
    return IExact(found, value)


def selected(sql: str, *values: Any) -> Q:
    """Return the condition that the item's id is among those that a SELECT gives."""
    return Q(pk__in=RawSQL(sql, values))


def among(items: Sequence[int]) -> Q:
    return selected("SELECT unnest(%s::bigint[])", list(items))
